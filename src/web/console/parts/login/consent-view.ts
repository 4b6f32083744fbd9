import { html, nothing, type TemplateResult } from 'lit-html';
import { time } from '../../ui/format.ts';
import { onChoose, onSubmit } from '../../ui/handlers.ts';
import { chosenIn, textIn } from '../../ui/kit/form.ts';
import { facts } from '../../ui/kit/section.ts';
import { card } from '../card-part.ts';
import { scopeLabel } from '../keys/scope-labels.ts';
import { emailField, passkeyAction } from './login-view.ts';

/** What a person sees of an application that asks to act for an agent. */

/** A request that the service checked. Name and hosts come from the application. */
export interface AskedConsent {
  /** The command line of this service asks for a key: on this machine, or on one that shows a code. */
  kind: 'application' | 'command_line' | 'device';
  /** What goes back with the decision. */
  request: string;
  name: string;
  /** The host of its metadata. Null: it registered itself. */
  host: string | null;
  /** Where it redirects to. */
  destination: string;
  isOwnMachine: boolean;
  scopes: readonly string[];
}

/** An agent that this person may decide for. */
export interface Decidable {
  id: string;
  label: string;
}

/** How it ended. */
export interface Decided {
  isAllowed: boolean;
  agent: string;
  /** ISO 8601. */
  at: string;
  /** Where the browser goes next. Null: nowhere. */
  to: string | null;
}

export type ConsentState =
  | { kind: 'loading' }
  | { kind: 'login'; problem: string }
  | { kind: 'sent' }
  | { kind: 'code' }
  | { kind: 'asking'; agents: readonly Decidable[] }
  | { kind: 'done'; decided: Decided };

export interface ConsentActions {
  sendLink(email: string): Promise<void>;
  usePasskey(): Promise<void>;
  useCode(code: string): Promise<void>;
  decide(decision: 'allow' | 'deny', accountId: string, scopes: string[]): Promise<void>;
  logInAnew(): Promise<void>;
}

/** What opens other accounts, and what a person decides: ticked by hand alone. */
const UNTICKED: readonly string[] = ['mail:codes', 'money:approve'];

const labelOf = (scope: string): string =>
  scope === 'account:manage' ? 'Change settings of the account' : scopeLabel(scope);

/** What waits for its code. */
export const DEVICE: AskedConsent = {
  kind: 'device',
  request: '',
  name: 'Command line',
  host: null,
  destination: 'your terminal',
  isOwnMachine: false,
  scopes: [],
};

const QUESTIONS = {
  application: 'Allow this application to act for your agent?',
  command_line: 'Allow the command line on this machine?',
  device: 'Allow a command line?',
} as const;

export const questionOf = ({ kind }: AskedConsent): string => QUESTIONS[kind];

const KEY = 'It asks for a named key of one of your agents. The key ends after 90 days, or when you delete it.';

const whatIsAsked = ({ kind, host }: AskedConsent): string =>
  kind !== 'application'
    ? KEY
    : `It asks to act for one of your agents through MCP. ${host === null ? 'It registered itself, and nobody checked its name.' : `Its metadata come from ${host}.`}`;

const whoAsks = (asked: AskedConsent): TemplateResult => {
  const { kind, name, destination, isOwnMachine } = asked;
  return html`
  <h1 id="asking-title" tabindex="-1">${questionOf(asked)}</h1>
  ${facts([
    [kind === 'application' ? 'Application' : 'Program', html`<strong id="client">${name}</strong>`],
    [
      kind === 'application' ? 'Redirects to' : 'Sends the key to',
      html`<span id="redirect-host" class="mono">${destination}</span>`,
    ],
  ])}
  <p id="what">${whatIsAsked(asked)}</p>
  ${kind === 'device' ? html`<p class="problem" id="other-machine">Go on only if you started signet login yourself and read the code on your own screen. If a message or a call gave you the code, its sender would get the key.</p>` : nothing}
  ${isOwnMachine ? html`<p class="problem" id="own-machine">This leads to a program on your own computer (${destination}). Any program there can ask under any name. Go on only if you have just started this yourself.</p>` : nothing}`;
};

