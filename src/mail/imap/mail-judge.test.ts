import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { HOSTILE_MAILS } from '../../../test/corpus/hostile-mails.ts';
import { composeMail } from '../mime/compose.ts';
import type { ImapAddress, ImapPart } from './imap-store.ts';
import { outlineOf } from './mail-outline.ts';
import { decodedPart } from './mail-section.ts';

const PYTHON = '/usr/bin/python3';

/** What Python's `email` says of each mail; null where it finds a defect, and `odd` where one is in a header. */
const JUDGE = `
import base64, email, email.policy, hashlib, json, sys
def tree(part):
    kids = part.get_payload() if part.is_multipart() else []
    leaf = None if part.is_multipart() else hashlib.sha256(part.get_payload(decode=True) or b'').hexdigest()
    return [part.get_content_type(), part.get_filename() and str(part.get_filename()), leaf, [tree(kid) for kid in kids]]
def people(mail, name):
    found = mail.get_all(name, [])
    return [[a.display_name or None, a.username, a.domain] for each in found for a in each.addresses]
def judge(raw):
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    if any(part.defects for part in mail.walk()): return None
    subject = mail['subject']
    return {'odd': any(h.defects for part in mail.walk() for h in part.values()), 'tree': tree(mail), 'subject': subject and str(subject).strip(),
            'people': [people(mail, name) for name in ('from', 'to', 'cc')]}
def safely(raw):
    try: return judge(raw)
    except Exception: return None
print(json.dumps([safely(base64.b64decode(line)) for line in sys.stdin.read().split()]))
`;

const crlf = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'));

const base = { from: { address: 'ann@x.example', name: 'Ann' }, to: ['bob@y.example'], messageId: '<m@x.example>' };
const at = { date: new Date(Date.UTC(2026, 0, 31, 12)) };
const file = (filename: string, contentType: string, text: string) => ({
  filename,
  contentType,
  content: Buffer.from(text),
});
const COMPOSED = await Promise.all([
  composeMail({ ...base, ...at, subject: 'plain', text: 'hello' }),
  composeMail({
    ...base,
    ...at,
    subject: 'Grüße, ein längerer Betreff als in eine Zeile passt',
    text: 'ä'.repeat(400),
  }),
  composeMail({
    ...base,
    ...at,
    subject: 'two',
    text: 'one',
    html: '<p>one €</p>',
    cc: ['c@z.example', 'd@z.example'],
  }),
  composeMail({
    ...base,
    ...at,
    subject: 'files',
    text: 'see',
    attachments: [
      file('Übersicht der Ausgaben im vergangenen Jahr, mit Anlagen.pdf', 'application/pdf', 'x'.repeat(500)),
      file('a "b".txt', 'text/plain', 'two\nlines'),
      file('mail.eml', 'message/rfc822', 'Subject: inner\r\n\r\ninner text'),
    ],
  }),
]);
const WRITTEN = [
  crlf(`From: "Doe, Ann" <ann@x.example>\nTo: Team: b@y.example, C <c@y.example>;\nSubject: =?utf-8?Q?a_?=
 =?utf-8?Q?b?= c\nContent-Type: multipart/related; boundary="=_x"\n\npreamble\n--=_x\nContent-Type: text/html\n\n<b>1</b>

--=_x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--=_x--\nepilogue\n`),
  crlf(`From: a@x.example\nSubject: quoted\nContent-Transfer-Encoding: quoted-printable\n\na=3Db soft=\nline =C3=A9\n`),
  crlf(`From: a@x.example\nContent-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/alternative; boundary=oi

--oi\n\nnested one\n--oi\nContent-Type: text/html\n\n<i>two</i>\n--oi--\n\n--o\nContent-Type: message/rfc822

From: b@x.example\nContent-Type: multipart/mixed; boundary=in\n\n--in\n\ndeep\n--in--\n\n--o--\n`),
  Buffer.from(
    'From: a@x.example\nSubject: bare\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n',
  ),
];

/** What Python would say, from our outline. */
function told(bytes: Buffer) {
  const { envelope, body } = outlineOf(bytes);
  const tree = async (part: ImapPart): Promise<unknown> => {
    const { type, subtype, params, disposition, parts, message } = part;
    const named = [disposition?.params, params].map(
      (list) => list?.find(([name]) => /^(?:file)?name$/.test(name))?.[1],
    );
    const kids = message ? [message.body] : parts;
    const leaf = kids.length > 0 ? null : Buffer.from(decodedPart(bytes, part) ?? []);
    return [
      `${type}/${subtype}`,
      named[0] ?? named[1] ?? null,
      leaf && Buffer.from(await crypto.subtle.digest('SHA-256', leaf)).toString('hex'),
      await Promise.all(kids.map(tree)),
    ];
  };
  const people = (list: readonly ImapAddress[]) =>
    list.filter(({ host }) => host !== null).map(({ name, mailbox, host }) => [name, mailbox, host]);
  return tree(body).then((whole) => ({
    tree: whole,
    subject: envelope.subject,
    people: [people(envelope.from), people(envelope.to), people(envelope.cc)],
  }));
}

describe("the outline beside Python's email", { skip: !existsSync(PYTHON) }, () => {
  const judged = (mails: readonly Buffer[]): ({ odd: boolean } | null)[] => {
    const input = mails.map((mail) => mail.toString('base64')).join('\n');
    const { stdout, stderr, status } = spawnSync(PYTHON, ['-c', JUDGE], { input, maxBuffer: 100_000_000 });
    assert.equal(status, 0, String(stderr));
    return JSON.parse(String(stdout));
  };

  it('agrees on types, names, contents, subjects and addresses of well-formed mails', async () => {
    const mails = [...COMPOSED, ...WRITTEN];
    for (const [i, verdict] of judged(mails).entries()) {
      assert.notEqual(verdict, null, `mail ${i} has a defect`);
      assert.deepEqual({ ...(await told(mails[i] as Buffer)), odd: verdict?.odd }, verdict, `mail ${i}`);
    }
  });

  it('agrees on hostile mails in which it finds no defect', async () => {
    // Python ends a line at a CR alone.
    const texts = HOSTILE_MAILS.map(({ raw }) => raw()).filter((raw) => raw.length < 100_000 && !/\r(?!\n)/.test(raw));
    const mails = texts.map((raw) => Buffer.from(raw, 'latin1'));
    let agreed = 0;
    for (const [i, verdict] of judged(mails).entries()) {
      const ours = await told(mails[i] as Buffer);
      if (verdict === null || verdict.odd) continue;
      agreed += 1;
      assert.deepEqual({ ...ours, odd: false }, verdict, (mails[i] as Buffer).toString('latin1', 0, 400));
    }
    assert.ok(agreed > 0);
  });
});
