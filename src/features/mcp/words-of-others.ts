import type { Endpoint } from '../../api/endpoint.ts';
import type { Scope } from '../../api/scopes.ts';
import { withoutInvisible } from '../../mail/screening/invisible-text.ts';
import type { Json } from './mcp-messages.ts';

/**
 * Which texts of a reply others wrote. Everything counts as theirs but what is known to come from the service or the
 * account, so a new field is fenced until this table says that it need not be.
 */

/** Replies of these scopes hold only what the account or the service wrote. */
const OWN_SCOPES: readonly (Scope | undefined)[] = [
  'vault:read',
  'vault:write',
  'money:spend',
  'identity:read',
  'identity:issue',
  'credentials:request',
  'trust:write',
];
/** So do these operations. */
const OWN_OPERATIONS: readonly string[] = [
  ...['getAccount', 'getPower', 'getUsage', 'getUsageDays', 'getBilling', 'getBudget', 'register', 'getTrust'],
  ...['sendEmail', 'sendFromInbox', 'createDraft', 'claimAddress', 'createInbox', 'updateAddress', 'listAddresses'],
];

/** Of such a scope, and yet it names senders of mail. */
const OTHERS_OPERATIONS: readonly string[] = ['listWaiting', 'listOperatorWaiting'];

/** Whether the whole reply of an endpoint is from the account or the service. */
export const isOwnReply = ({ scope, operation, tag }: Endpoint): boolean =>
  !OTHERS_OPERATIONS.includes(operation) &&
  (OWN_SCOPES.includes(scope) || OWN_OPERATIONS.includes(operation) || tag === 'Service' || tag === 'Discovery');

/** Members that the service or the account wrote, with all that is in them. */
const OWN_MEMBERS = new Set([
  ...['labels', 'metadata', 'next_cursor', 'safety', 'problem', 'scopes', 'do'],
  ...['action', 'category', 'prefix', 'ip', 'prev_hash', 'hash', 'request_id'],
]);
/** Of these, those that the account of the record wrote, which may be a pod of the caller. */
const OF_ACCOUNT = new Set(['metadata', 'category']);
/** The members of an event, by names that the service chose although its schema does not list them. */
const NAMED_BY_SERVICE = 'data';
/** Members that say what another says. */
const REPEATED = new Set(['message_id_url', 'body_preview']);
/** Members of a refusal that the service wrote. A sentence that names an address may name a stranger's. */
const OWN_OF_REFUSALS = new Set([
  'error',
  'code',
  'docs_url',
  'required_scope',
  'limit',
  'limit_set_by',
  'way',
  'suggestion',
]);

const ID_NAME =
  /^(id|(account|agent|approval|charge|delegation|draft|email|event|grant|message|notice|payment|person|pod|request|resource|review|thread)_id)$/;
/** As `base/ids.ts` makes them. */
const ID = /^[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}$/;
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]{5,15}Z)?$/;

/** The parts of a JSON schema that tell whose a text is. */
export interface SchemaNode {
  anyOf?: readonly SchemaNode[];
  const?: unknown;
  enum?: readonly unknown[];
  items?: SchemaNode;
  type?: unknown;
  properties?: Readonly<Record<string, SchemaNode>>;
}