const loginForm = (problem: string, { sendLink, usePasskey }: ConsentActions): TemplateResult => html`
  <form id="login" @submit=${onSubmit((form) => sendLink(textIn(form, 'email')))}>
    <p>Log in first, as the operator of the agent.</p>
    ${emailField}
    <p class="problem" id="problem" role="alert">${problem}</p>
    <button class="button primary wide" id="send">Email me a link</button>
    ${passkeyAction(usePasskey)}
  </form>`;

const codeForm = ({ useCode, logInAnew }: ConsentActions): TemplateResult => html`
  <form id="code-form" @submit=${onSubmit((form) => useCode(textIn(form, 'code')))}>
    <label for="code">Code that the command line shows</label>
    <input id="code" class="mono" name="code" autocomplete="off" autocapitalize="characters" maxlength="16"
      placeholder="XXXX-XXXX" required spellcheck="false">
    <p class="problem" id="problem" role="alert"></p>
    <button class="button primary wide" id="use-code">Continue</button>
    <p class="fine"><button type="button" class="link" id="other" @click=${logInAnew}>Log in as another person</button></p>
  </form>`;

function decisionForm(
  { scopes }: AskedConsent,
  agents: readonly Decidable[],
  { decide, logInAnew }: ConsentActions,
): TemplateResult {
  const press = (decision: 'allow' | 'deny') =>
    onChoose(async (form) => {
      const chosen = chosenIn(form, 'scope');
      if (decision === 'allow' && chosen.length === 0)
        throw new Error('Choose at least one thing that it may do, or deny.');
      await decide(decision, textIn(form, 'account'), chosen);
    });
  return html`
    <form id="form" @submit=${(event: Event) => event.preventDefault()}>
      <label for="account">Agent</label>
      <select id="account" name="account">${agents.map(({ id, label }) => html`<option value=${id}>${label}</option>`)}</select>
      <fieldset>
        <legend>It may</legend>
        ${scopes.map(
          (scope) =>
            html`<label class="check"><input type="checkbox" name="scope" value=${scope} ?checked=${!UNTICKED.includes(scope)}> <span>${labelOf(scope)} <code class="fine">${scope}</code></span></label>`,
        )}
      </fieldset>
      <p class="problem" id="problem" role="alert"></p>
      <p class="actions">
        <button type="button" class="button decide" id="allow" @click=${press('allow')}>Allow</button>
        <button type="button" class="button" id="deny" @click=${press('deny')}>Deny</button>
      </p>
      <p class="fine"><button type="button" class="link" id="other" @click=${logInAnew}>Log in as another person</button></p>
    </form>`;
}

function outcome({ name, destination: host }: AskedConsent, { isAllowed, agent, at, to }: Decided): TemplateResult {
  const why = isAllowed ? `${name} may now act for ${agent}.` : `${name} learns that you refused.`;
  const next = to === null ? 'Go back to your terminal.' : `Taking you back to ${host}.`;
  return html`
    <section id="done">
      <h1 id="done-title" tabindex="-1">${isAllowed ? 'Allowed' : 'Denied'}</h1>
      <p>${why} ${next}</p>
      <p class="fine">${time(at)}</p>
      ${to === null ? nothing : html`<p><a class="button wide" id="back" rel="noreferrer" href=${to}>Go back to ${host}</a></p>`}
    </section>`;
}

const sent = html`
  <section id="sent">
    <h1 id="sent-title" tabindex="-1">Check your email</h1>
    <p>If your address belongs to an account, a login link is on its way. Open it in this browser: it brings you back here.</p>
  </section>`;

export function consentView(asked: AskedConsent, state: ConsentState, actions: ConsentActions): TemplateResult {
  if (state.kind === 'sent') return card(sent);
  if (state.kind === 'done') return card(outcome(asked, state.decided));
  return card(
    html`
      <section id="asking">
        ${whoAsks(asked)}
        ${state.kind === 'login' ? loginForm(state.problem, actions) : nothing}
        ${state.kind === 'code' ? codeForm(actions) : nothing}
        ${state.kind === 'asking' ? decisionForm(asked, state.agents, actions) : nothing}
        <p class="fine">You can end its access at any time. It cannot change keys, people or limits.</p>
      </section>`,
    'roomy',
  );
}
