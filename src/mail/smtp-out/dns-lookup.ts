import { Resolver } from 'node:dns/promises';
import { within } from '../../base/deadline.ts';

export type DnsType = 'A' | 'AAAA' | 'MX' | 'NS' | 'PTR' | 'SRV' | 'TXT';

/** Like `resolve` of `node:dns/promises`: rejects with codes such as `ENOTFOUND`. */
export type DnsResolve = (name: string, type: DnsType) => Promise<unknown[]>;

/** Each record as text: of a TXT its strings joined, of an MX its host, of an SRV its port and host. Null: no server answered. */
export type DnsLookup = (name: string, type: DnsType) => Promise<string[] | null>;

const DEADLINE_MS = 5000;
/** Further records of a name are ignored. */
const RECORDS_MAX = 100;
/** The name does not exist, or has no record of this type. That is an answer, not a failure. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);

const hostOf = (text: string): string => text.toLowerCase().replace(/\.$/, '');

function textOf(record: unknown): string {
  if (typeof record === 'string') return hostOf(record);
  if (Array.isArray(record)) return record.join('');
  const { exchange, name, port } = (record ?? {}) as { exchange?: unknown; name?: unknown; port?: unknown };
  return name === undefined ? hostOf(String(exchange ?? '')) : `${port} ${hostOf(String(name))}`;
}

/** Asks these servers, `address` or `address:port`; null: those of the system. */
export function createResolve(servers: readonly string[] | null): DnsResolve {
  const dns = new Resolver({ timeout: 2000, tries: 2 });
  if (servers !== null) dns.setServers(servers);
  return (name, type) => dns.resolve(name, type) as Promise<unknown[]>;
}

/** Look-ups that never reject and end within five seconds. */
export function createDnsLookup(resolve: DnsResolve): DnsLookup {
  return async (name, type) => {
    const answer = resolve(name, type).then(
      (records) => records.slice(0, RECORDS_MAX).map(textOf),
      (err: NodeJS.ErrnoException) => (NOTHING.has(err.code ?? '') ? [] : null),
    );
    return within(DEADLINE_MS, answer, () => null);
  };
}
