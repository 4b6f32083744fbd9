import ipaddr from 'ipaddr.js';

/** Removes what a URL adds to a host for the look-up: the brackets of `[::1]` and the dot of `localhost.`. */
export const bareHost = (hostname: string): string =>
  hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

/** RFC 6761 6.3: these names always resolve to loopback. */
export const isLocalName = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost');

/** Whether this host in the service's own base URL marks a development server. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bareHost(hostname);
  return isLocalName(host) || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
