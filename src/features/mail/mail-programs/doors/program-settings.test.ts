import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onEngines } from '../../../../../test/support/harness.ts';
import { autoconfigText, doorsOf, type OpenDoors } from './program-settings.ts';

const HOST = { mailHost: 'mx.example.com', development: false, hasCertificate: true };
const ports = (open: Partial<OpenDoors>): OpenDoors => ({
  imap: null,
  imaps: null,
  submission: null,
  submissions: null,
  ...open,
});

describe('the settings of mail programs', () => {
  it('name TLS where there is a door of it, else STARTTLS, and in clear this machine alone in development', () => {
    const both = ports({ imap: 143, imaps: 993, submission: 587 });
    const { imap, smtp } = doorsOf(HOST, both);
    assert.deepEqual(imap, { hostname: 'mx.example.com', port: 993, socketType: 'SSL' });
    assert.deepEqual(smtp, { hostname: 'mx.example.com', port: 587, socketType: 'STARTTLS' });
    const bare = { ...HOST, hasCertificate: false };
    assert.deepEqual(doorsOf(bare, ports({ imap: 143 })), { imap: null, smtp: null });
    assert.deepEqual(doorsOf({ ...bare, development: true }, ports({ imap: 1143 })).imap, {
      hostname: '127.0.0.1',
      port: 1143,
      socketType: 'plain',
    });
  });

  it('leave out a door that is closed', () => {
    const text = autoconfigText('example.com', doorsOf(HOST, ports({ imaps: 993 })));
    assert.match(text, /<incomingServer type="imap">\s+<hostname>mx\.example\.com<\/hostname>\s+<port>993<\/port>/);
    assert.doesNotMatch(text, /outgoingServer/);
  });
});

onEngines('any', 'GET /.well-known/autoconfig/mail/config-v1.1.xml', {}, (suite) => {
  it('is the same at both paths and for every address, and names the port that listens', async () => {
    const { t } = suite;
    const { imap } = t.app.programPorts;
    const paths = ['/.well-known/autoconfig/mail/config-v1.1.xml', '/mail/config-v1.1.xml'];
    const texts = new Set<string>();
    for (const path of paths)
      for (const query of ['', '?emailaddress=nobody@agents.localhost', '?emailaddress=%25EMAILADDRESS%25']) {
        const { status, text } = await t.api().get(`${path}${query}`);
        assert.equal(status, 200, text);
        texts.add(text);
      }
    assert.equal(texts.size, 1);
    assert.ok([...texts][0]?.includes(`<port>${imap}</port>`), `port ${imap}`);
  });
});
