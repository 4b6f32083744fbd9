import { html } from 'lit-html';
import { fullTime } from '../../ui/format.ts';
import { action, change } from '../../ui/kit/action.ts';
import { form, textIn } from '../../ui/kit/form.ts';
import { view } from '../../ui/kit/section.ts';
import { showOnce } from '../../ui/toast.ts';
import type { SignUpMode } from './admin-service.ts';
import type { AdminView, AdminWorkspace } from './admin-workspace.ts';

/** Who may create an account, and invites. */

const MODES: readonly (readonly [mode: SignUpMode, label: string])[] = [
  ['open', 'Anyone'],
  ['invite', 'Anyone with an invite'],
  ['closed', 'Nobody'],
];
const SAVED = {
  open: 'Anyone can create an account now.',
  invite: 'Creating an account needs an invite now.',
  closed: 'Nobody can create an account now.',
};

export async function openSignUp(workspace: AdminWorkspace): Promise<AdminView> {
  const { mode } = await workspace.service.signUp();
  const save = (of: HTMLFormElement): Promise<void> => {
    const chosen = textIn(of, 'mode') as SignUpMode;
    return change(workspace, () => workspace.service.setSignUp(chosen), SAVED[chosen]);
  };
  const invite = async (): Promise<void> => {
    const { invite: secret, expires_at: until } = await workspace.service.invite();
    const text = `It works once, until ${fullTime(until)}. It cannot be shown again.`;
    await showOnce('Your invite', text, secret, 'signet-invite.txt');
  };
  const fields = html`
    <fieldset>
      <legend>Who may create an account</legend>
      ${MODES.map(([one, label]) => html`<label class="check"><input type="radio" name="mode" value=${one} ?checked=${one === mode}> ${label}</label>`)}
    </fieldset>
    <p class="fine">Takes effect at once on every instance, and replaces SIGNUP.</p>`;
  return {
    render: () =>
      view('Sign-up', {}, [
        form({ id: 'sign-up', kind: 'sheet narrow' }, save, fields, 'Save'),
        html`<section class="sheet narrow">
          <h2>Create an invite</h2>
          <p>Anyone who has it can create one account.</p>
          ${action('Create an invite', invite, { id: 'invite' })}
        </section>`,
      ]),
  };
}
