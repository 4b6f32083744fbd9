/**
 * Follows docs/go-live.md between hosts of its own, with the settings, the Caddyfile and the commands as they stand there.
 * Names, addresses and paths are replaced. Runs in the long profile: npm run test:long -- go-live
 */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SMTPServer } from 'smtp-server';
import { composeMail } from '../../src/mail/mime/compose.ts';
import { createDkimSigner } from '../../src/mail/smtp-out/dkim.ts';
import { dkimRecord, policyId } from '../../src/mail/smtp-out/zone-records.ts';
import { root } from './command-line.ts';
import { blockOf } from './guide.ts';
import { missingForInternet, TestInternet } from './test-internet.ts';

const skip = process.env.SIGNET_LONG ? (missingForInternet() ?? false) : 'only in npm run test:long -- go-live';

const US = '203.0.113.10';
const ONE = '203.0.113.21';
const TWO = '203.0.113.22';
const THREE = '203.0.113.23';
const POLICY = 'version: STSv1\nmode: testing\nmx: mx.one.test\nmax_age: 86400\n';

describe('going live', { skip, timeout: 1_500_000 }, () => {
  let net: TestInternet;
  let env: Record<string, string>;
  /** The records that `signet dns` printed. */
  let zone = '';
  const arrived: { to: string; raw: string }[] = [];
  let mailbox: SMTPServer;
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const OTHERS = [
    ['one', ONE],
    ['two', TWO],
    ['three', THREE],
    ['wrong', THREE],
  ].flatMap(([name, ip]) => [
    `${name}.test. 300 IN MX 10 mx.${name}.test.`,
    `mx.${name}.test. 300 IN A ${ip}`,
    `mta-sts.${name}.test. 300 IN A ${ip}`,
    `${name}.test. 300 IN TXT "v=spf1 mx -all"`,
    `_dmarc.${name}.test. 300 IN TXT "v=DMARC1; p=reject"`,
  ]);

  /** Mail must come over TLS with a certificate for the host. That of `wrong.test` has one for another host. */
  const enforced = (name: string): string => `version: STSv1\nmode: enforce\nmx: mx.${name}.test\nmax_age: 86400\n`;
  let enforcing = ['three', 'wrong'];

  const records = (own: string): string =>
    [
      own,
      `id.agents.test. 300 IN A ${US}`,
      ...OTHERS,
      `_mta-sts.one.test. 300 IN TXT "v=STSv1; id=${policyId(POLICY)}"`,
      ...enforcing.map((name) => `_mta-sts.${name}.test. 300 IN TXT "v=STSv1; id=${policyId(enforced(name))}"`),
      `k1._domainkey.one.test. 300 IN TXT ${(dkimRecord(privateKey).match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ')}`,
    ].join('\n');

  /** A block of the page, with the names and addresses of this internet and paths below its folder. */
  const page = (name: string): string =>
    blockOf('go-live.md', name)
      .replaceAll('id.example.com', 'id.agents.test')
      .replaceAll('agents.example.com', 'agents.test')
      .replaceAll('you@example.org', 'ops@one.test')
      .replaceAll('192.0.2.25', US)
      .replaceAll('25.2.0.192', '10.113.0.203')
      .replaceAll('/var/lib/caddy/.local/share/caddy/', `${net.path('caddy')}/caddy/`)
      .replaceAll('/etc/signet/', `${net.path('etc')}/`)
      .replaceAll('-o signet', '-o root');
  const CERTIFICATES = 'caddy/caddy/certificates/local/mx.agents.test';

  const signet = (...args: string[]) => net.exec('us', ['sh', `${root}/bin/signet`, ...args], env);
  const api = (method: string, path: string, key: string, body?: object) => {
    const data = body ? ['-H', 'content-type: application/json', '-d', JSON.stringify(body)] : [];
    const auth = key === '' ? [] : ['-H', `authorization: Bearer ${key}`];
    const { stdout } = net.exec('us', ['curl', '-s', '-X', method, ...auth, ...data, `http://127.0.0.1:8787${path}`]);
    return JSON.parse(stdout);
  };

  async function startMailHost(name: 'one' | 'two', ip: string, tls: { key: string; crt: string }): Promise<void> {
    const rules = [
      `pki mx.${name}.test cert "${tls.crt}"`,
      `pki mx.${name}.test key "${tls.key}"`,
      `table users { "@" = "nobody" }`,
      `listen on ${ip} port 25 tls pki mx.${name}.test hostname mx.${name}.test`,
      `listen on 127.0.0.1 port 25 hostname mx.${name}.test`,
      `action "in" lmtp "${net.path('lmtp')}" rcpt-to virtual <users>`,
      `action "out" relay helo mx.${name}.test`,
      `match from any for domain "${name}.test" action "in"`,
      'match from local for any action "out"',
    ];
    writeFileSync(net.path(`${name}.conf`), `${rules.join('\n')}\n`);
    const own = 'mount -t tmpfs spool /var/spool && mount -t tmpfs run /run && chmod 755 /var/spool /run && exec "$@"';
    net.start(name, name, ['unshare', '-m', 'sh', '-c', own, 'sh', 'smtpd', '-d', '-f', net.path(`${name}.conf`)]);
  }

  before(async () => {
    net = new TestInternet();
    for (const [name, ip] of Object.entries({ dns: '203.0.113.53', us: US, one: ONE, two: TWO, three: THREE }))
      net.host(name, ip);
    const one = net.certificate('mx.one.test', 'mta-sts.one.test');
    const two = net.certificate('mx.two.test');
    const three = net.certificate('mx.three.test', 'mta-sts.three.test', 'mta-sts.wrong.test');
    const caddy = { XDG_DATA_HOME: net.path('caddy'), XDG_CONFIG_HOME: net.path('caddy') };
    const serve = (name: string, host: string, file: string): void =>
      net.start(name, host, ['caddy', 'run', '--adapter', 'caddyfile', '--config', net.path(file)], caddy);
    writeFileSync(net.path('us.caddy'), `${net.caddyAuthority()}${page('Caddyfile')}`);
    serve('web', 'us', 'us.caddy');
    await net.until(() => existsSync(net.path(`${CERTIFICATES}/mx.agents.test.key`)), 'Caddy got no certificate');
    mkdirSync(net.path('etc'));
    const copied = net.exec('us', ['bash', '-euo', 'pipefail', '-c', page('certificate')]);
    assert.equal(copied.status, 0, copied.stderr);
    const settings = page('settings').trim().split('\n');
    env = {
      ...Object.fromEntries(
        settings.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      ),
      DATA_DIR: net.path('data'),
      MTA_STS: 'enforce',
      DNSBL: 'list.test',
      NODE_EXTRA_CA_CERTS: net.path('ca.crt'),
    };
    const printed = signet('dns', '--zone', '--ip', US);
    assert.equal(printed.status, 0, printed.stderr);
    zone = printed.stdout;
    await net.serveDns(records(zone));
    mailbox = new SMTPServer({
      lmtp: true,
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData: (stream, { envelope }, callback) => {
        void buffer(stream).then((raw) => {
          for (const { address } of envelope.rcptTo) arrived.push({ to: address, raw: raw.toString('latin1') });
          callback(null, 'taken');
        });
      },
    });
    await new Promise<void>((resolve) => void (mailbox.server as Server).listen(net.path('lmtp'), resolve));
    chmodSync(net.path('lmtp'), 0o777);
    await startMailHost('one', ONE, one);
    await startMailHost('two', TWO, two);
    const script = fileURLToPath(new URL('./tls-mail-host.ts', import.meta.url));
    net.start('three', 'three', ['sh', `${root}/bin/node`, script, THREE, three.key, three.crt]);
    await net.until(() => net.logOf('three').includes('listening'), 'the third mail host did not start');
    const tls = (pair: { crt: string; key: string }) => `tls ${pair.crt} ${pair.key}`;
    const global = '{\n admin off\n auto_https off\n}\n';
    writeFileSync(
      net.path('one.caddy'),
      `${global}https://mta-sts.one.test {\n ${tls(one)}\n header Content-Type text/plain\n respond "${POLICY}"\n}\n`,
    );
    const policies = ['three', 'wrong'].map(
      (name) =>
        `https://mta-sts.${name}.test {\n ${tls(three)}\n header Content-Type text/plain\n respond "${enforced(name)}"\n}\n`,
    );
    writeFileSync(net.path('three.caddy'), `${global}${policies.join('')}`);
    serve('policy', 'one', 'one.caddy');
    serve('policies', 'three', 'three.caddy');
    net.start('signet', 'us', ['sh', `${root}/bin/signet`, 'serve'], env);
    await net.until(() => net.logOf('signet').includes('signet listens'), 'the service did not start');
  });
  after(async () => {
    await new Promise<void>((resolve) => (mailbox ? void mailbox.close(resolve) : resolve()));
    await net?.close();
  });

  it('the API answers at its address, and the records are those of the page', () => {
    const { stdout } = net.exec('one', [
      'curl',
      '-sS',
      '--cacert',
      net.path('ca.crt'),
      'https://id.agents.test/health',
    ]);
    assert.equal(JSON.parse(stdout).status, 'ok', stdout);
    const namesOf = (text: string) =>
      text.split('\n').flatMap((line) => /^([A-Z]+) +(\S+\.\S+) /.exec(line)?.slice(1, 3) ?? []);
    const [command = '', ...shown] = page('dns').split('\n');
    const printed = signet(...command.split(' ').slice(2));
    assert.deepEqual(namesOf(printed.stdout), namesOf(shown.join('\n')), printed.stdout);
    assert.equal(namesOf(printed.stdout).length, 26);
  });

  it('the doctor finds nothing wrong', () => {
    const { stdout, stderr } = signet('doctor', '--dns');
    const wrong = stdout.split('\n').filter((line) => /^(?:fail|warn) /.test(line) && !/^warn\s+open files/.test(line));
    assert.deepEqual(wrong, [], stdout + stderr);
  });

  it('mail goes out by MX and MTA-STS, and SPF, DKIM and DMARC pass', async () => {
    const shown = signet('mail', 'test', 'ops@one.test');
    assert.match(shown.stdout, /^policy +MTA-STS: testing$/m, shown.stdout + shown.stderr);
    const { api_key: key } = api('POST', '/v1/auth/keys', '', {});
    api('POST', '/v1/email/claim', key, { address: 'ada' });
    api('POST', '/v1/email/send', key, {
      from: 'ada',
      to: ['bob@one.test', 'eve@two.test'],
      subject: 'out',
      text: 'hello',
    });
    const mailTo = (to: string) => arrived.find((mail) => mail.to === to)?.raw;
    await net.until(() => Boolean(mailTo('bob@one.test') && mailTo('eve@two.test')), 'the mail did not arrive');
    for (const to of ['bob@one.test', 'eve@two.test']) {
      const raw = mailTo(to) as string;
      assert.match(raw, /^Received: from mx\.agents\.test \(mx\.agents\.test \[203\.0\.113\.10\]\)/m);
      writeFileSync(net.path('mail'), raw, 'latin1');
      const judge = `import { authenticate } from 'mailauth'; import { readFileSync } from 'node:fs';
        const { spf, dkim, dmarc } = await authenticate(readFileSync(process.argv[1]), { ip: '${US}',
          helo: 'mx.agents.test', sender: process.argv[2], mta: 'mx' });
        console.log([spf.status.result, dkim.results[0]?.status.result, dmarc.status.result].join());`;
      const sender = /^Return-Path: <(.*)>/m.exec(raw)?.[1] || 'ada@agents.test';
      const args = ['sh', `${root}/bin/node`, '--input-type=module', '-e', judge, net.path('mail'), sender];
      const { stdout, stderr } = net.exec('one', ['sh', '-c', `cd '${root}' && exec "$@"`, 'sh', ...args]);
      assert.equal(stdout.trim(), 'pass,pass,pass', stderr);
    }
  });

  it('mail under an enforced policy goes over TLS, and waits where the certificate is wrong, also after a restart', async () => {
    const { api_key: key } = api('POST', '/v1/auth/keys', '', {});
    api('POST', '/v1/email/claim', key, { address: 'cy' });
    const send = (to: string): string =>
      api('POST', '/v1/email/send', key, { from: 'cy', to, subject: 'enforced', text: 'hello' }).id;
    const outcome = (id: string) => api('GET', `/v1/email/outbox/${id}`, key);
    const tested = signet('mail', 'test', 'ops@wrong.test');
    assert.match(tested.stdout, /^policy +MTA-STS: enforce$[\s\S]*^deferred/m, tested.stdout + tested.stderr);
    const stepsOf = (text: string) => text.split('\n').flatMap((line) => /^[a-z]+(?= )/.exec(line) ?? []);
    assert.deepEqual(stepsOf(signet('mail', 'test', 'ops@three.test').stdout), stepsOf(page('mail test')));
    const [right, wrong] = [send('dan@three.test'), send('dan@wrong.test')];
    await net.until(() => outcome(right).status === 'sent', 'the mail under an enforced policy did not leave');
    const connections = () => net.logOf('three').split('connection').length - 1;
    await net.until(() => connections() >= 3, 'the other mail was not tried');
    await net.until(
      () => /^mail for dan@three\.test over TLS$/m.test(net.logOf('three')),
      'the mail went in the clear',
    );
    // Somebody hides the records of the policies. The service remembers them.
    enforcing = [];
    await net.serveDns(records(zone));
    await net.stop('signet');
    net.start('signet', 'us', ['sh', `${root}/bin/signet`, 'serve'], env);
    await net.until(() => net.logOf('signet').includes('signet listens'), 'the service did not start again');
    const again = [send('eve@three.test'), send('eve@wrong.test')];
    await net.until(() => outcome(again[0] as string).status === 'sent', 'the mail did not leave after the restart');
    await net.until(() => connections() >= 5, 'the other mail was not tried after the restart');
    assert.deepEqual([outcome(wrong).status, outcome(again[1] as string).status], ['pending', 'pending']);
    assert.doesNotMatch(net.logOf('three'), /wrong\.test|in the clear/);
  });

  it('mail comes in over TLS, and the inbox says that SPF, DKIM and DMARC passed', async () => {
    const { api_key: key } = api('POST', '/v1/auth/keys', '', {});
    api('POST', '/v1/email/claim', key, { address: 'bob' });
    const from = { address: 'ada@one.test', name: '' };
    const mail = {
      from,
      to: ['bob@agents.test'],
      subject: 'in',
      text: 'hello',
      messageId: '<in1@one.test>',
      date: new Date(),
    };
    const sign = createDkimSigner({ domainName: 'one.test', keySelector: 'k1', privateKey });
    writeFileSync(net.path('in'), await sign(await composeMail(mail)));
    const args = ['--mail-from', 'ada@one.test', '--mail-rcpt', 'bob@agents.test', '--upload-file', net.path('in')];
    const sent = net.exec('one', ['curl', '-sS', 'smtp://127.0.0.1:25', ...args]);
    assert.equal(sent.status, 0, sent.stderr);
    const inbox = () => api('GET', '/v1/email/inbox?address=bob@agents.test', key).messages;
    await net.until(() => inbox().length === 1, 'the mail did not come in');
    const { method, spf, dkim, dmarc } = inbox()[0].auth;
    assert.deepEqual([method, spf, dkim, dmarc], ['smtp', 'pass', 'pass', 'pass']);
  });

  const without = (part: string) => zone.split('\n').filter((line) => !line.includes(part));
  const MISTAKES: Record<string, { zone: () => string[]; said: RegExp }> = {
    'no MX': { zone: () => without(' IN MX '), said: /^fail +dns mx +agents\.test has no MX/m },
    'the host elsewhere': {
      zone: () => [...without('mx.agents.test. 3600 IN A'), 'mx.agents.test. 3600 IN A 203.0.113.99'],
      said: /^fail +port 25 in +203\.0\.113\.99:25 does not answer/m,
    },
    'an SPF that leaves this host out': {
      zone: () => [...without('agents.test. 3600 IN TXT "v=spf1 mx'), 'agents.test. 3600 IN TXT "v=spf1 -all"'],
      said: /^fail +dns spf +SPF of mail from 203\.0\.113\.10 is fail/m,
    },
    'an empty DKIM key': {
      zone: () => [...without('_domainkey'), 'signet._domainkey.agents.test. 3600 IN TXT "v=DKIM1; k=rsa; p="'],
      said: /^fail +dns dkim .* an empty key/m,
    },
    'no DMARC': { zone: () => without('_dmarc'), said: /^fail +dns dmarc +_dmarc\.agents\.test does not exist/m },
    'an old MTA-STS id': {
      zone: () => [...without('_mta-sts'), '_mta-sts.agents.test. 3600 IN TXT "v=STSv1; id=old"'],
      said: /^fail +mta-sts .* names another policy/m,
    },
    'no policy host': {
      zone: () => without('mta-sts.agents.test. 3600 IN CNAME'),
      said: /^fail +mta-sts +https:\/\/mta-sts\.agents\.test/m,
    },
    'no TLS-RPT': { zone: () => without('_smtp._tls'), said: /^warn +dns tls-rpt/m },
    'no SRV for IMAP': {
      zone: () => without('_imaps._tcp'),
      said: /^warn +dns imaps +_imaps\._tcp\.agents\.test does not exist/m,
    },
    'an SRV to another port': {
      zone: () => [
        ...without('_submissions._tcp'),
        '_submissions._tcp.agents.test. 3600 IN SRV 0 1 587 mx.agents.test.',
      ],
      said: /^warn +dns submissions .* leads to port 587 mx\.agents\.test/m,
    },
    'another PTR': {
      zone: () => [...without(' IN PTR '), '10.113.0.203.in-addr.arpa. 3600 IN PTR pool.isp.test.'],
      said: /^fail +dns ptr .* is pool\.isp\.test\. +Have|^fail +dns ptr .* is pool\.isp\.test/m,
    },
    'a listed address': {
      zone: () => [zone, '10.113.0.203.list.test. 300 IN A 127.0.0.2'],
      said: /^fail +blocklists +203\.0\.113\.10 is on list\.test/m,
    },
  };
  for (const [what, mistake] of Object.entries(MISTAKES))
    it(`the doctor names a mistake: ${what}`, async () => {
      await net.serveDns(records(mistake.zone().join('\n')));
      const { stdout, stderr } = signet('doctor', '--dns');
      assert.match(stdout, mistake.said, stdout + stderr);
    });
});
