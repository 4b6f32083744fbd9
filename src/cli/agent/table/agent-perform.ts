import type { OperationName } from '../../../client/generated/operations.ts';
import type { CallOptions } from '../../../client/operation.ts';
import type { SignetClient } from '../../../client/signet-client.ts';
import { SignetConnectionError, SignetError } from '../../../client/signet-error.ts';
import { printable } from '../../output.ts';
import { AgentCommandError, EXIT } from '../agent-failure.ts';
import type { AgentRun } from '../agent-run.ts';
import { type Login, uninterrupted } from '../agent-session.ts';
import { exitCodeOf } from './agent-reply.ts';
import { isWrite, rowOf, usage } from './operation-fields.ts';

type Method = (input: object, options: CallOptions) => Promise<unknown>;

/** The method of an operation in its group, which fills in the only address of the account. */
function methodOf(client: SignetClient, operation: OperationName): Method {
  const { group, name } = rowOf(operation);
  return (client as unknown as Record<string, Record<string, Method>>)[group]?.[name] as Method;
}

/** What the options of a command say about its call. @throws AgentCommandError */
export function callOptionsOf(options: {
  idempotencyKey?: string | undefined;
  dryRun?: boolean | undefined;
}): CallOptions {
  const { idempotencyKey, dryRun } = options;
  if (idempotencyKey !== undefined && dryRun) throw usage('use --dry-run or --idempotency-key, not both');
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

/** What replies with the key that replaces the caller's, which works no more. */
const REPLACES_KEY: readonly OperationName[] = ['rotateKey', 'secureAccount'];

/** Stores a new key in the place of the old one. @returns the file */
function keepKey(run: AgentRun, login: Login, key: string): string {
  try {
    return run.session.saveLogin({ ...login, key });
  } catch (err) {
    // Nothing else has the key.
    run.note(`the key could not be kept: ${printable(key)}`);
    throw err;
  }
}

/** When the reply to a call that replaces the key is lost, the new key is lost with it, and the old one is refused. */
function noteLoss(run: AgentRun, err: unknown): never {
  if (err instanceof SignetConnectionError || (err instanceof SignetError && err.status === 401))
    run.note(
      'if the key was replaced, its reply is lost: activate the backup key, or log in with a confirmed address and secure the account',
    );
  throw err;
}

/** Calls an operation. Its reply decides the exit code, and a key that it replaces is kept where the old one was. */
export async function perform(run: AgentRun, operation: OperationName, input: object, options: CallOptions = {}) {
  const caller = run.caller();
  const login = REPLACES_KEY.includes(operation) && !run.isDry ? run.session.login() : null;
  const isOfLogin = login !== null && run.session.credential().key === login.key;
  if (isOfLogin) run.session.requireWritable();
  const call = () => methodOf(caller, operation)(input, options);
  const reply = await (isOfLogin
    ? uninterrupted(async () => {
        const replaced = await call().catch((err: unknown) => noteLoss(run, err));
        run.keyPath = keepKey(run, login, (replaced as { api_key: string }).api_key);
        return replaced;
      })
    : call());
  if (isWrite(operation)) run.exitCode = exitCodeOf(reply);
  return reply;
}

/** Asks for every change what would happen. @throws AgentCommandError by a service that does not know the question */
export const dryFetch: typeof fetch = async (input, init) => {
  if ((init?.method ?? 'GET') === 'GET') return fetch(input, init);
  const headers = new Headers(init?.headers);
  headers.delete('idempotency-key');
  headers.set('signet-dry-run', 'true');
  const response = await fetch(input, { ...init, headers });
  if (!response.ok || response.headers.get('signet-dry-run') === 'true') return response;
  throw new AgentCommandError(EXIT.fault, 'this service has no dry run: it did what you asked about');
};
