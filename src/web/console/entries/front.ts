import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { RegisterReply } from '../../../client/generated/operations.ts';
import { codeDemo } from '../parts/front/code-demo.ts';
import { codeTabs } from '../parts/front/code-tabs.ts';
import { makeAgent } from '../parts/front/new-agent.ts';
import { sessionFor } from '../parts/login/account-entry.ts';
import { seal } from '../ui/account-seal.ts';
import { hasCode } from '../ui/console-service.ts';
import { storeCredential } from '../ui/console-session.ts';
import { onPress, onSubmit } from '../ui/handlers.ts';
import { textIn } from '../ui/kit/form.ts';
import { showPlainly } from '../ui/plain-text.ts';
import { copy, download, prepareToasts } from '../ui/toast.ts';

/** The landing page: one press makes an agent with an address, shows its key once, and opens the console. */

/** Null until it is made. */
let made: RegisterReply | null = null;
let needsInvite = false;
/** What its key opens for the person who looks. */
let session: string | null = null;

/** A person who looks spends none of the agent's requests, and the browser keeps no key. */
async function openSession(key: string): Promise<string> {
  session ??= await sessionFor(key);
  return session;
}

/** Unlikely to be taken, and easy to tell from others. */
const randomName = (): string =>
  `agent-${Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => (byte % 36).toString(36)).join('')}`;

async function create(form: HTMLFormElement): Promise<void> {
  const [name, invite] = [textIn(form, 'name'), textIn(form, 'invite')];
  try {
    made = await makeAgent({ name: name || randomName(), invite: invite || undefined });
  } catch (err) {
    if (!hasCode(err, 'invite_required')) throw err;
    const isFirst = !needsInvite;
    needsInvite = true;
    paint();
    document.getElementById('invite')?.focus();
    if (!isFirst) throw err;
    return;
  }
  paint();
  document.getElementById('made')?.focus();
}

const input = (id: string, label: string, hint: string, isRequired: boolean): TemplateResult => html`
  <label for=${id}>${label}</label>
  <input id=${id} name=${id} maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"
    aria-describedby="${id}-hint" ?required=${isRequired}>
  <p class="hint" id="${id}-hint">${hint}</p>`;

const form = (): TemplateResult => html`
  <form class="create" @submit=${onSubmit(create)}>
    ${input('name', 'Name', 'Its address is made from it. Leave it empty for a random one.', false)}
    ${needsInvite ? input('invite', 'Invite', 'This service asks for one. Its administrator gives it to you.', true) : nothing}
    <p class="problem" role="alert"></p>
    <p class="actions">
      <button class="button primary" id="create-agent">Create an agent</button>
      <a class="button" href="/docs/api">Read the API</a>
    </p>
    <p class="fine">Have one? <a href="/login">Log in</a></p>
  </form>`;

function keyCard({ api_key: key, email }: RegisterReply): TemplateResult {
  const open = async (): Promise<void> => {
    storeCredential(await openSession(key));
    location.assign('/dashboard#/overview');
  };
  return html`
    <section class="sheet" aria-labelledby="made">
      <h2 id="made" tabindex="-1">Your agent is ready</h2>
      <p>This is its API key. Keep it now: it is shown once, and the service stores only its hash.</p>
      <code class="secret" id="new-key" tabindex="0">${key}</code>
      <p>Its address is <strong id="new-address">${email}</strong>.</p>
      <p class="actions">
        <button type="button" class="button primary" @click=${() => void copy(key, document.getElementById('new-key'))}>Copy</button>
        <button type="button" class="button" @click=${() => download(`${key}\n`, 'signet-key.txt')}>Download</button>
        <button type="button" class="button" id="kept" @click=${onPress(open)}>I saved it, open the console</button>
      </p>
      ${email ? codeDemo(() => openSession(key), email, paint) : nothing}
    </section>`;
}

function paint(): void {
  const [create, code] = [document.getElementById('create'), document.getElementById('code')];
  if (create) render(made ? keyCard(made) : form(), create);
  if (code) render(codeTabs(paint, made && { key: made.api_key, address: made.email ?? '' }), code);
}

const rosette = document.getElementById('rosette');
// The host name determines the shape, so each instance has its own seal.
if (rosette) render(seal(location.host, 'SIGNET · KEY · MAIL · EVENT · RECORD · ', 'S'), rosette);
document.getElementById('create')?.replaceChildren();
showPlainly();
prepareToasts();
paint();
