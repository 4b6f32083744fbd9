import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { receivedHeader } from '../smtp-in/smtp-trace.ts';
import { createDkimSigner } from '../smtp-out/dkim.ts';
import { createSenderAuth } from './sender-auth-check.ts';
import type { SenderAuthResults } from './sender-auth-result.ts';

const OUTSIDE = '203.0.113.9';
const pair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const [own, foreign] = [pair(), pair()];
const record = ({ publicKey }: { publicKey: string }) =>
  `v=DKIM1; k=rsa; p=${publicKey.replace(/-----[^-]+-----|\s/g, '')}`;

type Records = Record<string, string>;
/** A DNS of TXT records; everything else does not exist. Keeps what was asked. */
function dns(records: Records) {
  const asked: string[] = [];
  const resolve = async (name: string, type: string): Promise<string[][]> => {
    asked.push(`${type} ${name}`);
    const text = type === 'TXT' ? records[name.toLowerCase()] : undefined;
    if (text === undefined) throw Object.assign(new Error(`query ${name}`), { code: 'ENOTFOUND' });
    return [text.match(/.{1,200}/g) ?? []];
  };
  return { asked, resolve };
}

interface Mail {
  from?: string;
  /** Further header lines. */
  head?: string;
  sign?: { domain: string; privateKey: string };
  body?: string;
  ip?: string;
  helo?: string;
  tamper?: (raw: string) => string;
}

async function rawOf({ from = 'Ada <ada@example.com>', head = '', sign, body = 'hello\r\n', ...rest }: Mail) {
  const text = `From: ${from}\r\nTo: bob@agents.example\r\nSubject: hi\r\n${head}\r\n${body}`;
  const privateKey = sign?.privateKey ?? '';
  const signed = sign
    ? await createDkimSigner({ domainName: sign.domain, keySelector: 'sel', privateKey })(Buffer.from(text))
    : Buffer.from(text);
  const sent = Buffer.from((rest.tamper ?? ((raw) => raw))(signed.toString('latin1')), 'latin1');
  const header = receivedHeader({
    helo: rest.helo ?? 'mx.example.com',
    remoteAddress: rest.ip ?? OUTSIDE,
    hostname: 'agents.example',
    esmtp: true,
    tls: false,
    smtpUtf8: false,
    id: 'x.1',
    recipients: ['bob@agents.example'],
    date: new Date(0),
  });
  return Buffer.concat([header, sent]);
}

/** One for all tests: a thread takes a moment to start. */
let published: Records = {};
const shared = createSenderAuth({ resolve: (name, type) => dns(published).resolve(name, type) });

async function check(mail: Mail, records: Records, envelopeFrom = 'ada@example.com'): Promise<SenderAuthResults> {
  published = records;
  return shared(await rawOf(mail), envelopeFrom);
}

const SPF = { 'example.com': `v=spf1 ip4:${OUTSIDE} -all` };
const KEY = { 'sel._domainkey.example.com': record(own) };
const DMARC = { '_dmarc.example.com': 'v=DMARC1; p=reject' };
const SIGNED = { domain: 'example.com', privateKey: own.privateKey };
const FORGED = { domain: 'example.com', privateKey: foreign.privateKey };

