import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, beforeEach, describe, it } from 'node:test';
import { createTestDns } from '../../../../test/support/dns.ts';
import { startTestListener } from '../../../../test/support/smtp-dialogue.ts';
import { createDnsLookup } from '../../../mail/smtp-out/dns-lookup.ts';
import { blocklistName, type ZoneRecord, zoneText } from '../../../mail/smtp-out/zone-records.ts';
import { type DnsDeps, examineDns, recordsFor } from './doctor-dns.ts';
import { createMailProbe } from './mail-probe.ts';

const { privateKey: dkimKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;
const dns = createTestDns();
const listener = await startTestListener({ hostname: 'mx.agents.example' });
after(() => listener.close(0));
const smtp = createMailProbe(dns.resolve, listener.port);

/** A service with everything right. The policy, the certificate and the API are as the test says; the rest is asked. */
const SOUND: DnsDeps = {
  mailDomain: 'agents.example',
  mailHost: 'mx.agents.example',
  delivery: 'direct',
  relayHost: null,
  dkimSelector: 'signet',
  dkimKey,
  mtaSts: 'enforce',
  hasTls: true,
  baseUrl: 'https://id.agents.example',
  imapsPort: 993,
  submissionsPort: 465,
  blocklists: ['list.example'],
  postmasterMail: 'ops@people.example',
  lookup: createDnsLookup(dns.resolve),
  probe: {
    ...smtp,
    certificate: async () => ({ validTo: NOW + 60 * DAY, fault: '' }),
    policy: async () => ({ mode: 'enforce', mx: ['mx.agents.example'], fault: null }),
    web: async () => null,
  },
  openFiles: 65_536,
  now: () => NOW,
};

const records: ZoneRecord[] = recordsFor(SOUND, dkimKey, ['127.0.0.1']);
const recordOf = (wanted: string): ZoneRecord => records.find(({ purpose }) => purpose === wanted) as ZoneRecord;

function unset(purpose: string): void {
  for (const { type, name } of records.filter((record) => record.purpose === purpose)) dns.clear(type, name);
}
function instead(purpose: string, value: string): void {
  unset(purpose);
  const { type, name } = recordOf(purpose);
  dns.set(type, name, value);
}

const findings = async (over: Partial<DnsDeps> = {}): Promise<string[]> =>
  (await examineDns({ ...SOUND, ...over }))
    .filter(({ status }) => status !== 'ok')
    .map(({ status, name, message, remedy }) => `${status} ${name}: ${message}. ${remedy}`);

const probe = (over: Partial<DnsDeps['probe']>): Partial<DnsDeps> => ({ probe: { ...SOUND.probe, ...over } });

/** Each mistake, and the one finding that names it with its remedy. */
const MISTAKES: Record<string, { plant(): Partial<DnsDeps> | undefined; said: RegExp }> = {
  'no MX': { plant: () => void unset('mx'), said: /^fail dns mx: agents\.example has no MX record\. Set it to mx\./ },
  'an MX elsewhere': {
    plant: () => void instead('mx', 'mx.other.example'),
    said: /^fail dns mx: .* is mx\.other\.example/,
  },
  'no SPF': {
    plant: () => void unset('spf'),
    said: /^fail dns spf: .* no SPF record\. Set the TXT record: signet dns/,
  },
  'two SPF records': {
    plant: () => void dns.set('TXT', 'agents.example', 'v=spf1 -all'),
    said: /^fail dns spf: .* 2 SPF records, which counts as none\. Keep one/,
  },
  'an SPF that leaves this host out': {
    plant: () => void instead('spf', 'v=spf1 ip4:192.0.2.9 -all'),
    said: /^fail dns spf: SPF of mail from 127\.0\.0\.1 is fail/,
  },
  'an empty DKIM key': {
    plant: () => void instead('dkim', 'v=DKIM1; k=rsa; p='),
    said: /^fail dns dkim: .* an empty key, which revokes it\. Replace/,
  },
  'another DKIM key': { plant: () => void instead('dkim', 'v=DKIM1; p=AAAA'), said: /^fail dns dkim: .* another key/ },
  'no DKIM key in the data folder': { plant: () => ({ dkimKey: null }), said: /^fail dns dkim: .*Run signet dns/ },
  'a DMARC record without a policy': {
    plant: () => void instead('dmarc', 'v=DMARC1; rua=mailto:x@y.example'),
    said: /^fail dns dmarc: .* no policy: .*Add p=/,
  },
  'a changed policy': {
    plant: () => void instead('mta-sts', 'v=STSv1; id=1'),
    said: /^fail mta-sts: .* names another policy than \w+\. Replace/,
  },
  'a policy host without a certificate': {
    plant: () => probe({ policy: async () => ({ mode: 'none', mx: [], fault: 'self-signed certificate' }) }),
    said: /^fail mta-sts: https:\/\/mta-sts\.agents\.example\S*: self-signed/,
  },
  'no reports of TLS': { plant: () => void unset('tls-rpt'), said: /^warn dns tls-rpt: .* has 0 records/ },
  'no SRV of IMAP': {
    plant: () => void unset('imaps'),
    said: /^warn dns imaps: _imaps\._tcp\.agents\.example does not exist\. Mail programs must be told/,
  },
  'an SRV to another port': {
    plant: () => void instead('submissions', '0 1 587 mx.agents.example'),
    said: /^warn dns submissions: .* leads to port 587 mx\.agents\.example/,
  },
  'no PTR': { plant: () => void unset('ptr'), said: /^fail dns ptr: .* does not exist\. Have the provider .* set it/ },
  'another server on port 25': {
    plant: () => probe({ greeting: async (host) => ({ greeting: `220 ${host} hello`, fault: '' }) }),
    said: /^fail port 25 in: another server answers on 127\.0\.0\.1:25/,
  },
  'a certificate that ends': {
    plant: () => probe({ certificate: async () => ({ validTo: NOW + 3 * DAY, fault: '' }) }),
    said: /^warn smtp tls: the certificate ends in 3 days\. Renew/,
  },
  'a listed address': {
    plant: () => void dns.set('A', blocklistName('127.0.0.1', 'list.example'), '127.0.0.2'),
    said: /^fail blocklists: 127\.0\.0\.1 is on list\.example \(127\.0\.0\.2\)/,
  },
  'an API that does not answer': {
    plant: () => probe({ web: async () => 'refused' }),
    said: /^fail https: .*: refused/,
  },
  'few open files': { plant: () => ({ openFiles: 1024 }), said: /^warn open files: .* 1024\. Set LimitNOFILE/ },
};

describe('signet doctor --dns', () => {
  beforeEach(() => {
    for (const { type, name } of records) dns.clear(type, name);
    for (const { type, name, value } of records) dns.set(type, name, value);
    dns.clear('MX', 'people.example');
    dns.set('MX', 'people.example', '127.0.0.1');
    dns.clear('A', blocklistName('127.0.0.1', 'list.example'));
  });

  it('finds nothing wrong with the records that signet dns prints', async () => {
    assert.deepEqual(await findings(), []);
  });

  for (const [what, { plant, said }] of Object.entries(MISTAKES))
    it(`names one mistake, and how to fix it: ${what}`, async () => {
      const found = await findings(plant() ?? {});
      assert.match(found[0] as string, said);
      // Our SPF record refers to the MX.
      assert.ok(found.length === 1 || found[1]?.startsWith('fail dns spf: SPF of mail'), found.join('\n'));
    });

  it('E: says why it looks at no PTR record: others hand mail over, or no address of this host is known', async () => {
    const ptrOf = async (over: Partial<DnsDeps>) =>
      (await examineDns({ ...SOUND, ...over })).find(({ name }) => name === 'dns ptr');
    for (const delivery of ['relay', 'file'] as const) {
      const said = await ptrOf({ delivery });
      assert.deepEqual([said?.status, /^not looked at: /.test(said?.message ?? '')], ['ok', true], said?.message);
    }
    unset('host');
    const unknown = await ptrOf({});
    assert.deepEqual(
      [unknown?.status, unknown?.message],
      ['warn', 'not looked at: no address of mx.agents.example is known'],
    );
  });

  it('names the port that does not answer, in and out', async () => {
    dns.clear('MX', 'people.example');
    dns.set('MX', 'people.example', '127.0.0.9');
    const [outbound] = await findings();
    assert.match(outbound ?? '', /^fail port 25 out: 127\.0\.0\.9:25 does not answer: .*or use a relay/);
    instead('host', '127.0.0.9');
    unset('ptr');
    assert.match((await findings()).join('\n'), /^fail port 25 in: 127\.0\.0\.9:25 does not answer: .*SMTP_PORT=25/m);
  });

  it('says that the DNS does not answer, and finds no record wrong', async () => {
    dns.down = true;
    const found = await findings();
    dns.down = false;
    assert.match(found.join('\n'), /^fail dns mx: no DNS server answers for the MX of agents\.example/m);
    assert.ok(!found.some((line) => /has no |does not exist/.test(line)));
  });
});

describe('signet dns', () => {
  it('prints a zone file whose long texts are split, with a key that is not empty', () => {
    const zone = zoneText(records);
    const dkim = zone.split('\n').find((line) => line.startsWith('signet._domainkey.agents.example. ')) ?? '';
    const parts = [...dkim.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
    assert.ok(parts.length > 1 && parts.every(({ length }) => length <= 255));
    assert.equal(parts.join(''), recordOf('dkim').value);
    assert.match(recordOf('dkim').value, /p=MII\w/);
    assert.match(zone, /^agents\.example\. 3600 IN MX 10 mx\.agents\.example\.$/m);
    assert.match(zone, /^1\.0\.0\.127\.in-addr\.arpa\. 3600 IN PTR mx\.agents\.example\.$/m);
  });

  it('throws for a text that is no key, so that no empty key is ever published', () => {
    for (const bad of ['', 'nonsense']) assert.throws(() => recordsFor(SOUND, bad, ['192.0.2.1']));
  });
});
