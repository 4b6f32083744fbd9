import ipaddr from 'ipaddr.js';

/**
 * The part of a client's address that limits are counted by: an IPv4 address as it is (also when written as
 * IPv4-mapped IPv6), an IPv6 address by its /64, because one household or server holds all of that.
 */
export function clientNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}
