/**
 * Haraka as it comes from npm, in one process. Its queue is a plugin of ours: a file for each mail, synced, then renamed
 * into the maildir of the recipient. Haraka's own plugins store nothing durably.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './first-answer.ts';
import { startMailServer } from './mail-server.ts';

export interface Haraka {
  port: number;
  pid: number;
  /** How many mails are in the maildirs, synced. */
  delivered(): number;
  stop(): Promise<void>;
}

const queuePlugin = (root: string): string => `
const fs = require('node:fs');
exports.hook_queue = function (next, connection) {
  const { uuid, rcpt_to, message_stream } = connection.transaction;
  const inbox = ${JSON.stringify(root)} + '/' + rcpt_to[0].user;
  const file = fs.createWriteStream(inbox + '/tmp/' + uuid, { flush: true });
  file.on('error', (err) => next(DENYSOFT, err.message));
  file.on('close', () => fs.rename(inbox + '/tmp/' + uuid, inbox + '/new/' + uuid, (err) => (err ? next(DENYSOFT, err.message) : next(OK))));
  message_stream.pipe(file, { line_endings: '\\r\\n' });
};
`;

function layOut(folder: string, dir: string, domain: string, inboxes: readonly string[], port: number): void {
  cpSync(join(folder, 'config'), join(dir, 'config'), { recursive: true });
  for (const name of ['plugins', 'mail', 'queue']) mkdirSync(join(dir, name));
  chmodSync(dir, 0o755);
  for (const name of inboxes) {
    for (const part of ['tmp', 'new']) mkdirSync(join(dir, 'mail', name, part), { recursive: true });
  }
  const files = {
    'config/smtp.ini': `listen=127.0.0.1:${port}\nnodes=0\n`,
    'config/plugins': 'rcpt_to.in_host_list\nqueue_files\n',
    'config/host_list': `${domain}\n`,
    'config/log.ini': '[main]\nlevel=error\n',
    'config/me': 'haraka.example\n',
    'plugins/queue_files.js': queuePlugin(join(dir, 'mail')),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
}

/** Starts Haraka, from the folder of its package, with an inbox for each name. */
export async function startHaraka(folder: string, domain: string, inboxes: readonly string[]): Promise<Haraka> {
  const dir = mkdtempSync(join(tmpdir(), 'signet-bench-haraka-'));
  const port = await freePort();
  layOut(folder, dir, domain, inboxes, port);
  const command = ['sh', 'bin/node', join(folder, 'bin/haraka'), '-c', dir];
  const server = await startMailServer({ name: 'Haraka', command, env: process.env, dir, port });
  const count = (name: string): number => readdirSync(join(dir, 'mail', name, 'new')).length;
  return { port, ...server, delivered: () => inboxes.reduce((sum, name) => sum + count(name), 0) };
}
