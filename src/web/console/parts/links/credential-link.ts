import { html, nothing, type TemplateResult } from 'lit-html';
import { credentialFingerprint } from '../../../../client/credential-fingerprint.ts';
import type { ViewCredentialRequestReply } from '../../../../client/generated/operations.ts';
import { sealCredential } from '../../../../client/sealed-credential.ts';
import { hasCode, messageOf, serviceFor } from '../../ui/console-service.ts';
import { isSession, storedCredential } from '../../ui/console-session.ts';
import { agentName, ends, fill, time } from '../../ui/format.ts';
import { choosing, field, submitting, typedText } from '../../ui/handlers.ts';
import { words } from '../../words/console-words.ts';
import { card, facts } from '../card-part.ts';
import { askerFacts } from '../charge-part.ts';
import { type LinkView, type Outcome, outcomeView } from './link-question.ts';

/**
 * `/credentials`, where an agent sends its operator, with or without `#code=…`. The mail to the operator links to it with
 * `#token=…`, and Home with `#account=…`. It shows a request only for its code and a proof: the mailed token, or an
 * operator's session in this tab. Opening the page uses nothing up.
 */

type Proof = { token: string } | { session: string };

interface Request {
  view: ViewCredentialRequestReply;
  code: string;
  /** Null without a key, and on plain HTTP, where browsers can neither hash nor seal. */
  fingerprint: string | null;
}

type State = { at: 'code' } | { at: 'sent' } | { at: 'request'; request: Request } | { at: 'end'; outcome: Outcome };

let state: State = { at: 'code' };
let repaint: (focus?: string) => void = () => {};
/** Whether the session of this tab turned out not to be an operator's. */
let isSessionRefused = false;

const inFragment = (pattern: RegExp): string | null => pattern.exec(location.hash)?.[1] ?? null;

