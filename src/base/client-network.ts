import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A part of a client's address that limits count by. */
export interface ClientNetwork {
  /** As `2001:db8:0:1::/64`, or the keyed hash of that. */
  name: string;
  /** How many times the limit of the smallest network it has. */
  times: number;
}

/** The networks of a client, the smallest first. */
export type ClientNetworks = readonly [ClientNetwork, ...ClientNetwork[]];

/** An IPv6 /48 has 65,536 networks of /64, and costs no more than one. */
const TIMES_OF_A_SITE = 12;

/** An IPv4 address as it is, or as a socket for both families writes it. Null for any other text. */
function ipv4Of(ip: string): string | null {
  const plain = ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : ip;
  return isIPv4(plain) ? plain : null;
}

/**
 * Returns the networks of a client's address: the whole of an IPv4 address (also of an IPv4-mapped IPv6 address), or the
 * /64 of an IPv6 address, because one household or server usually has a whole /64, and its /48.
 * @param hash hashes their names
 */
export function clientNetworks(ip: string, hash = (name: string): string => name): ClientNetworks {
  const plain = ipv4Of(ip);
  if (plain !== null) return [{ name: hash(plain), times: 1 }];
  if (!ipaddr.isValid(ip)) return [{ name: hash('unknown'), times: 1 }];
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return [{ name: hash(address.toString()), times: 1 }];
  const groups = (address as ipaddr.IPv6).parts.map((part) => part.toString(16));
  return [
    { name: hash(`${groups.slice(0, 4).join(':')}::/64`), times: 1 },
    { name: hash(`${groups.slice(0, 3).join(':')}::/48`), times: TIMES_OF_A_SITE },
  ];
}

/**
 * The network of a client's address that people may see, `203.0.113.0/24` or `2001:db8:1::/48`: it says from where, and not
 * from whom.
 */
export function networkOf(ip: string): string | null {
  // For nearly every call: to parse an address takes thirty calls of functions.
  const plain = ipv4Of(ip);
  if (plain !== null) return `${plain.slice(0, plain.lastIndexOf('.'))}.0/24`;
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return `${(address as ipaddr.IPv4).octets.slice(0, 3).join('.')}.0/24`;
  const groups = (address as ipaddr.IPv6).parts.slice(0, 3).map((part) => part.toString(16));
  return `${groups.join(':')}::/48`;
}

/** Returns the smallest network of a client's address. */
export const clientNetwork = (ip: string): string => clientNetworks(ip)[0].name;
