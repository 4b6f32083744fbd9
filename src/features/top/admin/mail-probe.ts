import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { withTimeout } from '../../../base/deadline.ts';
import type { DnsResolve, DnsType } from '../../../mail/smtp-out/dns-lookup.ts';
import { greetingOf } from './probe-client.ts';

/** What the doctor asks of mail servers and of the web. No method rejects. */
export interface MailProbe {
  /** What a mail server says first. Null: `fault` says why it says nothing. */
  greeting(host: string): Promise<{ greeting: string | null; fault: string }>;
  /** When the certificate of a mail server ends, milliseconds. Null: `fault` says why it is not valid for `name`. */
  certificate(host: string, name: string): Promise<{ validTo: number | null; fault: string }>;
  /** The result of SPF (RFC 7208) for mail from an address. */
  spf(mail: { ip: string; helo: string; sender: string }): Promise<string>;
  /** The MTA-STS policy of a domain, as others get it. */
  policy(domain: string): Promise<{ mode: string; mx: string[]; fault: string | null }>;
  /** Why the API does not answer at its public address; null: it does. */
  web(baseUrl: string): Promise<string | null>;
}

const PROBE_MS = 8000;

const reasonOf = (err: unknown): string => {
  const { message, cause } = err as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
};

/** `port`: of mail servers, 25. */
export function createMailProbe(resolve: DnsResolve, port = 25): MailProbe {
  const resolver = (name: string, type: string) => resolve(name, type as DnsType) as Promise<string[]>;
  return {
    greeting: (host) =>
      greetingOf(host, port).then(
        (greeting) =>
          greeting.startsWith('220')
            ? { greeting, fault: '' }
            : { greeting: null, fault: greeting === '' ? 'it does not greet' : greeting },
        (err: unknown) => ({ greeting: null, fault: reasonOf(err) }),
      ),
    certificate: (host, name) => certificateOf(host, name, port),
    spf: async ({ ip, helo, sender }) => {
      // Of a package of the older kind, only its whole is there when the service is built.
      const { default: library } = await import('mailauth/lib/spf/index.js');
      try {
        return (await library.spf({ ip, helo, sender, mta: 'localhost', resolver })).status.result;
      } catch {
        return 'temperror';
      }
    },
    policy: async (domain) => {
      const { default: library } = await import('mailauth/lib/mta-sts.js');
      const { policy } = await library.getPolicy(domain, null, { resolver, timeout: PROBE_MS });
      const { mode, mx = [], error } = policy as { mode: string; mx?: string[]; error?: Error };
      return { mode, mx, fault: error ? reasonOf(error) : mode === 'none' ? 'there is no policy' : null };
    },
    web: async (baseUrl) => {
      const limit = { ms: PROBE_MS, late: new Error('no answer') };
      try {
        return await withTimeout(limit, async (signal) => {
          const reply = await fetch(`${baseUrl}/health`, { signal, redirect: 'error' });
          const body = (await reply.json()) as { release?: unknown };
          return typeof body.release === 'string' ? null : 'another program answers';
        });
      } catch (err) {
        return reasonOf(err);
      }
    },
  };
}

async function certificateOf(
  host: string,
  name: string,
  port: number,
): Promise<{ validTo: number | null; fault: string }> {
  let validTo: number | null = null;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    secure: false,
    requireTLS: true,
    connectionTimeout: PROBE_MS,
    greetingTimeout: PROBE_MS,
    socketTimeout: PROBE_MS,
    tls: {
      servername: name,
      // Called only for a certificate whose chain is trusted.
      checkServerIdentity: (_host: string, cert: PeerCertificate) => {
        validTo = Date.parse(cert.valid_to);
        return checkServerIdentity(name, cert);
      },
    },
  });
  try {
    await transport.verify();
    return { validTo, fault: validTo === null ? 'it was not checked' : '' };
  } catch (err) {
    return { validTo: null, fault: reasonOf(err) };
  } finally {
    transport.close();
  }
}
