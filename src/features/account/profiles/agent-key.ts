import { calculateJwkThumbprint } from 'jose';
import { isTrusted } from '../../../api/account/factor.ts';
import type { LockdownHook, RecentChange, RecentlyAdded } from '../../../api/account/lockdown-parts.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import { FIXED_LIMITS } from '../../../api/metering/fixed-limits.ts';
import { limitReached } from '../../../api/metering/limit-reached.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { agentKeySlots, deleteAgentKey, insertAgentKey, listAgentKeys } from './agent-key-store.ts';
import type { AgentKey } from './agent-key-table.ts';
import { isEd25519Point } from './ed25519-point.ts';

export type { AgentKey };

export const AGENT_KEYS_MAX = FIXED_LIMITS.signing_keys.value;

/** Decodes 32 bytes from base64url, base64 or hex. */
function bytesOf(text: string): Buffer | null {
  const bytes = /^[0-9a-fA-F]{64}$/.test(text)
    ? Buffer.from(text, 'hex')
    : /^[A-Za-z0-9_+/-]{43}=?$/.test(text)
      ? Buffer.from(text, 'base64url')
      : null;
  return bytes?.length === 32 ? bytes : null;
}

/** Returns the key as base64url. @throws ApiError `invalid_request` for bytes that are not an Ed25519 public key */
export async function requireEd25519(text: string, path: string): Promise<string> {
  const bytes = bytesOf(text.trim());
  if (bytes && (await isEd25519Point(bytes))) return bytes.toString('base64url');
  throw invalidField(path, 'invalid_format', `${path} must be an Ed25519 public key: 32 bytes as base64url or hex.`);
}

/** The RFC 7638 thumbprint of a key. */
export const thumbprintOf = (x: string): Promise<string> => calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });

/** Publishes a key. @throws ApiError `signing_key_exists`, `signing_key_limit` */
export async function registerAgentKey(
  tx: Tx,
  accountId: string,
  { kid, x, label, trustedFromStart }: Pick<AgentKey, 'kid' | 'x' | 'label' | 'trustedFromStart'>,
  now: number,
): Promise<AgentKey> {
  if (!(await agentKeySlots.take(tx, accountId, AGENT_KEYS_MAX)))
    throw limitReached(
      'signing_keys',
      { used: AGENT_KEYS_MAX, max: AGENT_KEYS_MAX },
      { fields: { limit: AGENT_KEYS_MAX } },
    );
  const key: AgentKey = { accountId, kid, x, label, createdAt: now, trustedFromStart };
  if (!(await insertAgentKey(tx, key))) throw new ApiError('signing_key_exists');
  return key;
}

/** Oldest first. */
export const agentKeysOf = (reader: Reader, accountId: string): Promise<AgentKey[]> =>
  listAgentKeys(reader, accountId, AGENT_KEYS_MAX);

const isRecentlyAdded = ({ createdAt, trustedFromStart }: AgentKey, now: number): boolean =>
  !isTrusted({ since: createdAt, trustedFromStart }, now);

/** Takes back the young keys of an account that is being secured; of a pod's former holder all. */
export const secureAgentKeys: LockdownHook = async (tx, { accountId, revert, whole, now }) => {
  const changes: RecentChange[] = [];
  if (!revert) return {};
  for (const key of await agentKeysOf(tx, accountId)) {
    if (!whole && !isRecentlyAdded(key, now)) continue;
    await removeAgentKey(tx, accountId, key.kid);
    changes.push({ at: now, what: 'signing_key_removed', detail: key.kid });
  }
  return { changes };
};

/** Names the young keys. */
export const youngAgentKeys: RecentlyAdded = async (reader, accountId, now) =>
  (await agentKeysOf(reader, accountId))
    .filter((key) => isRecentlyAdded(key, now))
    .map(({ kid }) => `signing key ${kid}`);

/** Removes a key. @throws ApiError `not_found` */
export async function removeAgentKey(tx: Tx, accountId: string, kid: string): Promise<void> {
  if (!(await deleteAgentKey(tx, accountId, kid))) throw new ApiError('not_found');
  await agentKeySlots.giveBack(tx, accountId);
}
