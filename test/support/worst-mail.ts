/** Input that costs a reader of mail most. `npm run test:long -- reading` says how long it may take. */

export const HEAD =
  'From: Eve <eve@out.example>\r\nTo: agent@agents.example\r\nSubject: hi\r\nMessage-ID: <m1@out.example>\r\n';

const nested = (depth: number): string => {
  let text = HEAD;
  for (let i = 0; i < depth; i += 1) text += `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`;
  return `${text}\r\ninnermost`;
};

/** Whole mails, and the problem that is noted; null: none. */
export const HOSTILE_MIME: readonly { name: string; raw: () => string; problem: RegExp | null }[] = [
  { name: '10,000 nested multiparts', raw: () => nested(10_000), problem: /nesting_too_deep/ },
  {
    name: '50,000 parts',
    raw: () =>
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Type: a/b\r\n\r\nx\r\n'.repeat(50_000)}--b--`,
    problem: /too_many_parts,too_many_attachments/,
  },
  {
    name: '2,000,000 parts without headers',
    raw: () => `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n'.repeat(2_000_000)}`,
    problem: /too_many_parts/,
  },
  { name: '8,000,000 lines', raw: () => `${HEAD}\r\n${'x\r\n'.repeat(8_000_000)}`, problem: /too_many_lines/ },
  {
    name: 'a header line of 1 MB',
    raw: () => `X-Big: ${'x'.repeat(1_048_576)}\r\n folded\r\n${HEAD}\r\nbody`,
    problem: /headers_too_large/,
  },
  {
    name: '1 MB of header lines',
    raw: () => `${HEAD}${'X: y\r\n'.repeat(180_000)}\r\nbody`,
    problem: /headers_too_large/,
  },
  {
    name: 'groups nested 2,000 deep',
    raw: () => `To: ${'g:'.repeat(2000)}a@b.example;\r\n${HEAD}\r\nbody`,
    problem: null,
  },
  {
    name: 'groups nested 100,000 deep',
    raw: () => `To: ${'g:'.repeat(100_000)}a@b.example;\r\n${HEAD}\r\nbody`,
    problem: null,
  },
  {
    name: '60,000 addresses',
    raw: () => `To: ${'a@b,'.repeat(60_000)}\r\n${HEAD}\r\nbody`,
    problem: /too_many_addresses/,
  },
  {
    name: '25 MiB of unclosed HTML tags',
    raw: () => `${HEAD}Content-Type: text/html\r\n\r\n${'<a href="'.repeat(2_900_000)}`,
    problem: /html_truncated/,
  },
  {
    name: '25 MiB of base64',
    raw: () =>
      `${HEAD}Content-Type: a/b\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${'QUJD'.repeat(19)}\r\n`.repeat(320_000)}`,
    problem: null,
  },
];

/** 64 KiB of headers. */
export const WORST_HEADS = [
  `To: ${'g:'.repeat(32_000)}`,
  `From: ${'a@b,'.repeat(16_000)}`,
  `From: ${'"'.repeat(60_000)}`,
  `Subject: ${'=?utf-8?q?a?= '.repeat(4600)}`,
  `Subject: ${' '.repeat(60_000)}x`,
  `References: ${'<a@b>'.repeat(12_000)}`,
  `From:${'\r\n a'.repeat(16_000)}`,
  ':\n'.repeat(30_000),
  'a:\n'.repeat(20_000),
  `${'To: a:b:c:d:e:\r\n'.repeat(4000)}`,
  '\0'.repeat(65_536),
];

const LENGTH = 300_000;
const repeated = (units: readonly string[]): string[] =>
  units.map((unit) => unit.repeat(Math.ceil(LENGTH / unit.length)));

export const WORST_HTML = repeated([
  '<a href="',
  "<a x='>",
  '<',
  '<!--',
  '<!',
  '<script>',
  '<a href=x>y',
  '&',
  '&#1',
  '<p',
  '</',
  '<a "',
  '< a',
  '<pre>\n',
  '<a b=\'"',
  '=">',
]);

/** Text that looks like quoted mail. */
export const WORST_QUOTES = repeated([
  'On 5 \n',
  '>\n',
  '\n',
  'On 5 wrote: wrote',
  'From:\n',
  ' ',
  'On a@b wrote:\n\n',
  '-',
  'wrote ',
  '\n\n\n \n',
]);
