import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { bareHost, isLocalName } from './loopback-host.ts';

/** Finds every address of a host name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** Which hosts a webhook may reach. */
export interface WebhookGuard {
  /** True when the host of a URL (a name or an IP literal) is plainly not on the public internet. */
  refusesHost(hostname: string): boolean;
  /** For `net.connect`: resolves, and returns addresses only if all of them are allowed. */
  lookup: LookupFunction;
}

/** The host is, or resolves to, an address that webhooks must not reach. */
export class RefusedHostError extends Error {}

/** Answers from inside Azure's virtual networks although its range is a public one. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/** True for an address of the public internet: not private, loopback, link-local, metadata, multicast, transition or reserved. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  // IPv4-mapped IPv6 is looked at as the IPv4 address it reaches. Transition ranges (NAT64, 6to4, Teredo) hold an IPv4
  // address too, and are separate ranges, so they are not `unicast`.
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast' || address.toString() === AZURE_WIRE_SERVER) return false;
  // Of IPv6 only 2000::/3 has been given out (RFC 4291 2.4, IANA's registry).
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3);
}

const DNS_TIMEOUT_MS = 3000;

/**
 * Asks the name servers directly. The system's own look-up runs on the process's four worker threads, which a few names
 * whose servers never answer would hold; and it reads the hosts file, whose names are not for strangers to reach.
 */
function createPublicResolver(): Resolve {
  const resolver = new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}

/** The system's look-up, hosts file included. */
const resolveBySystem: Resolve = (hostname) => dns.lookup(hostname, { all: true, verbatim: true });

const asLookup =
  (resolve: Resolve, admit: (addresses: readonly LookupAddress[]) => void): LookupFunction =>
  (hostname, { all }, callback) => {
    resolve(hostname)
      .then((addresses) => {
        const [first] = addresses;
        if (!first) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
        admit(addresses);
        return { addresses, first };
      })
      .then(
        ({ addresses, first }) => (all ? callback(null, addresses) : callback(null, first.address, first.family)),
        (err: NodeJS.ErrnoException) => callback(err, ''),
      );
  };

/** Allows every address: a development server's webhooks are on the same machine. */
export const openGuard = (resolve: Resolve = resolveBySystem): WebhookGuard => ({
  refusesHost: () => false,
  lookup: asLookup(resolve, () => {}),
});

/**
 * Allows only public addresses. The check runs at each connection, on the address that is connected to, so that a name
 * cannot change to another address after the check (DNS rebinding).
 */
export const publicGuard = (resolve: Resolve = createPublicResolver()): WebhookGuard => ({
  refusesHost: (hostname) => {
    const host = bareHost(hostname);
    return isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  },
  lookup: asLookup(resolve, (addresses) => {
    if (!addresses.every(({ address }) => isPublicAddress(address))) throw new RefusedHostError();
  }),
});
