import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../../test/support/agents.ts';
import { onEngines } from '../../../test/support/harness.ts';
import { mcpClient } from '../../../test/support/mcp.ts';

/** What models ask for, in their words, and the operation that does it. */
const QUESTIONS: readonly [query: string, operation: string][] = [
  ['attach a file', 'sendEmail'],
  ['send a mail with an attachment', 'sendEmail'],
  ['mark as read', 'updateMessage'],
  ['mark message unread', 'updateMessage'],
  ['block sender', 'updateMessage'],
  ['move a mail to spam', 'updateMessage'],
  ['archive an email', 'updateMessage'],
  ['add a label to a message', 'updateMessage'],
  ['restore a message from the trash', 'updateMessage'],
  ['delete an email', 'deleteMessage'],
  ['remove a mail for good', 'deleteMessage'],
  ['forward a mail to somebody', 'forwardMessage'],
  ['reply to everyone', 'replyToAll'],
  ['answer an email', 'replyToMessage'],
  ['save a draft', 'createDraft'],
  ['schedule an email for tomorrow', 'createDraft'],
  ['edit a draft', 'updateDraft'],
  ['send my draft now', 'sendDraft'],
  ['cancel a scheduled mail', 'deleteDraft'],
  ['list drafts', 'listDrafts'],
  ['did my mail arrive', 'getSentEmail'],
  ['delivery status of a sent email', 'getSentEmail'],
  ['sent folder', 'listOutbox'],
  ['show a conversation', 'getThread'],
  ['list conversations', 'listThreads'],
  ['archive a whole thread', 'updateThread'],
  ['which recipients bounced', 'listSuppressions'],
  ['unblock a recipient', 'deleteSuppression'],
  ['get a new email address', 'claimAddress'],
  ['which addresses do I have', 'listAddresses'],
  ['set the display name of my address', 'updateAddress'],
  ['withdraw a held email', 'withdrawReview'],
  ['mails waiting for review', 'listReviews'],
  ['delete a password', 'deleteVaultEntry'],
  ['list my secrets', 'listVaultKeys'],
  ['how much money is left', 'getBudget'],
  ['list my charges', 'getBudgetHistory'],
  ['spending history', 'getBudgetHistory'],
  ['payments with crypto', 'listPayments'],
  ['how many requests are left today', 'getUsage'],
  ['change a calendar event', 'updateCalendarEvent'],
  ['cancel a meeting', 'deleteCalendarEvent'],
  ['accept an invitation', 'respondToInvitation'],
  ['rename my calendar', 'setCalendarSettings'],
  ['use my own domain', 'createStack'],
  ['check the DNS of my domain', 'verifyStack'],
  ['revoke a token', 'revokeToken'],
  ['is this agent trustworthy', 'getTrust'],
  ['report a security problem', 'submitFinding'],
  ['what am I allowed to do', 'getPower'],
  ['who changed my account', 'listAuditEntries'],
  ['recent http requests', 'listRequests'],
];

onEngines('any', 'find_operation', {}, (suite) => {
  it(`finds what ${QUESTIONS.length} questions ask for among the first three`, async () => {
    const { t } = suite;
    const me = mcpClient(t, (await createAgent(t)).key);
    assert.ok(QUESTIONS.length >= 50);
    const missed: string[] = [];
    for (const [query, operation] of QUESTIONS) {
      const { operations } = (await me.tool('find_operation', { query })).data;
      const found = operations.map(({ id }: { id: string }) => id);
      if (!found.slice(0, 3).includes(operation))
        missed.push(`${query}: ${operation} is not among ${found.join(', ')}`);
    }
    assert.deepEqual(missed, []);
  });

  it('names the page where a person does what no model may', async () => {
    const { t } = suite;
    const me = mcpClient(t, (await createAgent(t)).key);
    const pages: [string, string][] = [
      ['create a webhook', 'webhooks'],
      ['change the mail policy', 'mail'],
      ['rotate the api key', 'keys'],
      ['approve a charge', 'money'],
    ];
    for (const [query, page] of pages) {
      const { data } = await me.tool('find_operation', { query });
      assert.equal(data.for_a_person?.page, `${t.baseUrl}/dashboard#/${page}`, query);
    }
    assert.equal((await me.tool('find_operation', { query: 'list conversations' })).data.for_a_person, undefined);
  });
});
