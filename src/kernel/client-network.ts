import ipaddr from 'ipaddr.js';

/**
 * Returns the part of a client's address that limits count by: the whole of an IPv4 address (also of an IPv4-mapped
 * IPv6 address), or the /64 of an IPv6 address, because one household or server usually has a whole /64.
 */
export function clientNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}