const CASES: readonly [
  what: string,
  mail: Mail,
  records: Records,
  envelopeFrom: string,
  expected: SenderAuthResults,
][] = [
  [
    'everything in order',
    { sign: SIGNED },
    { ...SPF, ...KEY, ...DMARC },
    'ada@example.com',
    { spf: 'pass', dkim: 'pass', dmarc: 'pass', provenDomain: 'example.com' },
  ],
  [
    'a domain that publishes nothing',
    {},
    {},
    'ada@example.com',
    { spf: 'none', dkim: 'none', dmarc: 'none', provenDomain: null },
  ],
  [
    'a server that SPF does not name, with a policy',
    { ip: '198.51.100.7' },
    { ...SPF, ...DMARC },
    'ada@example.com',
    { spf: 'fail', dkim: 'none', dmarc: 'fail', provenDomain: null },
  ],
  [
    'a soft SPF failure',
    { ip: '198.51.100.7' },
    { 'example.com': 'v=spf1 ~all' },
    'ada@example.com',
    { spf: 'softfail', dkim: 'none', dmarc: 'none', provenDomain: null },
  ],
  [
    'a neutral SPF',
    {},
    { 'example.com': 'v=spf1 ?all' },
    'ada@example.com',
    { spf: 'neutral', dkim: 'none', dmarc: 'none', provenDomain: null },
  ],
  [
    'an SPF record that is broken',
    {},
    { 'example.com': 'v=spf1 include:' },
    'ada@example.com',
    { spf: 'permerror', dkim: 'none', dmarc: 'none', provenDomain: null },
  ],
  [
    'SPF of the From domain without a policy',
    {},
    SPF,
    'ada@example.com',
    { spf: 'pass', dkim: 'none', dmarc: 'none', provenDomain: 'example.com' },
  ],
  [
    'a signature of the From domain without a policy, forwarded',
    { sign: SIGNED, ip: '198.51.100.7' },
    { ...SPF, ...KEY },
    'list@forwarder.example',
    { spf: 'none', dkim: 'pass', dmarc: 'none', provenDomain: 'example.com' },
  ],
  [
    'somebody else’s SPF and signature: they pass, and prove nothing about From',
    { sign: { domain: 'evil.example', privateKey: own.privateKey } },
    { 'evil.example': `v=spf1 ip4:${OUTSIDE} -all`, 'sel._domainkey.evil.example': record(own) },
    'eve@evil.example',
    { spf: 'pass', dkim: 'pass', dmarc: 'none', provenDomain: null },
  ],
  [
    'the same against a policy',
    { sign: { domain: 'evil.example', privateKey: own.privateKey } },
    { 'evil.example': `v=spf1 ip4:${OUTSIDE} -all`, 'sel._domainkey.evil.example': record(own), ...DMARC },
    'eve@evil.example',
    { spf: 'pass', dkim: 'pass', dmarc: 'fail', provenDomain: null },
  ],
  [
    'a policy of strict alignment and a signature of a subdomain',
    { sign: { domain: 'mail.example.com', privateKey: own.privateKey } },
    { 'sel._domainkey.mail.example.com': record(own), '_dmarc.example.com': 'v=DMARC1; p=reject; adkim=s; aspf=s' },
    'x@elsewhere.example',
    { spf: 'none', dkim: 'pass', dmarc: 'fail', provenDomain: null },
  ],
  [
    'a body changed on the way',
    { sign: SIGNED, tamper: (raw) => raw.replace('hello', 'jello') },
    { ...KEY, ...DMARC },
    'x@elsewhere.example',
    { spf: 'none', dkim: 'fail', dmarc: 'fail', provenDomain: null },
  ],
  [
    'a From changed on the way',
    { sign: SIGNED, tamper: (raw) => raw.replace('ada@example.com', 'ceo@example.com') },
    { ...KEY, ...DMARC },
    'x@elsewhere.example',
    { spf: 'none', dkim: 'fail', dmarc: 'fail', provenDomain: null },
  ],
  [
    'a signature with another key',
    { sign: FORGED },
    { ...KEY, ...DMARC },
    'x@elsewhere.example',
    { spf: 'none', dkim: 'fail', dmarc: 'fail', provenDomain: null },
  ],
  [
    'two From headers, one of them signed',
    { sign: SIGNED, tamper: (raw) => `From: boss@bank.example\r\n${raw}` },
    { ...SPF, ...KEY, ...DMARC },
    'ada@example.com',
    { spf: 'pass', dkim: 'pass', dmarc: 'none', provenDomain: null },
  ],
  [
    'two authors of different domains',
    { from: 'ada@example.com, boss@bank.example', sign: SIGNED },
    { ...SPF, ...KEY, ...DMARC },
    'ada@example.com',
    { spf: 'pass', dkim: 'pass', dmarc: 'none', provenDomain: null },
  ],
  [
    'a bounce: SPF is about the name the server gives itself',
    { from: 'mailer-daemon@mx.example.com' },
    { 'mx.example.com': `v=spf1 ip4:${OUTSIDE} -all` },
    '',
    { spf: 'pass', dkim: 'none', dmarc: 'none', provenDomain: 'mx.example.com' },
  ],
];

