import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MimeParser } from '../../../mail/reading/mime-parser.ts';
import { composeDraft, type SendRequest } from './mail-composition.ts';
import type { OutboxDeps } from './outbox-deps.ts';

const HTML = '<b>x</b>'.repeat(400_000);
const request = (text: string | null): SendRequest => ({
  from: { accountId: 'acct_1', address: 'ada@agents.localhost', displayName: null } as SendRequest['from'],
  to: ['bob@agents.localhost'],
  cc: [],
  bcc: [],
  replyTo: null,
  subject: 'hi',
  text,
  html: HTML,
  inReplyTo: null,
  references: [],
  attachments: [],
  metadata: undefined,
  unsubscribe: undefined,
});

describe('a mail whose HTML cannot be read', () => {
  it('keeps its text; without one it is refused, because nobody could look for secrets in it', async () => {
    const parser = new MimeParser({ heapMb: 24, deadlineMs: 60_000 });
    const { readWritten } = parser;
    const deps = { database: {} as OutboxDeps['database'], mailDomain: 'agents.localhost', readWritten };
    const limits = { recipients_per_send: 5 } as Parameters<typeof composeDraft>[2]['limits'];
    const { parsed } = await composeDraft(deps, request('the words'), { limits }, 0);
    assert.deepEqual([parsed.parsed, parsed.text, parsed.html], [false, 'the words', null]);
    await assert.rejects(composeDraft(deps, request(null), { limits }, 0), { code: 'invalid_request', status: 400 });
    await parser.close();
  });
});
