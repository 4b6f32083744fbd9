import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../test/support/harness.ts';
import { type AuditChain, type AuditEntry, verifyAuditChain } from './audit-chain.ts';
import { SignetClient } from './signet-client.ts';
import { SignetCryptoError } from './signet-error.ts';

onEngines('any', 'verifyAuditChain', {}, (suite) => {
  it('accepts the service’s entries, and names an entry that was changed', async () => {
    const { t } = suite;
    const { key, accountId } = await t.createAccount();
    const client = new SignetClient({ baseUrl: t.baseUrl, key });
    for (let i = 0; i < 5; i++) await client.setRecoveryEmail({ email: `a${i}@example.com` });
    await t.app.provided.audit.flush();
    // Read before there is one entry more: the service signs each second.
    const { seals, keys } = await client.listAuditSeals();
    await client.setRecoveryEmail({ email: 'unsealed@example.com' });
    const entries: AuditEntry[] = [];
    for await (const entry of client.paginate('listAuditEntries', { limit: 4 })) entries.push(entry);
    const chain: AuditChain = { accountId, entries, seals, keys };
    const { sealed } = await verifyAuditChain(chain);
    assert.deepEqual(await verifyAuditChain(chain), { entries: 7, sealed });
    assert.equal(sealed, 6);

    const at = (seq: number) => entries.findIndex((entry) => entry.seq === seq);
    const changed = (seq: number, change: object) => entries.with(at(seq), { ...entries[at(seq)], ...change } as never);
    const sealAt = (change: object) => [...seals.slice(0, -1), { ...seals.at(-1), ...change }] as typeof seals;
    for (const [what, tampered, code, message] of [
      ['altered', { entries: changed(3, { action: 'nothing.happened' }) }, 'not_authentic', /Entry 3 was altered/],
      ['removed', { entries: entries.toSpliced(at(3), 1) }, 'not_authentic', /Entry 3 is missing/],
      ['cut off', { entries: entries.slice(2) }, 'not_authentic', /Entry 6 is missing/],
      ['renumbered', { entries: changed(2, { seq: 3 }) }, 'not_authentic', /Entry 2 is missing/],
      ['of another account', { accountId: 'acc_other' }, 'not_authentic', /another account/],
      ['signed with an unknown key', { keys: [] }, 'unknown_key', /not known/],
      [
        'not what was signed',
        { seals: sealAt({ seq: 4 }) },
        'signature_invalid',
        /signature over entry \d+ is not valid/,
      ],
      [
        'with another hash',
        { seals: sealAt({ hash: 'f'.repeat(64) }) },
        'signature_invalid',
        /signature over entry \d+ is not valid/,
      ],
    ] as const)
      await assert.rejects(
        verifyAuditChain({ ...chain, ...tampered }),
        (err) => err instanceof SignetCryptoError && err.code === code && message.test(err.message),
        what,
      );
  });
});
