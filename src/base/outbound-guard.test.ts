import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, it } from 'node:test';
import { isLoopbackHost } from './loopback-host.ts';
import { isPublicAddress, publicGuard } from './outbound-guard.ts';

const NOT_PUBLIC = [
  '0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254', '168.63.129.16',
  '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.168.1.1', '198.18.0.1',
  '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255',
  '::', '::1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::10.0.0.1', '::ffff:0:10.0.0.1',
  '64:ff9b::a00:1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '4000::1',
  'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'not an address', '',
]; // biome-ignore format: a table reads best filled.

const URLS = [
  'http://127.0.0.1/', 'http://127.1/', 'http://2130706433/', 'http://0x7f000001/', 'http://0x7f.1/', 'http://0177.0.0.1/',
  'http://017700000001/', 'http://0/', 'http://0.0.0.0/', 'http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/', 'http://0xa9fea9fe/', 'http://100.64.0.1/', 'http://[::1]/', 'http://[::]/',
  'http://[::ffff:127.0.0.1]/', 'http://[::ffff:a9fe:a9fe]/', 'http://[64:ff9b::7f00:1]/', 'http://[fd00:ec2::254]/',
  'http://[fe80::1]/', 'http://１２７.０.０.１/', 'http://127.0.0.1./', 'http://localhost/', 'http://LOCALHOST./',
  'http://metadata.localhost/', 'https://127。0。0。1/',
  'http://127.0.0.1:22/', 'http://127.0.0.1:65535/', 'http://user@127.0.0.1/', 'http://example.com@127.0.0.1/',
  'http://0300.0250.0.1/', 'http://192.168.257/', 'http://0xc0.0xa8.0.1/', 'http://0251.0376.0251.0376/', 'http://169.254.169.254./',
  'http://0x7f000001./', 'http://100.127.255.255/', 'http://[fc00::1]/', 'http://[fe80::1]:8080/', 'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/', 'http://[64:ff9b::a9fe:a9fe]/', 'http://[64:ff9b::100.64.0.1]/', 'http://[::127.0.0.1]/',
  'http://[0:0:0:0:0:ffff:7f00:1]/', 'http://[::ffff:0:127.0.0.1]/', 'http://[2001:0:7f00:1::]/', 'http://%31%32%37.0.0.1/',
]; // biome-ignore format: a table reads best filled.

const lookUp = (addresses: LookupAddress[]): Promise<unknown> => {
  const { lookup } = publicGuard(async () => addresses);
  return new Promise((resolve, reject) =>
    lookup('name.example', { all: true }, (err, found) => (err ? reject(err) : resolve(found))),
  );
};

describe('the webhook address guard', () => {
  for (const address of NOT_PUBLIC)
    it(`does not treat ${JSON.stringify(address)} as public`, () => assert.equal(isPublicAddress(address), false));

  it('treats addresses of the public internet as public, including IPv4-mapped ones', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])
      assert.equal(isPublicAddress(address), true, address);
  });

  for (const url of URLS)
    it(`refuses ${url} without a DNS look-up`, () =>
      assert.equal(publicGuard().refusesHost(new URL(url).hostname), true));

  it('passes public literals and all other names to the look-up', () => {
    for (const host of ['8.8.8.8', '[2606:4700::1111]', 'example.com', 'localhost.example.com', 'notlocalhost'])
      assert.equal(publicGuard().refusesHost(host), false, host);
  });

  it('returns the addresses of a name only if all of them are public', async () => {
    const open = { address: '8.8.8.8', family: 4 };
    assert.deepEqual(await lookUp([open]), [open]);
    await assert.rejects(lookUp([open, { address: '10.0.0.1', family: 4 }]));
    await assert.rejects(lookUp([{ address: '::ffff:10.0.0.1', family: 6 }]));
    await assert.rejects(lookUp([]));
  });

  it('detects a development server by its loopback host', () => {
    for (const host of ['localhost', '127.0.0.1', '127.8.0.1', '[::1]', '::1', 'signet.localhost'])
      assert.equal(isLoopbackHost(host), true, host);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'signet.example.com', 'localhost.example.com'])
      assert.equal(isLoopbackHost(host), false, host);
  });
});
