import { render } from 'lit-html';
import { systemNow } from '../../../client/client-clock.ts';
import { readOperated } from '../parts/login/account-entry.ts';
import {
  type AskedConsent,
  type ConsentState,
  consentView,
  DEVICE,
  type Decidable,
  questionOf,
} from '../parts/login/consent-view.ts';
import { passkeySession } from '../ui/browser-passkey.ts';
import { isSignedOut, messageOf, serviceFor } from '../ui/console-service.ts';
import { forgetCredential, isSession, rememberReturn, storedCredential } from '../ui/console-session.ts';
import { agentName } from '../ui/format.ts';
import { askOtherTabs } from '../ui/other-tabs.ts';
import { showPlainly } from '../ui/plain-text.ts';
import { prepareToasts } from '../ui/toast.ts';

/**
 * `/oauth/authorize?client_id=…`: a person lets an application act for an agent. The service checked the request and
 * wrote what it asks for into the document. `/device`: the person types the code that a command line on another machine
 * shows. Opening the page decides nothing. The session goes out in a header, never in a cookie, so no other site can
 * decide in the person's name.
 */

const root = document.getElementById('app') as HTMLElement;
const element = document.getElementById('asked');
let asked = element === null ? DEVICE : readAsked(element);
/** The code that the person typed. */
let userCode: string | null = null;
let state: ConsentState = { kind: 'loading' };
/** The session that decides. */
let session: string | null = null;
/** Whether a passkey opened it for this decision alone. */
let isForThis = false;

function readAsked({ dataset }: HTMLElement): AskedConsent {
  const { request = '', client = '', host, destination = '', ownMachine, scopes = '', kind } = dataset;
  return {
    kind: kind === 'command_line' ? kind : 'application',
    request,
    name: client,
    host: host ?? null,
    destination,
    isOwnMachine: ownMachine === 'true',
    scopes: scopes.split(' '),
  };
}

function show(next: ConsentState, focus?: string): void {
  state = next;
  render(consentView(asked, state, { sendLink, usePasskey, useCode, decide, logInAnew }), root);
  document.title = `${questionOf(asked)} · Signet`;
  if (focus !== undefined) document.getElementById(focus)?.focus();
}

/** The agents that the session may decide for, with the names that they gave themselves. */
async function decidable(credential: string): Promise<Decidable[]> {
  const service = serviceFor(credential);
  const [own, operated] = await Promise.all([service.getAccount({}), readOperated(service, credential)]);
  const found = new Map([[own.account_id, own.name || (own.addresses[0] ?? null)]]);
  for (const { account_id: id, name, addresses } of operated?.agents ?? [])
    found.set(id, name || (addresses[0] ?? null));
  return [...found].map(([id, name]) => ({ id, label: `${agentName(name)} (${id})` }));
}

async function askForDecision(): Promise<void> {
  if (session === null) return show({ kind: 'login', problem: '' });
  if (asked.kind === 'device' && userCode === null) return show({ kind: 'code' }, 'code');
  try {
    const agents = await decidable(session);
    show({ kind: 'asking', agents }, 'asking-title');
  } catch (err) {
    fault(err);
  }
}

function fault(err: unknown): void {
  const isEnded = isSignedOut(err);
  if (isEnded && session !== null) forgetCredential(session);
  if (isEnded) session = null;
  show({ kind: 'login', problem: isEnded ? 'Your login has ended. Log in again.' : messageOf(err) });
}

/** Shows what the command line with a code asks for. */
async function useCode(code: string): Promise<void> {
  try {
    const { client_name: name, scopes } = await serviceFor(session).decideDeviceLogin({ user_code: code });
    asked = { ...DEVICE, name, scopes };
    userCode = code;
  } catch (err) {
    if (!isSignedOut(err)) throw err;
    return fault(err);
  }
  await askForDecision();
}

async function sendLink(email: string): Promise<void> {
  await serviceFor(null).login({ email });
  rememberReturn();
  show({ kind: 'sent' }, 'sent-title');
}

async function usePasskey(): Promise<void> {
  const opened = await passkeySession();
  await endOwnSession();
  // The tab may hold another login, which stays.
  [session, isForThis] = [opened.session, true];
  await askForDecision();
}

/** Ends a session that a passkey opened for this decision alone. */
async function endOwnSession(): Promise<void> {
  const own = isForThis ? session : null;
  isForThis = false;
  if (own !== null)
    await serviceFor(own)
      .logout()
      .catch(() => {});
}

async function logInAnew(): Promise<void> {
  const ended = endOwnSession();
  session = null;
  show({ kind: 'login', problem: '' }, 'email');
  await ended;
}

/** @returns where the browser goes with the answer; null: the command line on another machine asks for it */
async function send(decided: {
  decision: 'allow' | 'deny';
  account_id: string;
  scopes?: string[];
}): Promise<string | null> {
  const service = serviceFor(session);
  if (userCode === null) return (await service.decideConsent({ request: asked.request, ...decided })).redirect_to;
  await service.decideDeviceLogin({ user_code: userCode, ...decided });
  return null;
}

async function decide(decision: 'allow' | 'deny', accountId: string, scopes: string[]): Promise<void> {
  const agent = state.kind === 'asking' ? state.agents.find(({ id }) => id === accountId)?.label : undefined;
  try {
    const to = await send(
      decision === 'allow' ? { decision, account_id: accountId, scopes } : { decision, account_id: accountId },
    );
    await endOwnSession();
    const at = new Date(systemNow()).toISOString();
    show(
      { kind: 'done', decided: { isAllowed: decision === 'allow', agent: agent ?? accountId, at, to } },
      'done-title',
    );
    if (to !== null) location.replace(to);
  } catch (err) {
    if (!isSignedOut(err)) throw err;
    fault(err);
  }
}

root.replaceChildren();
showPlainly();
prepareToasts();
show(state);
const stored = storedCredential() ?? (await askOtherTabs());
session = isSession(stored) ? stored : null;
await askForDecision();
