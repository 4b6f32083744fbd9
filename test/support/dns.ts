import type { DnsResolve } from '../../src/mail/smtp-out/dns-lookup.ts';

export interface TestDns {
  resolve: DnsResolve;
  /** Adds a record to a name. */
  set(type: string, name: string, value: string): void;
  clear(type: string, name: string): void;
  /** While true, no query gets an answer. */
  down: boolean;
}

/** A DNS that the test controls. */
export function createTestDns(): TestDns {
  const records = new Map<string, string[]>();
  const at = (type: string, name: string): string => `${type} ${name}`;
  const dns: TestDns = {
    down: false,
    resolve: async (name, type) => {
      if (dns.down) throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
      const found = records.get(at(type, name));
      if (!found) throw Object.assign(new Error('nothing there'), { code: 'ENODATA' });
      // `5 mx.example` has a priority of its own.
      if (type === 'MX')
        return found.map((text) => ({
          exchange: text.split(' ').at(-1),
          priority: text.includes(' ') ? parseInt(text, 10) : 10,
        }));
      if (type === 'SRV')
        return found.map((text) => {
          const [, , port, name] = text.split(' ');
          return { name, port: Number(port) };
        });
      // A long text is split into strings of 255 bytes.
      return type === 'TXT' ? found.map((text) => text.match(/.{1,255}/g) ?? []) : found;
    },
    set: (type, name, value) => void records.set(at(type, name), [...(records.get(at(type, name)) ?? []), value]),
    clear: (type, name) => void records.delete(at(type, name)),
  };
  return dns;
}

interface StackLike {
  records: { type: string; name: string; value: string }[];
}

/** Sets up the records that the owner of a domain has to set. */
export function publish(dns: TestDns, { records }: StackLike): void {
  for (const { type, name, value } of records) dns.set(type, name, value);
}
