import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../support/harness.ts';
import { call, ENDING, needKey } from './gate.ts';
import { nameOf } from './sample-requests.ts';

/** What each write of the bucket `revoke` ends is shown by a read of the bucket `inspect`, or why that is not needed. */
const SHOWN_BY: Record<string, string> = {
  undoNotice: 'listNotices',
  logout: 'listSessions',
  endDelegation: 'listDelegations',
  releaseAddress: 'listAddresses',
  deleteBackupKey: 'listKeys',
  deleteNamedKey: 'listAccountKeys',
  rotateNamedKey: 'listAccountKeys',
  rejectCharge: 'listApprovals',
  setRecoveryEmail: 'null ends the address, whichever it is',
  setOperatorEmail: 'null ends all operators, whoever they are',
  removeOperator: 'setOperatorEmail ends all operators, whoever they are',
  endGrant: 'listGrants',
  removePasskey: 'listPasskeys',
  createRecoveryCodes: 'the codes before them end, whichever they are',
  endSession: 'listSessions',
  rejectReview: 'listReviews',
  withdrawReview: 'listReviews',
  suspendAgent: 'listOperatorAgents',
  deleteEncryptionKey: 'an account has one',
  deleteWebhook: 'listWebhooks',
  deleteEventWebhook: 'listEventWebhooks',
  rotateWebhookSecret: 'listEventWebhooks',
  rotateEmailWebhookSecret: 'listWebhooks',
  deleteStack: 'listStacks',
  revokeToken: 'listTokens',
  revokeClientToken: 'the caller holds the token',
  deleteSigningKey: 'listSigningKeys',
  deleteAccount: 'it is the account of the credential',
  cancelAccountDeletion: 'it is the account of the credential',
  rotateCalendarFeed: 'getCalendarFeed',
  endProgram: 'listPrograms',
};

/** The other calls that take something away, and why they count in the day like other writes. */
const ENDS_NO_ACCESS: Record<string, string> = {
  deleteMessage: 'mail is data, which acts for nobody',
  deleteQuarantined: 'mail is data, which acts for nobody',
  deleteDraft: 'a draft is data; secureAccount cancels scheduled mail',
  deleteVaultEntry: 'an entry is data, which acts for nobody',
  deleteCalendarEvent: 'an event is data, which acts for nobody',
  deleteSuppression: 'it lets mail go out again, so it gives',
};

/** The writes of other methods in the day, by what they do instead of taking away. */
const GIVES: Record<string, string> = {
  'makes something, or sends it':
    'createDelegation claimAddress generateBackupKey createNamedKey charge exchangeToken createPasskeyOptions addPasskey createSocketTicket createInbox sendEmail replyToMessage replyToAll forwardMessage sendFromInbox createDraft sendDraft createWebhook createEventWebhook testWebhook retryWebhookDelivery testEventWebhook retryEventWebhookDelivery createPod createStack verifyStack createObservation submitTelemetry issueToken registerSigningKey exportAccount createCalendarEvent requestCredential submitFinding createProgram',
  'lets something happen': 'approveCharge decideConsent decideDeviceLogin approveReview resumeAgent releaseQuarantined',
  'changes data, which acts for no one':
    'updateMessage updateThread updateDraft putVaultEntry updateProfile updateCalendarEvent respondToInvitation setCalendarSettings',
  'replaces a key or an address by another, which may be a thief’s': 'rotateEncryptionKey setVaultRecovery',
  'may give as well as take; another call of `revoke` takes all of it away': 'changeNamedKey updateEventWebhook',
  'may loosen as well as tighten, and the day keeps a fifth for its owner':
    'setAccountPolicy setMailPolicy updateAddress updateOperatorSettings',
};

onEngines(
  'any',
  'N6: the buckets of the table of endpoints',
  { limits: { free: { requests_per_day: 0 }, requests_per_person_per_day: 0 } },
  (suite) => {
    it('N6: every call of the method DELETE is in a bucket of its own, or is named here with a reason', () => {
      const outside = suite.t.app.endpoints.filter(({ method, bucket }) => method === 'DELETE' && bucket === undefined);
      assert.deepEqual(outside.map(({ operation }) => operation).sort(), Object.keys(ENDS_NO_ACCESS).sort());
    });

    it('N6: every other write with a credential is in a bucket, takes away once the day is spent, or is named here with what it does', () => {
      const inDay = suite.t.app.endpoints.filter(
        ({ method, effect, auth, bucket, afterDay }) =>
          method !== 'DELETE' &&
          effect === 'write' &&
          auth !== 'none' &&
          bucket === undefined &&
          afterDay === undefined,
      );
      const named = Object.values(GIVES).flatMap((operations) => operations.split(' '));
      assert.deepEqual(inDay.map(({ operation }) => operation).sort(), named.sort());
    });

    it('N6: what every call of `revoke` ends, a read of `inspect` shows', () => {
      const { endpoints } = suite.t.app;
      const of = (wanted: string) =>
        endpoints.filter(({ bucket }) => bucket === wanted).map(({ operation }) => operation);
      assert.deepEqual(of('revoke').sort(), Object.keys(SHOWN_BY).sort());
      const reads = Object.values(SHOWN_BY).filter((shown) => !shown.includes(' '));
      assert.deepEqual(
        reads.filter((read) => !of('inspect').includes(read)),
        [],
      );
      for (const { method, bucket, operation } of endpoints)
        assert.equal(bucket === 'inspect' && method !== 'GET', false, operation);
    });

    it('N6: without requests left, exactly the calls in a bucket, and those that may take something away, are answered', async () => {
      const { t } = suite;
      let { key } = await t.createAccount();
      for (const endpoint of needKey(t).filter(({ auth }) => auth !== 'person' && auth !== 'optional')) {
        const { status, body } = await call(t, endpoint, key);
        const isFree = endpoint.bucket !== undefined || endpoint.afterDay !== undefined;
        assert.equal(status === 429, !isFree, `${nameOf(endpoint)}: ${JSON.stringify(body)}`);
        if (ENDING.has(endpoint.operation)) ({ key } = await t.createAccount());
      }
    });
  },
);
