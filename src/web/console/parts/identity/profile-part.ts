import { html, nothing, type TemplateResult } from 'lit-html';
import { toBase64Url, utf8 } from '../../../../client/encoding.ts';
import type { GetProfileReply } from '../../../../client/generated/operations.ts';
import { refusedFields } from '../../ui/console-service.ts';
import { decided } from '../../ui/decide.ts';
import { onSubmit, textIn } from '../../ui/handlers.ts';
import { showOnce, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** What an agent shows of itself: the form of its profile, and publishing a signing key. */

const line = (id: string, label: string, input: TemplateResult, hint?: string): TemplateResult => html`
  <div class="field"><label for=${id}>${label}</label>${input}
    ${hint === undefined ? nothing : html`<p class="fine" id="${id}-hint">${hint}</p>`}</div>`;

export function profileForm(workspace: Workspace, profile: GetProfileReply): TemplateResult {
  const isPod = workspace.account.parent_account_id !== null;
  const save = async (form: HTMLFormElement): Promise<void> => {
    const capabilities = textIn(form, 'capabilities')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    await workspace.service.updateProfile({
      ...(isPod ? {} : { name: textIn(form, 'name') || null }),
      description: textIn(form, 'description') || null,
      capabilities,
      unlisted: textIn(form, 'unlisted') === 'on',
    });
    toast('Saved.');
    await workspace.refresh();
  };
  return html`
    <form class="sheet stack" id="profile" @submit=${onSubmit(save)}>
      ${line('name', 'Name', html`<input id="name" name="name" maxlength="100" autocomplete="off" ?disabled=${isPod} value=${profile.name ?? ''}>`, isPod ? 'The platform of this pod names it.' : undefined)}
      ${line('description', 'Description', html`<textarea id="description" name="description" rows="3" maxlength="500">${profile.description ?? ''}</textarea>`)}
      ${line('capabilities', 'Capabilities', html`<input id="capabilities" name="capabilities" autocomplete="off" aria-describedby="capabilities-hint" value=${profile.capabilities.join(', ')}>`, 'What the agent can do, separated by commas; at most 10.')}
      <label class="check"><input type="checkbox" name="unlisted" ?checked=${profile.unlisted} aria-describedby="unlisted-hint"> Unlisted</label>
      <p class="fine" id="unlisted-hint">Others find the profile only by the account id, and it names no address.</p>
      <p class="problem" role="alert"></p>
      <p class="actions">
        <button class="button primary">Save the profile</button>
        <a class="button" href=${new URL(profile.profile_url).pathname}>Open the public profile</a>
      </p>
    </form>`;
}

/** Makes a key pair in this browser. The private half is shown once, and never sent. */
async function publish(workspace: Workspace, form: HTMLFormElement): Promise<void> {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const { x = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  const raw = toBase64Url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  const label = textIn(form, 'label');
  const given = { public_key: raw, ...(label === '' ? {} : { label }) };
  const challenge = await workspace.service.registerSigningKey(given).then(
    () => '',
    (err: unknown) => String(refusedFields(err, 'proof_required').challenge),
  );
  const proof = toBase64Url(new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, utf8(challenge))));
  await decided(workspace, workspace.account.id, (service) => service.registerSigningKey({ ...given, proof }));

  const secret = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x, d });
  await showOnce({
    title: 'Your signing key',
    text: 'The private key, as a JWK. Store it now: nobody else has it.',
    secret,
    filename: 'signet-signing-key.json',
  });
  form.reset();
  await workspace.refresh();
}

export const signingKeyForm = (workspace: Workspace): TemplateResult => html`
  <form class="sheet" id="publish-key" @submit=${onSubmit((form) => publish(workspace, form))}>
    <p class="fine">This browser makes the key. Its private half is shown once and never sent.</p>
    <label for="label">Label</label>
    <div class="joined">
      <input id="label" name="label" maxlength="100" autocomplete="off">
      <button class="button">Make and publish a key</button>
    </div>
    <p class="problem" role="alert"></p>
  </form>`;
