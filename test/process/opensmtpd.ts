import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';

/** Debian's OpenSMTPD, as a relay from another project. */
export interface OpenSmtpd {
  port: number;
  log(): string;
  stop(): Promise<void>;
}

/**
 * OpenSMTPD uses fixed paths for its spool and its control socket, and must be root. A mount namespace gives it its own
 * paths, so that it does not meet a service of the machine or another test run.
 */
const ISOLATED = ['-m', 'sh', '-c', 'mount -t tmpfs spool /var/spool && mount -t tmpfs run /run && exec "$@"', 'sh'];

/** Why OpenSMTPD cannot run here, or null. */
export function missingForOpenSmtpd(): string | null {
  if (spawnSync('smtpd', ['-h']).error) return 'smtpd (Debian package opensmtpd) is not installed';
  const isolated = spawnSync('unshare', [...ISOLATED, 'true'], { encoding: 'utf8' });
  return isolated.status === 0 ? null : `no mount namespace for smtpd: ${isolated.stderr ?? isolated.error}`;
}

/**
 * Relays mail for `mailDomain` to one port of this machine and all other mail to another. Bounces what it cannot
 * deliver.
 */
export async function startOpenSmtpd(ports: {
  port: number;
  mailDomain: string;
  home: number;
  world: number;
}): Promise<OpenSmtpd> {
  const dir = mkdtempSync(join(tmpdir(), 'signet-opensmtpd-'));
  const config = join(dir, 'smtpd.conf');
  const rules = [
    'smtp max-message-size 40M',
    `listen on 127.0.0.1 port ${ports.port} hostname relay.example`,
    `action "home" relay host smtp+notls://127.0.0.1:${ports.home}`,
    `action "world" relay host smtp+notls://127.0.0.1:${ports.world}`,
    `match from any for domain "${ports.mailDomain}" action "home"`,
    'match from any for any action "world"',
  ];
  writeFileSync(config, `${rules.join('\n')}\n`);
  const child = spawn('unshare', [...ISOLATED, 'smtpd', '-d', '-f', config], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (log += text));
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  const relay: OpenSmtpd = {
    port: ports.port,
    log: () => log,
    stop: async () => {
      child.kill('SIGTERM');
      const late = setTimeout(killNow, 5000);
      await ended;
      clearTimeout(late);
      process.off('exit', killNow);
      rmSync(dir, { recursive: true });
    },
  };
  const isUp = await eventually(async () => (await greets(ports.port)) || (child.exitCode !== null && 'ended'));
  if (isUp === true) return relay;
  await relay.stop();
  throw new Error(`smtpd did not start:\n${log}`);
}

const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('data', () => resolve(true)).once('error', () => resolve(false));
    socket.once('data', () => socket.destroy());
  });
