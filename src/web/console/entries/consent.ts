import { render } from 'lit-html';
import { systemNow } from '../../../client/client-clock.ts';
import { readOperated } from '../parts/login/account-entry.ts';
import { type AskedConsent, type ConsentState, consentView, type Decidable } from '../parts/login/consent-view.ts';
import { passkeySession } from '../ui/browser-passkey.ts';
import { isSignedOut, messageOf, serviceFor } from '../ui/console-service.ts';
import { forgetCredential, isSession, rememberReturn, storedCredential } from '../ui/console-session.ts';
import { agentName } from '../ui/format.ts';
import { showPlainly } from '../ui/plain-text.ts';
import { prepareToasts } from '../ui/toast.ts';

/**
 * `/oauth/authorize?client_id=…`: a person lets an application act for an agent. The service checked the request and
 * wrote what it asks for into the document. Opening the page decides nothing. The session goes out in a header, never in
 * a cookie, so no other site can decide in the person's name.
 */

const root = document.getElementById('app') as HTMLElement;
const asked = readAsked(document.getElementById('asked') as HTMLElement);
let state: ConsentState = { kind: 'loading' };
/** The session that decides. */
let session: string | null = null;
/** Whether a passkey opened it for this decision alone. */
let isForThis = false;

function readAsked({ dataset }: HTMLElement): AskedConsent {
  const { request = '', client = '', host, destination = '', ownMachine, scopes = '' } = dataset;
  return {
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
  render(consentView(asked, state, { sendLink, usePasskey, decide, logInAnew }), root);
  document.title = 'Let this application in? · Signet';
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

async function decide(decision: 'allow' | 'deny', accountId: string, scopes: string[]): Promise<void> {
  const service = serviceFor(session);
  const agent = state.kind === 'asking' ? state.agents.find(({ id }) => id === accountId)?.label : undefined;
  const input = { request: asked.request, decision, account_id: accountId };
  try {
    const { redirect_to: to } = await service.decideConsent(decision === 'allow' ? { ...input, scopes } : input);
    await endOwnSession();
    const at = new Date(systemNow()).toISOString();
    show(
      { kind: 'done', decided: { isAllowed: decision === 'allow', agent: agent ?? accountId, at, to } },
      'done-title',
    );
    location.replace(to);
  } catch (err) {
    if (!isSignedOut(err)) throw err;
    fault(err);
  }
}

root.replaceChildren();
showPlainly();
prepareToasts();
show(state);
const stored = storedCredential();
session = isSession(stored) ? stored : null;
await askForDecision();
