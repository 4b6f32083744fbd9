/** Mails made to harm their reader, as the bytes after DATA without the end mark. Latin-1: a character is a byte. */
export interface HostileMail {
  what: string;
  raw(): string;
  /** What the API reports about it: problems by name, null for none. */
  problem: RegExp | null;
  /** As the API shows it; by default the subject that all of these have. */
  subject?: string;
}

const HEAD = 'From: Eve <eve@out.example>\r\nTo: agent@agents.localhost\r\nMessage-ID: <m1@out.example>\r\n';
const SUBJECT = 'Subject: hi\r\n';
const TOP = `${HEAD}${SUBJECT}`;

const mixed = (parts: string): string => `${TOP}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--`;
const attached = (headers: string): string => mixed(`--b\r\nContent-Type: a/b\r\n${headers}\r\n\r\nx\r\n`);

const nested = (depth: number): string => {
  let text = TOP;
  for (let i = 0; i < depth; i += 1) text += `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`;
  return `${text}\r\ninnermost`;
};

const numbered = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('');

/** The same bytes on every run. */
const garbage = (length: number, seed: number): string => {
  let state = seed;
  let text = '';
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    text += String.fromCharCode((state >> 16) & 255);
  }
  return text;
};

export const HOSTILE_MAILS: readonly HostileMail[] = [
  {
    what: 'address groups 2,000 deep',
    raw: () => `To: ${'g:'.repeat(2000)}a@b.example;\r\n${TOP}\r\nx`,
    problem: null,
  },
  {
    what: 'address groups 100,000 deep',
    raw: () => `To: ${'g:'.repeat(100_000)}a@b.example;\r\n${TOP}\r\nx`,
    problem: null,
  },
  { what: 'comments 100,000 deep', raw: () => `Cc: ${'('.repeat(100_000)}a@b.example\r\n${TOP}\r\nx`, problem: null },
  { what: '60,000 addresses', raw: () => `Cc: ${'a@b,'.repeat(60_000)}\r\n${TOP}\r\nx`, problem: /too_many_addresses/ },
  {
    what: '50,000 MIME parts',
    raw: () => mixed('--b\r\nContent-Type: a/b\r\n\r\nx\r\n'.repeat(50_000)),
    problem: /too_many_parts,too_many_attachments/,
  },
  { what: 'multiparts nested 10,000 deep', raw: () => nested(10_000), problem: /nesting_too_deep/ },
  {
    what: 'messages in messages 2,000 deep',
    raw: () => `${TOP}${'Content-Type: message/rfc822\r\n\r\n'.repeat(2000)}\r\nx`,
    problem: null,
  },
  {
    what: 'a file name in 10,000 pieces (RFC 2231)',
    raw: () => attached(`Content-Disposition: attachment;${numbered(10_000, (n) => `\r\n filename*${n}*=%41%42`)}`),
    problem: null,
  },
  {
    what: 'a file name with a piece numbered a billion',
    raw: () => attached("Content-Disposition: attachment;\r\n filename*0*=utf-8''a;\r\n filename*999999999*=%41"),
    problem: null,
  },
  {
    what: 'names that expand: encoded words of base64 and quoted-printable, 200 KB of them',
    raw: () =>
      `From: ${'=?utf-8?b?QUFBQUFBQUFB?= =?utf-8?q?=41=41?= '.repeat(4000)}<eve@out.example>\r\n${SUBJECT}\r\nx`,
    problem: null,
  },
  {
    what: 'a subject of 20,000 encoded words in ten charsets',
    raw: () =>
      `${HEAD}Subject: ${numbered(20_000, (n) => `=?iso-8859-${(n % 10) + 1}?q?=${(160 + (n % 90)).toString(16)}?= `)}\r\n\r\nx`,
    problem: /subject_truncated|headers_too_large/,
    subject: '',
  },
  {
    what: 'one character that becomes many (U+FDFA), a hundred thousand times',
    raw: () => `${TOP}Content-Type: text/plain; charset=utf-8\r\n\r\n${'\u00ef\u00b7\u00ba'.repeat(100_000)}`,
    problem: null,
  },
  {
    what: 'a gzip of nothing, attached: it stays as small as it came',
    raw: () =>
      mixed(
        '--b\r\nContent-Type: application/gzip\r\nContent-Encoding: gzip\r\nContent-Transfer-Encoding: base64\r\n\r\nH4sIAAAAAAAAA+3BAQ0AAADCoPdPbQ43oAAAAAAAAAAAAAAAAA==\r\n',
      ),
    problem: null,
  },
  {
    what: 'a header line of 1 MB',
    raw: () => `X-Big: ${'x'.repeat(1_048_576)}\r\n${TOP}\r\nx`,
    problem: /headers_too_large/,
  },
  { what: '1 MB of header lines', raw: () => `${TOP}${'X: y\r\n'.repeat(180_000)}\r\nx`, problem: /headers_too_large/ },
  { what: 'a body line of 1 MB', raw: () => `${TOP}\r\n${'x'.repeat(1_048_000)}`, problem: null },
  { what: 'a megabyte of empty lines', raw: () => `${TOP}\r\n${'\r\n'.repeat(490_000)}`, problem: null },
  { what: 'more lines than are read', raw: () => `${TOP}\r\n${'\r\n'.repeat(501_000)}`, problem: /too_many_lines/ },
  {
    what: 'a thousand header parameters and a boundary of 70,000 characters',
    raw: () =>
      `${TOP}Content-Type: multipart/mixed;${' a=b;'.repeat(1000)} boundary="${'b'.repeat(70_000)}"\r\n\r\n--b\r\n\r\nx`,
    problem: null,
  },
  {
    what: 'soft line breaks without end',
    raw: () => `${TOP}Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=\r\n'.repeat(300_000)}`,
    problem: null,
  },
  {
    what: 'HTML of 200,000 unclosed tags',
    raw: () => `${TOP}Content-Type: text/html\r\n\r\n${'<div><a href="'.repeat(100_000)}`,
    problem: /html_truncated|^$/,
  },
  {
    what: '50,000 references',
    raw: () => `References: ${'<a@b> <c@d>\r\n '.repeat(15_000)}\r\n${TOP}\r\nx`,
    problem: null,
  },
  {
    what: '40,000 different references',
    raw: () => `References:${numbered(10_000, (n) => ` <${n}@x.example>`)}\r\n${TOP}\r\nx`,
    problem: /too_many_references/,
  },
  { what: 'bare line feeds alone', raw: () => `${TOP}\r\nx`.replaceAll('\r\n', '\n'), problem: null },
  {
    what: 'bare carriage returns alone',
    raw: () => `${TOP}\r\nx`.replaceAll('\r\n', '\r'),
    problem: null,
    subject: '',
  },
  {
    what: 'NUL in headers, names, boundaries and the body',
    raw: () =>
      `From: "E\0ve" <eve@out.example>\r\n${SUBJECT}Content-Type: multipart/mixed; boundary="b\0c"\r\n\r\n--b\0c\r\nContent-Disposition: attachment; filename="a\0.exe"\r\n\r\n\0\0x\r\n--b\0c--`,
    problem: null,
  },
  { what: '64 KB of NUL', raw: () => '\0'.repeat(65_536), problem: null, subject: '' },
  {
    what: '64 KB of bytes without sense',
    raw: () => garbage(65_536, 7).replaceAll('\r\n.', '\r\n'),
    problem: null,
    subject: '',
  },
  {
    what: 'bytes without sense behind a whole header',
    raw: () => `${TOP}X-Junk: ${garbage(500, 11).replace(/[\r\n]/g, '')}\r\n\r\n${garbage(20_000, 13)}`,
    problem: null,
  },
  {
    what: 'unknown charsets',
    raw: () =>
      mixed(
        ['x-none', '../../etc/passwd', '\xff\xfe', 'utf-7', 'utf-16', '', 'iso-2022-kr']
          .map((charset) => `--b\r\nContent-Type: text/plain; charset="${charset}"\r\n\r\n+AGE-\xe4\x00\x1b$)C\r\n`)
          .join(''),
      ),
    problem: null,
  },
  {
    what: 'a date and an id of 100,000 characters',
    raw: () => `Date: ${'('.repeat(100_000)}\r\n${TOP}\r\nx`,
    problem: null,
  },
  { what: 'no header at all', raw: () => 'x', problem: null, subject: '' },
  { what: 'nothing at all', raw: () => '', problem: null, subject: '' },
  { what: 'lines of dots', raw: () => `${TOP}\r\n${'.\r\n..\r\n'.repeat(50_000)}`, problem: null },
];
