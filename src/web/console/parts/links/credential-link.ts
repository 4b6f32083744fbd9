import { html, nothing, type TemplateResult } from 'lit-html';
import { credentialFingerprint } from '../../../../client/credential-fingerprint.ts';
import type { ViewCredentialRequestReply } from '../../../../client/generated/operations.ts';
import { sealCredential } from '../../../../client/sealed-credential.ts';
import { hasCode, serviceFor } from '../../ui/console-service.ts';
import { isSession, storedCredential } from '../../ui/console-session.ts';
import { agentName, ends, time } from '../../ui/format.ts';
import { onChoose, onSubmit } from '../../ui/handlers.ts';
import { textIn, typedText } from '../../ui/kit/form.ts';
import { facts } from '../../ui/kit/section.ts';
import { card } from '../card-part.ts';
import { askerFacts } from '../charge-part.ts';
import { commonEnd, type LinkView, type Outcome, outcomeView } from './link-question.ts';

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

const EXPIRED = { title: 'Expired', why: 'This request has expired. Ask the agent to request it again.' };
const INVALID = {
  title: 'This link is not valid',
  why: 'Your email app may have cut it off, or it has expired. Ask the agent to request it again.',
};

/** Ends what cannot go on. Other failures appear beside the form. */
function endOrThrow(err: unknown): void {
  const ended = commonEnd(err, EXPIRED, INVALID);
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
  if (!crypto.subtle) throw new Error('Open this page over HTTPS. Browsers can seal your credential only there.');
  return sealCredential(publicKey, requestId, value).catch((err) => {
    throw err instanceof DOMException
      ? new Error(
          'This browser cannot seal your credential, because it does not support X25519. Use a current browser.',
        )
      : err;
  });
}

const DONE = {
  approved: { title: 'Credential given', why: 'The agent receives it with its next request. You can close this page.' },
  denied: { title: 'Refused', why: 'The agent learns that you refused and receives nothing. You can close this page.' },
};

async function decide({ view, code }: Request, decision: 'approve' | 'deny', value: string): Promise<void> {
  const shown = proof();
  if (shown === null) return;
  const isGiven = decision === 'approve';
  if (isGiven && value === '') throw new Error('Enter a credential, or press Refuse.');
  const { public_key: key, request_id: id } = view;
  const given = key === null ? { credential_value: value } : { sealed_value: await sealed(key, id, value) };
  try {
    const input = { user_code: code, ...shown, decision, ...(isGiven ? given : {}) };
    const { status, resolved_at: at } = await service().approveCredential(input);
    go({ at: 'end', outcome: { ...DONE[status], at } }, 'done-title');
  } catch (err) {
    endOrThrow(err);
  }
}

const codeForm = (): TemplateResult => html`
  <section id="asking">
    <h1 id="asking-title" tabindex="-1">Give an agent a credential</h1>
    <p>${proof() === null ? 'Enter the code that the agent shows you. We then email you a link to confirm that you are its operator.' : 'Enter the code that the agent shows you to see its request. Five wrong codes end the request.'}</p>
    <form id="code-form" @submit=${onSubmit((form) => submitCode(textIn(form, 'code')))}>
      <label for="code">Code shown by the agent</label>
      <input id="code" class="mono" name="code" autocomplete="off" autocapitalize="characters" maxlength="16"
        placeholder="XXXX-XXXX" required spellcheck="false" value=${inFragment(/^#code=([A-Za-z-]{1,16})$/) ?? ''}>
      <p class="problem" id="code-problem" role="alert"></p>
      <button class="button decide wide" id="code-send">Continue</button>
    </form>
  </section>`;

const sentView = (): TemplateResult => html`
  <section id="sent">
    <h1 id="sent-title" tabindex="-1">Check your email</h1>
    <p>If an agent is waiting with this code, its operator gets an email with a link. Open the link and enter the code again to see the request.</p>
    <p class="fine">No email after a few minutes?
      <button type="button" class="link" id="again" @click=${() => go({ at: 'code' }, 'asking-title')}>Enter the code again</button>.</p>
  </section>`;

/** Credentials may have several lines, so the field is no password field: the style masks it until a person asks. */
function requestForm(request: Request): TemplateResult {
  const { view, fingerprint } = request;
  const give = (form: HTMLFormElement): Promise<void> => decide(request, 'approve', typedText(form, 'value'));
  return html`
    <section id="deciding">
      <h1 id="deciding-title" tabindex="-1">${agentName(view.agent.name)} asks for a credential</h1>
      ${facts(
        [
          ...askerFacts(view.agent),
          ['It asks for', view.description],
          ['Stores it as', view.vault_key],
          ['Fingerprint of its key', fingerprint && html`<code id="fingerprint">${fingerprint}</code>`],
          ['Requested', time(view.created_at)],
          ['Expires', ends(view.expires_at)],
        ],
        { id: 'details' },
      )}
      ${fingerprint === null ? nothing : html`<p class="hint" id="compare">Compare this fingerprint with the one that the agent shows. If it differs, refuse: someone else could open what you enter.</p>`}
      <p class="hint">The agent wrote its name and the description. Enter a credential only if you trust this agent with it.</p>
      <form id="value-form" autocomplete="off" @submit=${onSubmit(give)}>
        <label for="value">The credential</label>
        <textarea id="value" class="mono masked" name="value" rows="3" autocomplete="off" autocapitalize="none" maxlength="16384" spellcheck="false"></textarea>
        <label class="check"><input type="checkbox" id="reveal"> Show the secret</label>
        <p class="hint">${view.public_key === null ? 'This service stores it encrypted, and decrypts it once to hand it to the agent.' : 'Your browser seals it so that only the agent can open it. This service never sees it.'}</p>
        <p class="problem" id="value-problem" role="alert"></p>
        <p class="actions">
          <button class="button decide" id="give">Give the credential</button>
          <button type="button" class="button" id="deny" @click=${onChoose(() => decide(request, 'deny', ''))}>Refuse</button>
        </p>
      </form>
    </section>`;
}

/** A person who is logged in came from the console. */
const backToConsole = (): TemplateResult | typeof nothing =>
  proof() !== null && 'session' in (proof() as Proof)
    ? html`<p><a class="button" href="/dashboard">Back to the console</a></p>`
    : nothing;

export const credentialLink: LinkView = {
  title: 'Give an agent a credential',
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
