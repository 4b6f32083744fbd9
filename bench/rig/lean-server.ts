/**
 * What a reply costs at the least: bare `node:http`, the hash of the key, the statements that the service asks for the same
 * call, on the same file, and JSON. No framework, checks, limits, scopes or metrics.
 * `sh bin/node bench/rig/lean-server.ts '{"call", "file", "keyHash", "account", "address", "reply"}'`
 */
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

const { call, file, keyHash, account, address, reply } = JSON.parse(process.argv[2] as string) as {
  call: 'account' | 'inbox';
  file: string;
  keyHash: string;
  account: string;
  address: string;
  /** What the service answers, for the fields that take no look-up. */
  reply: Record<string, unknown>;
};

const db = new DatabaseSync(file, { readOnly: true });
db.exec('PRAGMA busy_timeout = 5000');

function requireKey({ headers }: IncomingMessage): void {
  if (hash('sha256', headers.authorization ?? '', 'hex') !== keyHash) throw new Error('unknown key');
}

const accountById = db.prepare('select id, name, tier, status, created_at from accounts where id = ?');
const people = db.prepare('select id, role, address, confirmed_at from people where account_id = ? order by id');
const recoveries = db.prepare('select email, stored_at from vault_recoveries where account_id = ?');
const addresses = db.prepare(
  'select address from addresses where released_at is null and account_id = ? order by created_at limit 100',
);
const used = db.prepare('select used from quota_counters where account_id = ? and metric = ? and period_start = ?');
const storage = db.prepare('select used from account_storage where account_id = ?');

function readAccount(): unknown {
  const row = accountById.get(account) as { id: string; name: string; tier: string; created_at: number };
  return {
    ...reply,
    account_id: row.id,
    name: row.name,
    tier: row.tier,
    people: people.all(account),
    vault_recovery_email: recoveries.all(account)[0]?.email ?? null,
    addresses: addresses.all(account).map((found) => found.address),
    left: { ...(reply.left as object), emails_per_day: used.get(account, 'emails', 0)?.used ?? 0 },
    storage_used: storage.get(account)?.used ?? 0,
    created_at: new Date(row.created_at).toISOString(),
  };
}

const addressRow = db.prepare(
  'select address, account_id, total from addresses where released_at is null and address = ?',
);
const page = db.prepare(
  `select id, address, thread_id, rfc_message_id, from_address, from_name, recipients, subject, snippet, attachments,
   is_read, is_archived, folder, labels, metadata, auth, received_at from messages
   where address = ? and folder = 'inbox' and visible = 1 and is_archived = 0 and id < 'msg_z' order by id desc limit 20`,
);

function readInbox(): unknown {
  if (addressRow.get(address)?.account_id !== account) throw new Error('not its address');
  const messages = page.all(address).map((row) => ({
    message_id: row.id,
    rfc_message_id: row.rfc_message_id,
    thread_id: row.thread_id,
    from: row.from_address,
    from_name: row.from_name,
    to: row.address,
    subject: row.subject,
    snippet: row.snippet,
    message_id_url: row.id,
    body_preview: row.snippet,
    received_at: new Date(row.received_at as number).toISOString(),
    read: row.is_read === 1,
    archived: row.is_archived === 1,
    folder: row.folder,
    labels: JSON.parse(row.labels as string),
    metadata: JSON.parse(row.metadata as string),
    has_attachments: row.attachments !== 0,
    auth: JSON.parse(row.auth as string),
  }));
  return { ...reply, messages };
}

const read = call === 'account' ? readAccount : readInbox;
const server = createServer((request, response) => {
  requireKey(request);
  const body = Buffer.from(JSON.stringify(read()));
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => process.exit(0));
