import { html, nothing, type TemplateResult } from 'lit-html';
import { hasPasskeys } from '../../ui/browser-passkey.ts';
import { fill, time } from '../../ui/format.ts';
import { choosing, field, pressing, submitting } from '../../ui/handlers.ts';
import { words } from '../../words/console-words.ts';
import { card, facts } from '../card-part.ts';

/** What a person sees of an application that asks to act for an agent. */

const { consent } = words;

/** A request that the service checked. Name and hosts come from the application. */
export interface AskedConsent {
  /** What goes back with the decision. */
  request: string;
  name: string;
  /** The host of its metadata. Null: it registered itself. */
  host: string | null;
  /** Where its answer goes. */
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
  /** Where the browser goes next. */
  to: string;
}

export type ConsentState =
  | { kind: 'loading' }
  | { kind: 'login'; problem: string }
  | { kind: 'sent' }
  | { kind: 'asking'; agents: readonly Decidable[] }
  | { kind: 'done'; decided: Decided };

export interface ConsentActions {
  sendLink(email: string): Promise<void>;
  usePasskey(): Promise<void>;
  decide(decision: 'allow' | 'deny', accountId: string, scopes: string[]): Promise<void>;
  logInAnew(): Promise<void>;
}

const scopeWords: Readonly<Record<string, string>> = { 'account:manage': consent.manage, ...words.namedKeys.scopes };

const whoAsks = ({ name, host, destination, isOwnMachine }: AskedConsent): TemplateResult => html`
  <h1 id="asking-title" tabindex="-1">${consent.title}</h1>
  ${facts([
    [consent.application, html`<strong id="client">${name}</strong>`],
    [consent.answer, html`<span id="redirect-host" class="mono">${destination}</span>`],
  ])}
  <p>${consent.asks} ${host === null ? consent.nobody : fill(consent.host, { host })}</p>
  ${isOwnMachine ? html`<p class="problem" id="own-machine">${fill(consent.ownMachine, { host: destination })}</p>` : nothing}`;

const loginForm = (problem: string, { sendLink, usePasskey }: ConsentActions): TemplateResult => html`
  <form id="login" @submit=${submitting((form) => sendLink(field(form, 'email')))}>
    <p>${consent.logIn}</p>
    <label for="email">${words.login.email}</label>
    <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required spellcheck="false">
    <p class="problem" id="problem" role="alert">${problem}</p>
    <button class="button primary wide" id="send">${words.login.send}</button>
    ${
      hasPasskeys()
        ? html`<p><button type="button" class="button wide" id="passkey" @click=${pressing(usePasskey)}>${words.login.passkey}</button></p>`
        : nothing
    }
  </form>`;

function decisionForm(
  { scopes }: AskedConsent,
  agents: readonly Decidable[],
  { decide, logInAnew }: ConsentActions,
): TemplateResult {
  const press = (decision: 'allow' | 'deny') =>
    choosing(async (form) => {
      const chosen = new FormData(form).getAll('scope').map(String);
      if (decision === 'allow' && chosen.length === 0) throw new Error(consent.chooseOne);
      await decide(decision, field(form, 'account'), chosen);
    });
  return html`
    <form id="form" @submit=${(event: Event) => event.preventDefault()}>
      <label for="account">${consent.agent}</label>
      <select id="account" name="account">${agents.map(({ id, label }) => html`<option value=${id}>${label}</option>`)}</select>
      <fieldset>
        <legend>${consent.may}</legend>
        ${scopes.map(
          (scope) =>
            html`<label class="check"><input type="checkbox" name="scope" value=${scope} checked> <span>${scopeWords[scope] ?? scope} <code class="fine">${scope}</code></span></label>`,
        )}
      </fieldset>
      <p class="problem" id="problem" role="alert"></p>
      <p class="actions">
        <button type="button" class="button decide" id="allow" @click=${press('allow')}>${consent.allow}</button>
        <button type="button" class="button" id="deny" @click=${press('deny')}>${consent.deny}</button>
      </p>
      <p class="fine"><button type="button" class="link" id="other" @click=${logInAnew}>${consent.other}</button></p>
    </form>`;
}

function outcome({ name, destination: host }: AskedConsent, { isAllowed, agent, at, to }: Decided): TemplateResult {
  const { title, why } = isAllowed ? consent.allowed : consent.denied;
  return html`
    <section id="done">
      <h1 id="done-title" tabindex="-1">${title}</h1>
      <p>${fill(why, { name, agent, host })}</p>
      <p class="fine">${time(at)}</p>
      <p><a class="button wide" id="back" rel="noreferrer" href=${to}>${fill(consent.back, { host })}</a></p>
    </section>`;
}

const sent = html`
  <section id="sent">
    <h1 id="sent-title" tabindex="-1">${consent.sent}</h1>
    <p>${consent.sentWhy}</p>
  </section>`;

export function consentView(asked: AskedConsent, state: ConsentState, actions: ConsentActions): TemplateResult {
  if (state.kind === 'sent') return card(sent);
  if (state.kind === 'done') return card(outcome(asked, state.decided));
  return card(
    html`
      <section id="asking">
        ${whoAsks(asked)}
        ${state.kind === 'login' ? loginForm(state.problem, actions) : nothing}
        ${state.kind === 'asking' ? decisionForm(asked, state.agents, actions) : nothing}
        <p class="fine">${consent.means}</p>
      </section>`,
    'roomy',
  );
}
