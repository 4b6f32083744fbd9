import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { MESSAGE } from '../../../test/support/outgoing-message.ts';
import { startTestListener } from '../../../test/support/smtp-dialogue.ts';
import { createMailTransport } from './mail-transport.ts';

const dir = mkdtempSync(join(tmpdir(), 'outbox-'));
after(() => rm(dir, { recursive: true }));

/** Verifies an rsa-sha256 relaxed/relaxed signature (RFC 6376 3.4, 3.7) over a message. */
function dkimVerifies(raw: string, publicKey: string): boolean {
  const split = raw.indexOf('\r\n\r\n');
  const fields = raw.slice(0, split).split(/\r\n(?![ \t])/);
  const body = raw
    .slice(split + 4)
    .split('\r\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  const canonicalBody = body.join('\r\n').replace(/(?:\r\n)*$/, '\r\n');
  const relaxed = (field: string): string => {
    const colon = field.indexOf(':');
    return `${field.slice(0, colon).trim().toLowerCase()}:${field
      .slice(colon + 1)
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim()}`;
  };
  const signature = fields.find((field) => /^dkim-signature:/i.test(field)) ?? '';
  const tag = (name: string): string =>
    (new RegExp(`(?:^|;)\\s*${name}=([^;]*)`).exec(signature.slice(15))?.[1] ?? '').replace(/\s/g, '');
  if (tag('bh') !== createHash('sha256').update(canonicalBody).digest('base64')) return false;
  const signed = tag('h')
    .split(':')
    .map((name) => fields.filter((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`)).at(-1));
  const text = [...signed.filter((field) => field !== undefined), signature.replace(/(;\s*b=)[^;]*$/, '$1')]
    .map(relaxed)
    .join('\r\n');
  return verify('rsa-sha256', Buffer.from(text), publicKey, Buffer.from(tag('b'), 'base64'));
}

describe('DKIM', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const dkim = { domainName: 'agents.example', keySelector: 'signet', privateKey };

  it('signs for both transports, and the signature is still valid on arrival', async () => {
    const file = createMailTransport({ relayUrl: null, outboxDir: dir, dkim });
    const written = await file.send({ ...MESSAGE, id: 'out_dkim' });
    const text = await readFile(written.status === 'sent' ? written.providerId : '', 'latin1');
    assert.match(
      text,
      /^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=agents\.example;\r\n q=dns\/txt; s=signet;/,
    );
    assert.equal(dkimVerifies(text, publicKey), true);
    assert.equal(dkimVerifies(text.replace('line one', 'line two'), publicKey), false);
    assert.equal(dkimVerifies(text.replace('From: Agent', 'From: Boss'), publicKey), false);

    const listener = await startTestListener();
    const smtp = createMailTransport({ relayUrl: `smtp://127.0.0.1:${listener.port}`, outboxDir: dir, dkim });
    assert.equal((await smtp.send(MESSAGE)).status, 'sent');
    assert.equal(dkimVerifies(listener.accepted[0]?.raw.toString('latin1') ?? '', publicKey), true);
    smtp.close();
    await listener.close(0);
  });

  it('refuses a key that cannot sign at construction, before any mail is sent', () => {
    for (const bad of ['', 'nonsense', publicKey]) {
      assert.throws(() => createMailTransport({ relayUrl: null, outboxDir: dir, dkim: { ...dkim, privateKey: bad } }));
    }
  });
});
