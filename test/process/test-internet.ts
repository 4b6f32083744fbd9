/** A small internet: hosts in network namespaces of their own, with a DNS server and a certificate authority. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';

const TOOLS = ['ip', 'unshare', 'unbound', 'caddy', 'smtpd', 'openssl', 'curl'];
const DNS = '203.0.113.53';

/** Why such an internet cannot be built here, or null. */
export function missingForInternet(): string | null {
  const missing = TOOLS.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  if (missing.length > 0) return `${missing.join(', ')} not installed (Debian: iproute2 unbound caddy opensmtpd)`;
  return spawnSync('unshare', ['-n', 'true']).status === 0 ? null : 'no network namespaces';
}

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

export class TestInternet {
  readonly dir = mkdtempSync(join(tmpdir(), 'signet-internet-'));
  readonly #spaces: string[] = [];
  readonly #children = new Map<string, ChildProcess>();
  readonly #logs = new Map<string, string>();
  readonly #mark = `sg${process.pid}`;

  constructor() {
    // OpenSMTPD delivers as another user.
    chmodSync(this.dir, 0o755);
    this.#space('hub');
    this.#in('hub', 'ip', 'link', 'add', 'br0', 'type', 'bridge');
    this.#in('hub', 'ip', 'link', 'set', 'br0', 'up');
    const ca = ['-keyout', this.path('ca.key'), '-out', this.path('ca.crt')];
    run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-subj', '/CN=Test CA', '-days', '30', '-nodes', ...ca);
  }

  path(name: string): string {
    return join(this.dir, name);
  }

  /** Adds a host with this address. */
  host(name: string, address: string): void {
    this.#space(name);
    const [own, far] = [`${this.#mark}${name}a`.slice(-15), `${this.#mark}${name}b`.slice(-15)];
    run('ip', 'link', 'add', own, 'type', 'veth', 'peer', 'name', far);
    run('ip', 'link', 'set', far, 'netns', this.#name('hub'));
    run('ip', 'link', 'set', own, 'netns', this.#name(name));
    this.#in('hub', 'ip', 'link', 'set', far, 'master', 'br0', 'up');
    this.#in(name, 'ip', 'address', 'add', `${address}/24`, 'dev', own);
    this.#in(name, 'ip', 'link', 'set', own, 'up');
    const folder = `/etc/netns/${this.#name(name)}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'resolv.conf'), `nameserver ${DNS}\n`);
  }

  /** The paths of a key and a certificate for these names. */
  certificate(...names: string[]): { key: string; crt: string } {
    return this.#sign(names[0] as string, `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`);
  }

  #sign(name: string, extension: string): { key: string; crt: string } {
    const [key, csr, crt, ext] = ['key', 'csr', 'crt', 'ext'].map((end) => this.path(`${name}.${end}`)) as [
      string,
      string,
      string,
      string,
    ];
    writeFileSync(ext, `${extension}\n`);
    run('openssl', 'req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-keyout', key, '-out', csr);
    const by = ['-CA', this.path('ca.crt'), '-CAkey', this.path('ca.key'), '-CAcreateserial', '-days', '30'];
    run('openssl', 'x509', '-req', '-in', csr, ...by, '-extfile', ext, '-out', crt);
    return { key, crt };
  }

  /** The head of a Caddyfile: certificates come from the authority of this internet instead of a public one. */
  caddyAuthority(): string {
    const { key, crt } = this.#sign('between', 'basicConstraints=critical,CA:TRUE');
    const root = ['root {', `cert ${this.path('ca.crt')}`, `key ${this.path('ca.key')}`, '}'];
    const pki = ['pki {', 'ca local {', ...root, 'intermediate {', `cert ${crt}`, `key ${key}`, '}', '}', '}'];
    const global = ['admin off', 'skip_install_trust', 'cert_issuer internal {', 'lifetime 480h', '}', ...pki];
    return `{\n${global.join('\n')}\n}\n`;
  }

  /** (Re)starts the DNS server with these records, in the form of a zone file. */
  async serveDns(records: string): Promise<void> {
    const zone = `. 3600 IN SOA ns.test. root.test. 1 3600 600 86400 1\n. 3600 IN NS ns.test.\nns.test. 3600 IN A ${DNS}\n`;
    writeFileSync(this.path('zone'), `${zone}${records}\n`);
    // The zones of tests and documentation are Unbound's own unless it is told otherwise.
    const own = ['test.', '113.0.203.in-addr.arpa.'].map((name) => `local-zone: "${name}" nodefault`);
    const access = ['access-control: 203.0.113.0/24 allow', 'do-daemonize: no', 'use-syslog: no', 'verbosity: 1'];
    const files = [
      'username: ""',
      'chroot: ""',
      'pidfile: ""',
      `directory: "${this.dir}"`,
      'module-config: "iterator"',
    ];
    const server = ['server:', `interface: ${DNS}`, ...access, ...files, ...own].join('\n  ');
    const all = [
      'auth-zone:',
      'name: "."',
      `zonefile: "${this.path('zone')}"`,
      'for-downstream: no',
      'for-upstream: yes',
    ];
    const control = 'remote-control:\n  control-enable: no';
    writeFileSync(this.path('unbound.conf'), `${[server, control, all.join('\n  ')].join('\n')}\n`);
    await this.stop('dns');
    this.start('dns', 'dns', ['unbound', '-d', '-c', this.path('unbound.conf')]);
    await this.until(() => this.logOf('dns').includes('start of service'), 'the DNS server did not start');
  }

  /** Runs a program on a host until it ends. */
  exec(host: string, command: readonly string[], env: Record<string, string> = {}) {
    const { PATH = '', HOME = '' } = process.env;
    const args = ['netns', 'exec', this.#name(host), ...command];
    return spawnSync('ip', args, { encoding: 'utf8', env: { PATH, HOME, ...env }, timeout: 120_000 });
  }

  /** Starts a program on a host. `name` is for {@link stop} and {@link logOf}. */
  start(name: string, host: string, command: readonly string[], env: Record<string, string> = {}): void {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn('ip', ['netns', 'exec', this.#name(host), ...command], {
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#logs.set(name, '');
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => this.#logs.set(name, this.logOf(name) + text));
    this.#children.set(name, child);
  }

  logOf(name: string): string {
    return this.#logs.get(name) ?? '';
  }

  async stop(name: string): Promise<void> {
    const child = this.#children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await ended;
    clearTimeout(late);
  }

  async until(isSo: () => boolean, what: string): Promise<void> {
    if (await eventually(isSo).catch(() => false)) return;
    const logs = [...this.#logs].map(([name, text]) => `--- ${name}\n${text.slice(-3000)}`);
    throw new Error(`${what}\n${logs.join('\n')}`);
  }

  async close(): Promise<void> {
    for (const name of this.#children.keys()) await this.stop(name);
    for (const name of this.#spaces) {
      spawnSync('ip', ['netns', 'del', name]);
      rmSync(`/etc/netns/${name}`, { recursive: true, force: true });
    }
    rmSync(this.dir, { recursive: true, force: true });
  }

  #name(host: string): string {
    return `${this.#mark}-${host}`;
  }

  #space(host: string): void {
    run('ip', 'netns', 'add', this.#name(host));
    this.#spaces.push(this.#name(host));
    this.#in(host, 'ip', 'link', 'set', 'lo', 'up');
  }

  #in(host: string, ...command: string[]): void {
    run('ip', 'netns', 'exec', this.#name(host), ...command);
  }
}
