import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Endpoint, Reply } from '../../src/api/endpoint.ts';
import type { Config } from '../../src/config/service-config.ts';
import { sqlitePath } from '../../src/db/open.ts';
import { readableMail } from './readable-mail.ts';

/**
 * Searches the database of a test service for every secret that the service showed: in a reply, in the address of a
 * redirect or in a link that it mailed. A stolen copy of the database must not hold one that can be read.
 */

/** The secrets, and where each was shown. */
export type Shown = Map<string, string>;

interface Schema {
  'x-secret'?: true;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Shorter ones occur by chance: a code of eight letters is not searched. */
const LENGTH_MIN = 16;

/** Calls `found` with every text in the value that its schema marks as secret. */
function eachSecret(schema: Schema, value: unknown, found: (secret: string) => void, isSecret = false): void {
  const isMarked = isSecret || schema['x-secret'] === true;
  if (typeof value === 'string' && isMarked) found(value);
  for (const option of schema.anyOf ?? []) eachSecret(option, value, found, isMarked);
  if (Array.isArray(value)) for (const item of value) eachSecret(schema.items ?? {}, item, found, isMarked);
  else if (typeof value === 'object' && value !== null)
    // What the client sealed is ciphertext. The database may hold it.
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      if (!name.startsWith('sealed_')) eachSecret(property, (value as Record<string, unknown>)[name], found, isMarked);
}

/** Notes the secrets in every reply of the endpoints from now on. */
export function noteSecrets(endpoints: readonly Endpoint[]): Shown {
  const shown: Shown = new Map();
  const note = (secret: string, by: string): void => void (secret.length >= LENGTH_MIN && shown.set(secret, by));
  for (const endpoint of endpoints) {
    const { handle, operation } = endpoint;
    endpoint.handle = async (call) => {
      const reply: Reply = await handle(call);
      eachSecret((endpoint.replies[reply.status] ?? {}) as Schema, reply.body, (secret) => note(secret, operation));
      const fragment = /#\w+=(\w+)/.exec(reply.headers?.location ?? '')?.[1];
      if (fragment) note(fragment, operation);
      return reply;
    };
  }
  return shown;
}

/** Adds the tokens of the links in the mails of the development outbox. */
function noteMailed(outboxDir: string, shown: Shown): void {
  if (!existsSync(outboxDir)) return;
  for (const name of readdirSync(outboxDir).filter((file) => file.endsWith('.eml'))) {
    const mail = readableMail(readFileSync(join(outboxDir, name), 'latin1'));
    for (const [, token] of mail.matchAll(/#token=([0-9A-Za-z]{32})/g)) shown.set(token as string, 'a mailed link');
  }
}

/** The places of the secrets in the bytes. One pass, whatever their number. */
function* occurrences(bytes: Buffer, secrets: Iterable<string>): Generator<{ secret: string; at: number }> {
  const byEnd = new Map<number, Buffer[]>();
  const mayEnd = new Uint8Array(1 << 16);
  for (const secret of secrets) {
    const needle = Buffer.from(secret);
    const end = needle.readUInt32BE(needle.length - 4);
    byEnd.set(end, [...(byEnd.get(end) ?? []), needle]);
    mayEnd[end & 0xffff] = 1;
  }
  let last = 0;
  for (let i = 0; i < bytes.length; i++) {
    last = ((last << 8) | (bytes[i] as number)) >>> 0;
    if (mayEnd[last & 0xffff] === 0) continue;
    for (const needle of byEnd.get(last) ?? []) {
      const at = i + 1 - needle.length;
      if (at >= 0 && bytes.compare(needle, 0, needle.length, at, i + 1) === 0) yield { secret: String(needle), at };
    }
  }
}

const isHexDigit = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 97 && code <= 102);

/** The bytes of the columns that PostgreSQL writes as `\\x…`. A regular expression has no room for those of a large mail. */
function* binaries(text: string): Generator<Buffer> {
  for (let at = text.indexOf('\\x'); at >= 0; at = text.indexOf('\\x', at + 2)) {
    let end = at + 2;
    while (isHexDigit(text.charCodeAt(end))) end += 1;
    yield Buffer.from(text.slice(at + 2, end), 'hex');
  }
}

/** Every row of every table as text, with the bytes of binary columns as they are. */
async function postgresText(url: string): Promise<Buffer> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public' order by 1");
    const parts = rows.map(({ tablename }) => {
      const table = pg.escapeIdentifier(tablename);
      return `select ${pg.escapeLiteral(`${tablename}: `)} || t::text as row from ${table} t`;
    });
    const read = await client.query(parts.join(' union all '));
    const text = read.rows.map(({ row }) => row).join('\n');
    return Buffer.concat([Buffer.from(text), ...binaries(text)]);
  } finally {
    await client.end();
  }
}

/** Throws if a secret that was shown can be read in the database. On SQLite that is the file and its log. */
export async function requireNoSecret({ dataDir, databaseUrl }: Config, shown: Shown): Promise<void> {
  noteMailed(join(dataDir, 'outbox'), shown);
  if (shown.size === 0) return;
  const path = sqlitePath(dataDir);
  const stores =
    databaseUrl === null
      ? [path, `${path}-wal`].filter(existsSync).map((file) => readFileSync(file))
      : [await postgresText(databaseUrl)];
  for (const bytes of stores)
    for (const { secret, at } of occurrences(bytes, shown.keys())) {
      const around = bytes.toString('latin1', Math.max(0, at - 200), at + 100).replace(/[^ -~]+/g, '·');
      throw new Error(`the database holds a secret that ${shown.get(secret)} showed: ${secret} in ${around}`);
    }
}
