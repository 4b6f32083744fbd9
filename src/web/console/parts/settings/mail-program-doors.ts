/** Where mail programs connect: what the service publishes about it, and the profile that configures Apple's programs. */

/** A door of the service for mail programs. `plain` leads to this machine only. */
export interface Door {
  host: string;
  port: number;
  security: 'SSL' | 'STARTTLS' | 'plain';
}

/** Null: the service does not have it. */
export interface Doors {
  imap: Door | null;
  submission: Door | null;
}

const DOCUMENT = '/.well-known/autoconfig/mail/config-v1.1.xml';

/** Read by patterns: a parser of XML would be a sink that the policy of the page forbids. The service writes no escapes. */
function doorIn(text: string, tag: string): Door | null {
  const [, server] = new RegExp(`<${tag} [^>]*>([\\s\\S]*?)</${tag}>`).exec(text) ?? [];
  if (server === undefined) return null;
  const of = (name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(server)?.[1] ?? '';
  return { host: of('hostname'), port: Number(of('port')), security: of('socketType') as Door['security'] };
}

/** @throws with a text for people when the service does not say it */
export async function readDoors(): Promise<Doors> {
  const reply = await fetch(DOCUMENT);
  if (reply.status === 404) return { imap: null, submission: null };
  if (!reply.ok) throw new Error('The service did not say where mail programs connect.');
  const text = await reply.text();
  return { imap: doorIn(text, 'incomingServer'), submission: doorIn(text, 'outgoingServer') };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

type Value = string | number | boolean;

const plistValue = (value: Value): string => {
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  return typeof value === 'number' ? `<integer>${value}</integer>` : `<string>${escaped(value)}</string>`;
};

const entries = (of: Readonly<Record<string, Value>>, indent: string): string =>
  Object.entries(of)
    .map(([key, value]) => `${indent}<key>${key}</key>${plistValue(value)}\n`)
    .join('');

/** Not `randomUUID`: browsers have that on HTTPS and localhost alone. */
function newUuid(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
    .join('-')
    .toUpperCase();
}

const account = (side: 'Incoming' | 'Outgoing', { host, port, security }: Door, address: string) => ({
  [`${side}MailServerAuthentication`]: 'EmailAuthPassword',
  [`${side}MailServerHostName`]: host,
  [`${side}MailServerPortNumber`]: port,
  [`${side}MailServerUseSSL`]: security !== 'plain',
  [`${side}MailServerUsername`]: address,
});

/**
 * A configuration profile for an iPhone, iPad or Mac (`com.apple.mail.managed`). It has no password: the device asks for it,
 * and a file that lies about gives nothing away.
 */
export function appleProfile(address: string, imap: Door, submission: Door): string {
  const identifier = `signet.mail.${address}`;
  const mail = {
    EmailAccountDescription: address,
    EmailAccountType: 'EmailTypeIMAP',
    EmailAddress: address,
    ...account('Incoming', imap, address),
    ...account('Outgoing', submission, address),
    OutgoingPasswordSameAsIncomingPassword: true,
    PayloadDisplayName: address,
    PayloadIdentifier: `${identifier}.account`,
    PayloadType: 'com.apple.mail.managed',
    PayloadUUID: newUuid(),
    PayloadVersion: 1,
  };
  const whole = {
    PayloadDisplayName: `Mail of ${address}`,
    PayloadIdentifier: identifier,
    PayloadType: 'Configuration',
    PayloadUUID: newUuid(),
    PayloadVersion: 1,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array>
    <dict>
${entries(mail, '      ')}    </dict>
  </array>
${entries(whole, '  ')}</dict>
</plist>
`;
}