/** A reply, and what is known of it. */
export interface ShownReply {
  body: Json;
  schemas: readonly SchemaNode[];
  /** Whose reply it is. */
  accountId: string | null;
  /** Whether its arrays of objects are entries, each with a fence. */
  isList: boolean;
  /** The member that is never cut. */
  whole?: string | undefined;
  isRefusal?: boolean;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
const isRecords = (value: unknown): value is Json[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const variantsOf = (nodes: readonly SchemaNode[]): SchemaNode[] =>
  nodes.flatMap((node) => (node.anyOf ? variantsOf(node.anyOf) : [node]));
const memberOf = (nodes: readonly SchemaNode[], name: string): SchemaNode[] =>
  variantsOf(nodes).flatMap(({ properties }) => properties?.[name] ?? []);
const itemsOf = (nodes: readonly SchemaNode[]): SchemaNode[] => variantsOf(nodes).flatMap(({ items }) => items ?? []);

/** Whether others may choose the names of the members of an object. */
const isMap = (name: string, nodes: readonly SchemaNode[]): boolean =>
  name !== NAMED_BY_SERVICE && variantsOf(nodes).some(({ type, properties }) => type === 'object' && !properties);

/** Whether a record of an account is of another one. */
const isOfOther = ({ account_id: id }: Json, accountId: string | null): boolean => id !== undefined && id !== accountId;

/** Whether a text is a word of the API, a time or an id. */
const isOfService = (name: string, text: string, nodes: readonly SchemaNode[]): boolean =>
  variantsOf(nodes).some((node) => node.enum?.includes(text) || node.const === text) ||
  TIME.test(text) ||
  (ID_NAME.test(name) && ID.test(text));

/** An observation of the account, or an event that it made. */
const isOwnRecord = (value: Json, accountId: string | null): boolean =>
  ('topic' in value && accountId !== null && value.agent_id === accountId) ||
  ('all_day' in value && value.status === 'confirmed');

/** What others wrote, without what is invisible and what could end the fence. */
const contentOf = (text: string, nonce: string): string =>
  withoutInvisible(text).text.replaceAll(nonce, '').replaceAll('<<<', '< < <').toWellFormed();

/** Marks text that others wrote, as `format=llm` marks a mail. The sender cannot know the nonce. */
export const fence = (text: string, nonce: string): string =>
  `<<<untrusted ${nonce}>>>\n${contentOf(text, nonce)}\n<<<end ${nonce}>>>`;

/** A line of a fence. A text of several lines is indented, so that it cannot pass for another member. */
const lineOf = (path: string, text: string, nonce: string): string =>
  `${path.replace(/[^\w.-]/g, '_')}: ${contentOf(text, nonce).replace(/[\n\v\f\u0085\u2028\u2029]/g, '\n ')}`;

/** At most so many bytes of UTF-8, without half characters. */
function startOf(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text.slice(0, bytesMax));
  return bytes.length <= bytesMax && text.length <= bytesMax
    ? text
    : `${bytes
        .subarray(0, bytesMax)
        .toString('utf8')
        .replace(/\ufffd+$/, '')}…`;
}

/** Moves the words of others into fences, with no text longer than some bytes. */
class Fencing {
  readonly #reply: ShownReply;
  readonly #nonce: string;
  readonly #bytesMax: number;
  #cuts = 0;

  constructor(reply: ShownReply, nonce: string, bytesMax: number) {
    this.#reply = reply;
    this.#nonce = nonce;
    this.#bytesMax = bytesMax;
  }

  show(): Json {
    return this.#record(this.#reply.body, this.#reply.schemas, true);
  }