function proof(): Proof | null {
  const token = inFragment(/^#token=([0-9A-Za-z]{1,64})$/);
  if (token !== null) return { token };
  const session = storedCredential();
  return session !== null && isSession(session) && !isSessionRefused ? { session } : null;
}

/** An operator of several agents comes from Home, which names the account that asks. */
function service() {
  const account = inFragment(/^#account=(acc_[0-9a-z]{26})$/);
  return account === null ? serviceFor(null) : serviceFor(null).forAccount(account);
}

function go(next: State, focus: string): void {
  state = next;
  repaint(focus);
}

/** Ends what cannot go on. Other failures appear beside the form. */
function endOrThrow(err: unknown): void {
  const { expired, invalid } = words.credential;
  const ended = hasCode(err, 'expired')
    ? expired
    : hasCode(err, 'already_resolved')
      ? { title: words.decide.already, why: messageOf(err) }
      : hasCode(err, 'invalid_token')
        ? invalid
        : null;
  if (ended === null) throw err;
  go({ at: 'end', outcome: ended }, 'done-title');
}

async function readRequest(code: string, shown: Proof): Promise<void> {
  const view = await service().viewCredentialRequest({ user_code: code, ...shown });
  const { public_key: key } = view;
  const fingerprint = key === null || !crypto.subtle ? null : await credentialFingerprint(key);
  go({ at: 'request', request: { view, code, fingerprint } }, 'deciding-title');
}

async function submitCode(code: string): Promise<void> {
  const shown = proof();
  if (shown === null) {
    await serviceFor(null).verifyCredentialOperator({ user_code: code });
    return go({ at: 'sent' }, 'sent-title');
  }
  try {
    await readRequest(code, shown);
  } catch (err) {
    if (!('session' in shown && hasCode(err, 'operator_required', 'invalid_token'))) return endOrThrow(err);
    isSessionRefused = true;
    await submitCode(code);
  }
}

async function sealed(publicKey: string, requestId: string, value: string): Promise<string> {
  if (!crypto.subtle) throw new Error(words.credential.needsHttps);
  return sealCredential(publicKey, requestId, value).catch((err) => {
    throw err instanceof DOMException ? new Error(words.credential.tooOld) : err;
  });
}

async function decide({ view, code }: Request, decision: 'approve' | 'deny', value: string): Promise<void> {
  const shown = proof();
  if (shown === null) return;
  const isGiven = decision === 'approve';
  if (isGiven && value === '') throw new Error(words.credential.empty);
  const { public_key: key, request_id: id } = view;
  const given = key === null ? { credential_value: value } : { sealed_value: await sealed(key, id, value) };
  try {
    const input = { user_code: code, ...shown, decision, ...(isGiven ? given : {}) };
    const { status, resolved_at: at } = await service().approveCredential(input);
    go({ at: 'end', outcome: { ...words.credential.done[status], at } }, 'done-title');
  } catch (err) {
    endOrThrow(err);
  }
}

const codeForm = (): TemplateResult => html`
  <section id="asking">
    <h1 id="asking-title" tabindex="-1">${words.credential.title}</h1>
    <p>${proof() === null ? words.credential.codeWhy : words.credential.codeKnown}</p>
    <form id="code-form" @submit=${submitting((form) => submitCode(field(form, 'code')))}>
      <label for="code">${words.credential.code}</label>
      <input id="code" class="mono" name="code" autocomplete="off" autocapitalize="characters" maxlength="16"
        placeholder="XXXX-XXXX" required spellcheck="false" value=${inFragment(/^#code=([A-Za-z-]{1,16})$/) ?? ''}>
      <p class="problem" id="code-problem" role="alert"></p>
      <button class="button decide wide" id="code-send">${words.login.continue}</button>
    </form>
  </section>`;

const sentView = (): TemplateResult => html`
  <section id="sent">
    <h1 id="sent-title" tabindex="-1">${words.login.sent}</h1>
    <p>${words.credential.sentWhy}</p>
    <p class="fine">${words.credential.noMail}
      <button type="button" class="link" id="again" @click=${() => go({ at: 'code' }, 'asking-title')}>${words.credential.again}</button>.</p>
  </section>`;

/** Credentials may have several lines, so the field is no password field: the style masks it until a person asks. */
function requestForm(request: Request): TemplateResult {
  const { view, fingerprint } = request;
  const give = (form: HTMLFormElement): Promise<void> => decide(request, 'approve', typedText(form, 'value'));
  return html`
    <section id="deciding">
      <h1 id="deciding-title" tabindex="-1">${fill(words.credential.asks, { name: agentName(view.agent.name) })}</h1>
      ${facts(
        [
          ...askerFacts(view.agent),
          [words.credential.wants, view.description],
          [words.credential.storesAs, view.vault_key],
          [words.credential.key, fingerprint && html`<code id="fingerprint">${fingerprint}</code>`],
          [words.decide.requested, time(view.created_at)],
          [words.home.expires, ends(view.expires_at)],
        ],
        'details',
      )}
      ${fingerprint === null ? nothing : html`<p class="hint" id="compare">${words.credential.compare}</p>`}
      <p class="hint">${words.credential.trust}</p>
      <form id="value-form" autocomplete="off" @submit=${submitting(give)}>
        <label for="value">${words.credential.value}</label>
        <textarea id="value" class="mono masked" name="value" rows="3" autocomplete="off" autocapitalize="none" maxlength="16384" spellcheck="false"></textarea>
        <label class="check"><input type="checkbox" id="reveal"> ${words.vault.reveal}</label>
        <p class="hint">${view.public_key === null ? words.credential.stored : words.credential.sealed}</p>
        <p class="problem" id="value-problem" role="alert"></p>
        <p class="actions">
          <button class="button decide" id="give">${words.credential.give}</button>
          <button type="button" class="button" id="deny" @click=${choosing(() => decide(request, 'deny', ''))}>${words.credential.refuse}</button>
        </p>
      </form>
    </section>`;
}

/** A person who is logged in came from the console. */
const backToConsole = (): TemplateResult | typeof nothing =>
  proof() !== null && 'session' in (proof() as Proof)
    ? html`<p><a class="button" href="/dashboard">${words.credential.back}</a></p>`
    : nothing;

export const credentialLink: LinkView = {
  title: words.credential.title,
  start(paint) {
    repaint = paint;
    go({ at: 'code' }, 'asking-title');
  },
  render() {
    if (state.at === 'code') return card(codeForm());
    if (state.at === 'sent') return card(sentView());
    return state.at === 'end'
      ? card(outcomeView(state.outcome, backToConsole()))
      : card(requestForm(state.request), 'roomy');
  },
};