describe('sender authentication', () => {
  for (const [what, mail, records, envelopeFrom, expected] of CASES) {
    it(what, async () => {
      assert.deepEqual(await check(mail, records, envelopeFrom), expected);
    });
  }

  it('a signature over only the first bytes proves nothing, because anyone may have written the rest', async () => {
    const { dkimSign } = await import('mailauth');
    const text = 'From: ada@example.com\r\nTo: bob@agents.example\r\nSubject: hi\r\n\r\nhello\r\n';
    const { signatures } = await dkimSign(text, {
      canonicalization: 'relaxed/relaxed',
      signatureData: [{ signingDomain: 'example.com', selector: 'sel', privateKey: own.privateKey, maxBodyLength: 7 }],
    } as Parameters<typeof dkimSign>[1]);
    const tamper = () => `${signatures}${text}and more\r\n`;
    const results = await check({ tamper }, { ...KEY, ...DMARC }, 'x@elsewhere.example');
    assert.deepEqual([results.dkim, results.dmarc, results.provenDomain], ['pass', 'pass', null]);
  });

  it('every result is temperror when DNS fails', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('refused'), { code: 'ESERVFAIL' });
    };
    const results = await createSenderAuth({ resolve })(await rawOf({ sign: SIGNED }), 'ada@example.com');
    assert.deepEqual(results, { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', provenDomain: null });
  });

  it('a DNS server that never answers ends in temperror at the deadline', async () => {
    const auth = createSenderAuth({ resolve: () => new Promise(() => {}), deadlineMs: 20 });
    // The deadline’s timer holds no process open; this one does, and is far beyond it.
    const open = setTimeout(() => {}, 60_000);
    const results = await auth(await rawOf({ sign: SIGNED }), 'ada@example.com');
    clearTimeout(open);
    assert.deepEqual([results.spf, results.dkim, results.dmarc], ['temperror', 'temperror', 'temperror']);
  });

  for (const ip of [
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.1.1',
    '172.16.0.9',
    '169.254.1.1',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '100.64.0.1',
  ])
    it(`none without a DNS look-up for a client at ${ip}`, async () => {
      const { asked, resolve } = dns({ ...SPF, ...KEY, ...DMARC });
      const results = await createSenderAuth({ resolve })(await rawOf({ sign: SIGNED, ip }), 'ada@example.com');
      assert.deepEqual(results, { spf: 'none', dkim: 'none', dmarc: 'none', provenDomain: null });
      assert.deepEqual(asked, []);
    });

  it('SPF checks an IPv6 client, and an IPv4-mapped one, by its own address', async () => {
    const six = { 'example.com': 'v=spf1 ip6:2001:db8::/32 ip6:2606:4700::/32 -all' };
    assert.equal((await check({ ip: '2606:4700::1' }, six)).spf, 'pass');
    assert.equal((await check({ ip: `::ffff:${OUTSIDE}` }, SPF)).spf, 'pass');
  });

  it('a Received header written by the sender is ignored', async () => {
    const head = `Received: from mx.example.com ([${OUTSIDE}])\r\n\tby agents.example; x\r\n`;
    assert.equal((await check({ ip: '198.51.100.7', head }, SPF)).spf, 'fail');
    assert.equal((await check({ ip: '198.51.100.7', helo: `x ([${OUTSIDE}])` }, SPF)).spf, 'fail');
  });
});