  /** An object that has its fence inside. */
  #record(value: Json, nodes: readonly SchemaNode[], isTop: boolean): Json {
    const { accountId } = this.#reply;
    const lines: string[] = [];
    const cutsBefore = this.#cuts;
    const shown = isOwnRecord(value, accountId)
      ? (this.#own(value) as Json)
      : this.#members(value, nodes, { path: '', lines, isTop });
    const isCut = this.#cuts > cutsBefore && !(isTop && this.#reply.isList);
    const words = lines.length === 0 ? {} : { untrusted: fence(lines.join('\n'), this.#nonce) };
    return { ...shown, ...(isCut ? { cut: true } : {}), ...words };
  }

  #members(value: Json, nodes: readonly SchemaNode[], at: { path: string; lines: string[]; isTop: boolean }): Json {
    const shown: Json = {};
    const isOther = isOfOther(value, this.#reply.accountId);
    for (const [name, member] of Object.entries(value)) {
      // In a list there is no room for what is not there.
      if (REPEATED.has(name) || (this.#reply.isList && !at.isTop && isNothing(member))) continue;
      const isOwn =
        (OWN_MEMBERS.has(name) && !(isOther && OF_ACCOUNT.has(name))) || (at.isTop && this.#isOwnAtTop(name, member));
      const inside = memberOf(nodes, name);
      const kept = isOwn
        ? this.#own(member, name)
        : at.isTop && this.#reply.isList && isRecords(member)
          ? member.map((entry) => this.#record(entry, itemsOf(inside), false))
          : this.#value(name, member, inside, { path: `${at.path}${name}`, lines: at.lines });
      if (kept !== undefined) shown[name] = kept;
    }
    return shown;
  }

  /** Whether a member of the reply itself is own. Deeper down, others may have chosen it. */
  #isOwnAtTop(name: string, member: unknown): boolean {
    if (!this.#reply.isRefusal) return name === 'address' && typeof member === 'string';
    return OWN_OF_REFUSALS.has(name) || (name === 'message' && !String(member).includes('@'));
  }

  /** What stays outside of a value. Undefined: nothing. */
  #value(name: string, value: unknown, nodes: readonly SchemaNode[], at: { path: string; lines: string[] }): unknown {
    const { path, lines } = at;
    if (typeof value === 'string') {
      if (value === '' || isOfService(name, value, nodes)) return value;
      lines.push(lineOf(path, this.#cut(value, name), this.#nonce));
      return undefined;
    }
    if (isTexts(value)) {
      if (value.every((text) => isOfService(name, text, itemsOf(nodes)))) return value;
      lines.push(lineOf(path, this.#cut(value.join(', '), name), this.#nonce));
      return undefined;
    }
    if (Array.isArray(value)) {
      const items = value.map(
        (item, i) => this.#value(name, item, itemsOf(nodes), { path: `${path}.${i}`, lines }) ?? {},
      );
      return items.length > 0 && items.every((item) => isObject(item) && Object.keys(item).length === 0)
        ? undefined
        : items;
    }
    if (!isObject(value)) return value;
    if (isMap(name, nodes)) {
      for (const [i, [key, inner]] of Object.entries(value).entries()) {
        const pair = `${key}: ${typeof inner === 'string' ? inner : JSON.stringify(inner)}`;
        lines.push(lineOf(`${path}.${i}`, this.#cut(pair, name), this.#nonce));
      }
      return undefined;
    }
    const shown = this.#members(value, nodes, { path: `${path}.`, lines, isTop: false });
    return Object.keys(shown).length === 0 ? undefined : shown;
  }

  /** What the account wrote stays as it is, but for its length. */
  #own(value: unknown, name = ''): unknown {
    if (typeof value === 'string') return name === 'next_cursor' || ID.test(value) ? value : this.#cut(value, name);
    if (isTexts(value)) return this.#fewer(value);
    if (Array.isArray(value)) return value.map((item) => this.#own(item, name));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, this.#own(inner, member)]));
  }

  /** As many texts as there is room for, but one. */
  #fewer(texts: readonly string[]): string[] {
    let room = this.#bytesMax;
    const kept = texts.filter((text, i) => {
      room -= Buffer.byteLength(text);
      return i === 0 || room >= 0;
    });
    if (kept.length < texts.length) this.#cuts += 1;
    return kept.map((text) => this.#cut(text, ''));
  }

  #cut(text: string, name: string): string {
    if (name !== '' && name === this.#reply.whole) return text;
    const short = startOf(text, this.#bytesMax);
    if (short !== text) this.#cuts += 1;
    return short;
  }
}

/** The longest text, in bytes: the first with which all fits. */
const STEPS = [65_536, 8192, 4096, 2048, 1024, 512, 256, 160, 96, 64, 40, 24, 12];

export const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * A reply with the words of others in fences. Where it would be longer than `bytesMax`, the longest texts are cut, and what
 * lost something has `cut: true`.
 */
export function fenceWords(reply: ShownReply, nonce: string, bytesMax: number): Json {
  for (const step of STEPS) {
    const shown = new Fencing(reply, nonce, step).show();
    if (step === STEPS.at(-1) || sizeOf(shown) <= bytesMax) return shown;
  }
  throw new Error('there are no steps');
}
