import { html, type TemplateResult } from 'lit-html';
import { toBase64Url, utf8 } from '../../../../client/encoding.ts';
import type { GetProfileReply } from '../../../../client/generated/operations.ts';
import { refusedFields } from '../../ui/console-service.ts';
import { decided } from '../../ui/decide.ts';
import { onSubmit } from '../../ui/handlers.ts';
import { change } from '../../ui/kit/action.ts';
import { field, form, listIn, textIn } from '../../ui/kit/form.ts';
import { showOnce } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** What an agent shows of itself: the form of its profile, and publishing a signing key. */

export function profileForm(workspace: Workspace, profile: GetProfileReply): TemplateResult {
  const isPod = workspace.account.parent_account_id !== null;
  const save = (of: HTMLFormElement): Promise<void> => {
    const wanted = {
      ...(isPod ? {} : { name: textIn(of, 'name') || null }),
      description: textIn(of, 'description') || null,
      capabilities: listIn(of, 'capabilities', /,/),
      unlisted: textIn(of, 'unlisted') === 'on',
    };
    return change(workspace, () => workspace.service.updateProfile(wanted), 'Saved.');
  };
  return form(
    { id: 'profile', kind: 'sheet stack', title: 'Profile' },
    save,
    html`
      ${field('name', 'Name', html`<input id="name" name="name" maxlength="100" autocomplete="off" ?disabled=${isPod} value=${profile.name ?? ''}>`, isPod ? 'The platform of this pod names it.' : undefined)}
      ${field('description', 'Description', html`<textarea id="description" name="description" rows="3" maxlength="500">${profile.description ?? ''}</textarea>`)}
      ${field('capabilities', 'Capabilities', html`<input id="capabilities" name="capabilities" autocomplete="off" aria-describedby="capabilities-hint" value=${profile.capabilities.join(', ')}>`, 'What the agent can do, separated by commas; at most 10.')}
      <label class="check"><input type="checkbox" name="unlisted" ?checked=${profile.unlisted} aria-describedby="unlisted-hint"> Unlisted</label>
      <p class="fine" id="unlisted-hint">Others find the profile only by the account id, and it names no address.</p>`,
    html`
      <button class="button primary">Save the profile</button>
      <a class="button" href=${new URL(profile.profile_url).pathname}>Open the public profile</a>`,
  );
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
  const given = { public_key: raw, label: label || undefined };
  const challenge = await workspace.service.registerSigningKey(given).then(
    () => '',
    (err: unknown) => String(refusedFields(err, 'proof_required').challenge),
  );
  const proof = toBase64Url(new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, utf8(challenge))));
  await decided(workspace, workspace.account.id, (service) => service.registerSigningKey({ ...given, proof }));

  const secret = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x, d });
  await showOnce(
    'Your signing key',
    'The private key, as a JWK. Store it now: nobody else has it.',
    secret,
    'signet-signing-key.json',
  );
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
