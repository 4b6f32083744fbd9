import { bareHost, isLoopbackHost } from '../../base/loopback-host.ts';

/** The host name in a `Host` header, without the port. Null: it is not one. */
function hostName(header: string): string | null {
  const url = `http://${header}`;
  if (/[/?#@\s]/.test(header) || !URL.canParse(url)) return null;
  return new URL(url).hostname;
}

/**
 * Whether a request may come from here. A page of another site cannot read replies, but a browser would send its
 * requests, and with a name that it points at this machine it could read them too (DNS rebinding). Programs send no
 * `Origin`.
 * @param own the base URL of the service @param listening the address that it listens on
 */
export function mayCall(
  own: string,
  listening: string,
  { host, origin }: { host: string | undefined; origin: string | undefined },
): boolean {
  const { hostname, origin: ownOrigin } = new URL(own);
  const isOwn = (name: string): boolean =>
    name === hostname || bareHost(name) === bareHost(listening) || isLoopbackHost(name);
  const name = hostName(host ?? '');
  if (name === null || !isOwn(name)) return false;
  if (origin === undefined || origin === ownOrigin) return true;
  return isLoopbackHost(hostname) && URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname);
}
