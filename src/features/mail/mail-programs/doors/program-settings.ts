/** What a mail program needs to know of the doors, to connect. */

/** A door as a client configures it: `SSL` is TLS from the first byte. `plain` only leads to this machine. */
export interface DoorSettings {
  hostname: string;
  port: number;
  socketType: 'SSL' | 'STARTTLS' | 'plain';
}

/** The ports of the listeners, where there are any. */
export interface OpenDoors {
  imap: number | null;
  imaps: number | null;
  submission: number | null;
  submissions: number | null;
}

interface DoorFacts {
  mailHost: string;
  development: boolean;
  hasCertificate: boolean;
}

function doorOf(facts: DoorFacts, plain: number | null, overTls: number | null): DoorSettings | null {
  const { mailHost: hostname, development, hasCertificate } = facts;
  if (overTls !== null) return { hostname, port: overTls, socketType: 'SSL' };
  if (plain === null) return null;
  if (hasCertificate) return { hostname, port: plain, socketType: 'STARTTLS' };
  return development ? { hostname: '127.0.0.1', port: plain, socketType: 'plain' } : null;
}

/** The doors that take a login, each by its best way. Null: there is none. */
export const doorsOf = (
  facts: DoorFacts,
  { imap, imaps, submission, submissions }: OpenDoors,
): { imap: DoorSettings | null; smtp: DoorSettings | null } => ({
  imap: doorOf(facts, imap, imaps),
  smtp: doorOf(facts, submission, submissions),
});

const server = (tag: 'incomingServer' | 'outgoingServer', type: string, door: DoorSettings | null): string =>
  door === null
    ? ''
    : `    <${tag} type="${type}">
      <hostname>${door.hostname}</hostname>
      <port>${door.port}</port>
      <socketType>${door.socketType}</socketType>
      <username>%EMAILADDRESS%</username>
      <authentication>password-cleartext</authentication>
    </${tag}>
`;

/** The document from which mail programs configure themselves (draft-ietf-mailmaint-autoconfig). Names need no escapes. */
export const autoconfigText = (
  mailDomain: string,
  { imap, smtp }: { imap: DoorSettings | null; smtp: DoorSettings | null },
): string => `<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1">
  <emailProvider id="${mailDomain}">
    <domain>${mailDomain}</domain>
    <displayName>Signet</displayName>
    <displayShortName>Signet</displayShortName>
${server('incomingServer', 'imap', imap)}${server('outgoingServer', 'smtp', smtp)}  </emailProvider>
</clientConfig>
`;
