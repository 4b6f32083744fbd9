import ipaddr from 'ipaddr.js';

/** `[::1]` and `localhost.` as they are looked up. */
export const bareHost = (hostname: string): string =>
  hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

/** RFC 6761 6.3: these names are loopback wherever they are resolved. */
export const isLocalName = (hostname: string): boolean => hostname === 'localhost' || hostname.endsWith('.localhost');

/** Whether this host, of the service's own base URL, marks a development server. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bareHost(hostname);
  return isLocalName(host) || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
