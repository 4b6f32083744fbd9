import { APPEND_BYTES } from '../imap-context.ts';

const BEFORE_LOGIN = ['AUTH=PLAIN', 'AUTH=OAUTHBEARER', 'AUTH=XOAUTH2', 'SASL-IR'];
const ALWAYS = ['IMAP4rev1', 'IMAP4rev2', 'LITERAL-', 'ID', 'ENABLE'];
const CAPABILITIES = [
  ...['IDLE', 'UIDPLUS', 'MOVE', 'SPECIAL-USE', 'LIST-EXTENDED', 'LIST-STATUS', 'STATUS=SIZE', 'ESEARCH', 'SEARCHRES'],
  ...['CONDSTORE', 'QRESYNC', 'NAMESPACE', 'UNSELECT', 'CHILDREN', 'BINARY', `APPENDLIMIT=${APPEND_BYTES}`],
  ...['OBJECTID', 'PREVIEW'],
];

/** What the server can, in the state of the connection (RFC 9051 7.2.2). */
export function capabilitiesText(at: { loggedIn: boolean; mayEncrypt: boolean; mayLogIn: boolean }): string {
  if (at.loggedIn) return [...ALWAYS, ...CAPABILITIES].join(' ');
  const starttls = at.mayEncrypt ? ['STARTTLS'] : [];
  return [...ALWAYS, ...starttls, ...(at.mayLogIn ? BEFORE_LOGIN : ['LOGINDISABLED']), ...CAPABILITIES].join(' ');
}
