import { ApiError } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import { pipeline, type Reader } from '../../../api/transaction.ts';
import {
  type Gate,
  type Judgement,
  type Leaving,
  type Made,
  type RuledWay,
  WAY_RULES,
  type WayRule,
} from '../../../api/way-out.ts';
import { findAccount } from '../../account/accounts/account-lifecycle.ts';
import { isOperator } from '../../account/people/person.ts';
import { isListedFor } from '../mail-policy/effective-policy.ts';
import { findWay, listWays } from './way-policy-store.ts';
import type { PolicySource, WayPolicy } from './way-policy-table.ts';

/** Open whatever the mail policy says: a token states who the agent is, and carries nothing else. */
const NEVER_DERIVED: readonly RuledWay[] = ['token'];
const NOT_LISTED = Promise.resolve({ own: false, byPlatform: false });
const NONE = Promise.resolve(null);

/** A policy that judges alone. All that hold for something must let it out. */
export interface WayLayer {
  /** Whose operators decide. */
  accountId: string;
  setBy: PolicySource;
  rule: WayRule;
  allow: readonly string[];
}

type Account = Pick<Principal, 'accountId' | 'parentId'>;

/** The policies of an account, those that its platform set for it among them. */
interface Policies {
  rows: readonly WayPolicy[];
  listed: Awaited<ReturnType<typeof isListedFor>>;
}

/**
 * Reads the policies of an account, and of the platform of a pod.
 * @param way null: of all ways
 */
function readPolicies(reader: Reader, { accountId, parentId }: Account, way: RuledWay | null) {
  const read = async (id: string): Promise<Policies> => {
    const listing = way !== null && NEVER_DERIVED.includes(way) ? NOT_LISTED : isListedFor(reader, id);
    const rules = way === null ? listWays(reader, id) : findWay(reader, id, way);
    const [rows, listed] = await pipeline([rules, listing] as const);
    return { rows, listed };
  };
  return pipeline([read(accountId), parentId === null ? NONE : read(parentId)] as const);
}

/** The rule of a way: where none is set, what may not be mailed to everyone must not get out in another way. */
function ruleOf({ rows, listed }: Policies, way: RuledWay, isPlatform: boolean) {
  const set = rows.find((row) => row.way === way && row.isPlatform === isPlatform);
  const isListed = !NEVER_DERIVED.includes(way) && (isPlatform ? listed.byPlatform : listed.own);
  return { isSet: set !== undefined, rule: set?.rule ?? (isListed ? 'operator' : 'open'), allow: set?.allow ?? [] };
}

/** The layers of an account, and for a pod what its platform set for it, and the platform's own. */
function layersIn(
  { accountId, parentId }: Account,
  way: RuledWay,
  own: Policies,
  platform: Policies | null,
): WayLayer[] {
  const { isSet, ...rule } = ruleOf(own, way, false);
  const layers: WayLayer[] = [{ accountId, setBy: isSet ? 'own' : 'default', ...rule }];
  if (parentId !== null && platform !== null)
    for (const { rule, allow } of [ruleOf(own, way, true), ruleOf(platform, way, false)])
      layers.push({ accountId: parentId, setBy: 'platform', rule, allow });
  return layers;
}

const layersOf = async (reader: Reader, account: Account, way: RuledWay): Promise<WayLayer[]> =>
  layersIn(account, way, ...(await readPolicies(reader, account, way)));

/** The layer of each way that lets out least; of equals the first. */
export async function narrowestOf(reader: Reader, account: Account): Promise<(way: RuledWay) => WayLayer> {
  const policies = await readPolicies(reader, account, null);
  return (way) =>
    layersIn(account, way, ...policies).reduce((least, layer) =>
      WAY_RULES.indexOf(layer.rule) > WAY_RULES.indexOf(least.rule) ? layer : least,
    );
}

const HINT = {
  way_off: 'has turned this way out off. An operator can open it: PUT /v1/account/policy.',
  target_not_allowed: 'does not list this target. An operator can add it: PUT /v1/account/policy.',
  operator_required:
    'leaves this to an operator, who can do it in a session, or open the way or add the target: PUT /v1/account/policy.',
} as const;

const CODES = { off: 'way_off', list: 'target_not_allowed', operator: 'operator_required' } as const;

const WHOSE = {
  account: 'account',
  platform: 'platform of this pod',
  delegate: 'acting agent or its platform',
} as const;

interface Judged extends WayLayer {
  whose: keyof typeof WHOSE;
}

function refusalBy({ accountId, whose, rule, allow }: Judged, way: RuledWay, { target, operatedBy }: Made) {
  if (rule === 'open' || (rule !== 'off' && target !== null && allow.includes(target))) return null;
  if (rule === 'operator' && operatedBy.includes(accountId)) return null;
  const code = CODES[rule];
  const fields = { way, target, ...(whose !== 'account' && { limit_set_by: whose }) };
  return new ApiError(code, { message: `The policy of the ${WHOSE[whose]} for \`${way}\` ${HINT[code]}`, fields });
}

const platformOf = async (reader: Reader, accountId: string): Promise<string | null> =>
  (await findAccount(reader, accountId))?.parentId ?? null;

/**
 * The one rule of what may leave. The policy of the account acted for, of its platform, and of each account in the chain
 * of delegations with its platform must all let it out.
 */
async function mayLeave(reader: Reader, leaving: Leaving, way: RuledWay): Promise<Judgement> {
  const { accountId, parentId = await platformOf(reader, accountId), actors = [] } = leaving;
  const own = await layersOf(reader, { accountId, parentId }, way);
  const layers = own.map((layer): Judged => ({ ...layer, whose: layer.setBy === 'platform' ? 'platform' : 'account' }));
  for (const actor of actors)
    for (const layer of await layersOf(reader, { accountId: actor, parentId: await platformOf(reader, actor) }, way))
      layers.push({ ...layer, whose: 'delegate' });
  return (made) => {
    for (const layer of layers) {
      const refusal = refusalBy(layer, way, made);
      if (refusal) return refusal;
    }
    return null;
  };
}

/** The accounts whose operator calls: the own one by its session, its platform as the same person. */
async function operatedBy(reader: Reader, { accountId, parentId, operator, person }: Principal): Promise<string[]> {
  if (person === null) return [];
  const isPlatforms = parentId !== null && (await isOperator(reader, parentId, person));
  return [...(operator ? [accountId] : []), ...(isPlatforms ? [parentId] : [])];
}

export const gate: Gate = {
  async require(reader, principal, way, targets = [null]) {
    const { accountId, parentId, delegation } = principal;
    const refusal = await mayLeave(reader, { accountId, parentId, actors: delegation?.actors ?? [] }, way);
    const made = await operatedBy(reader, principal);
    for (const target of targets) {
      const refused = refusal({ target, operatedBy: made });
      if (refused) throw refused;
    }
    return made;
  },
  mayLeave,
};
