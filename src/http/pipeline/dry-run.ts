import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../api/audit-record.ts';
import type { AuditNote, Endpoint, Reply } from '../../api/endpoint.ts';
import { ApiError, invalidField } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';
import type { DryRun, OtherService, Tx } from '../../api/transaction.ts';
import { wordDistance } from '../../base/nearest-word.ts';
import type { TransactContext, TransactPorts } from '../transact.ts';

/** The parameter that asks for a dry run, and the header that does. */
export const PARAMETER = 'dry_run';
const HEADER = 'signet-dry-run';
/** On every reply to a dry run, refusals included. */
export const DRY_RUN_HEADER = { [HEADER]: 'true' };
/** Longer names with a wrong letter are not meant to be the parameter. */
const NAME_CHARS_MAX = 20;

/** Whether a name holds the parameter's in any spelling, or is that with one wrong letter. */
function isNearly(name: string): boolean {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '');
  if (letters.includes('dryrun')) return true;
  if (name.length > NAME_CHARS_MAX) return false;
  const word = letters.replace(/^x?(?:signet)?/, '');
  // Asked of every header of every change: what is longer or shorter by two letters is not compared.
  return Math.abs(word.length - 'dryrun'.length) <= 1 && wordDistance(word, 'dryrun') <= 1;
}

const wrong = (path: string, right: string): ApiError =>
  invalidField(path, 'not_allowed', `A dry run is asked for with ${right}. Nothing was done.`);

function isInQuery(query: Readonly<Record<string, unknown>>): boolean {
  let isAsked = false;
  for (const name of Object.keys(query)) {
    if (name === PARAMETER && query[name] === 'true') isAsked = true;
    else if (isNearly(name)) throw wrong(`/query/${name}`, `${PARAMETER}=true`);
  }
  return isAsked;
}

function isInHeaders(headers: FastifyRequest['headers']): boolean {
  let isAsked = false;
  for (const name of Object.keys(headers)) {
    if (name === HEADER && headers[name] === 'true') isAsked = true;
    else if (isNearly(name)) throw wrong(`/header/${name}`, 'Signet-Dry-Run: true');
  }
  return isAsked;
}

/**
 * Whether a request asks for a dry run. A caller who misspelt that would believe that nothing was done, so it is refused,
 * unlike other unknown parameters (ADR 0007).
 * @throws ApiError `invalid_request`, `dry_run_unavailable`
 */
export function asksForDryRun({ dryRun }: Endpoint, { query, headers }: FastifyRequest): boolean {
  if (dryRun === undefined) return false;
  const [inQuery, inHeaders] = [isInQuery((query ?? {}) as Record<string, unknown>), isInHeaders(headers)];
  if (!inQuery && !inHeaders) return false;
  if (!dryRun) throw new ApiError('dry_run_unavailable');
  if (headers['idempotency-key'] !== undefined)
    throw invalidField(
      '/header/idempotency-key',
      'conflict',
      'A dry run takes no Idempotency-Key: the key would then answer the real call.',
    );
  return true;
}

type Count = (tx: Tx) => Promise<void>;

/** A dry run that is under way. */
export class Attempt implements DryRun {
  readonly #services = new Set<OtherService>();
  /** What the audit entry of the real call would say. */
  note: AuditNote | null = null;
  /** Whether the audit log has the outcome. */
  isAudited = false;
  readonly #counts: Count[] = [];

  dependsOn(service: OtherService): void {
    this.#services.add(service);
  }

  counts(count: Count): void {
    this.#counts.push(count);
  }

  /** Runs the handler, and writes what it would have done into the audit log. @returns the reply without its secrets */
  async run(
    endpoint: Endpoint,
    ports: Pick<TransactPorts, 'database' | 'appendAudits'>,
    {
      principal,
      ip,
      network,
      requestId,
      now,
    }: Pick<TransactContext, 'principal' | 'ip' | 'network' | 'requestId' | 'now'>,
    params: unknown,
    handle: () => Promise<Reply>,
  ): Promise<Reply> {
    const write = async (status: number): Promise<void> => {
      const { action = endpoint.operation } = endpoint;
      const resourceId = Object.values(params as Record<string, string>)[0] ?? null;
      // Only a credential or session makes dry runs.
      const note = this.note ?? { accountId: (principal as Principal).accountId, action, resourceId };
      const summary = `Tried: ${note.summary ?? endpoint.summary}`;
      const entry = { ...callerOf(principal), ...note, summary, ip, network, requestId, status, now };
      await ports.database.transaction((tx) => ports.appendAudits(tx, [{ ...entry, isDryRun: true }]));
      this.isAudited = true;
    };
    const counted = async (made: Reply): Promise<Reply> => {
      if (this.#counts.length > 0)
        await ports.database.transaction(async (tx) => {
          for (const count of this.#counts) await count(tx);
        });
      return made;
    };
    const made = await handle()
      .then(counted)
      .catch(async (err: unknown) => {
        if (err instanceof ApiError && err.status < 500) await write(err.status);
        throw err;
      });
    await write(made.status);
    return this.#shown(endpoint, made);
  }

  #shown({ replies }: Endpoint, { status, body, headers }: Reply): Reply {
    const secrets = new Set<string>();
    eachHidden((replies[status] ?? {}) as HiddenIn, body, false, secrets);
    const depends = this.#services.size === 0 ? {} : { depends_on: [...this.#services] };
    const shown = isPlainObject(body) ? { ...(without(body, secrets) as object), ...depends } : without(body, secrets);
    const shownHeaders = headers && (without(headers, secrets) as Record<string, string>);
    return { status, body: shown, ...(shownHeaders && { headers: shownHeaders }) };
  }
}

const HIDDEN = '…';

/** Not a stream or a date. */
const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

interface HiddenIn {
  'x-secret'?: true;
  'x-signed'?: true;
  properties?: Record<string, HiddenIn>;
  items?: HiddenIn;
  anyOf?: HiddenIn[];
}

/** Finds what the schema of a reply marks as a secret, or as signed by the service. */
function eachHidden(schema: HiddenIn, value: unknown, isMarked: boolean, found: Set<string>): void {
  const isHidden = isMarked || schema['x-secret'] === true || schema['x-signed'] === true;
  if (typeof value === 'string' && isHidden && value !== '') found.add(value);
  for (const option of schema.anyOf ?? []) eachHidden(option, value, isHidden, found);
  if (Array.isArray(value)) for (const item of value) eachHidden(schema.items ?? {}, item, isHidden, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      eachHidden(property, (value as Record<string, unknown>)[name], isHidden, found);
}

/** The same value with a stand-in for each secret, wherever it comes: a message or a link may repeat it. */
function without(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (secrets.size === 0) return value;
  if (typeof value === 'string') return [...secrets].reduce((text, secret) => text.replaceAll(secret, HIDDEN), value);
  if (Array.isArray(value)) return value.map((item) => without(item, secrets));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, without(item, secrets)]));
}
