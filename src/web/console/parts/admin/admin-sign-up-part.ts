import { html } from 'lit-html';
import { fullTime } from '../../ui/format.ts';
import { onPress, onSubmit, textIn } from '../../ui/handlers.ts';
import { showOnce, toast } from '../../ui/toast.ts';
import type { SignUpMode } from './admin-service.ts';
import type { AdminView, AdminWorkspace } from './admin-workspace.ts';

/** Who may create an account, and invites. */

const MODES = ['open', 'invite', 'closed'] as const;

const SAVED = {
  open: 'Anyone can create an account now.',
  invite: 'Creating an account needs an invite now.',
  closed: 'Nobody can create an account now.',
};
const MODE_LABELS = { open: 'Anyone', invite: 'Anyone with an invite', closed: 'Nobody' };

export async function openSignUp(workspace: AdminWorkspace): Promise<AdminView> {
  const { mode } = await workspace.service.signUp();
  const save = async (form: HTMLFormElement): Promise<void> => {
    const chosen = textIn(form, 'mode') as SignUpMode;
    await workspace.service.setSignUp(chosen);
    toast(SAVED[chosen]);
    await workspace.refresh();
  };
  const invite = async (): Promise<void> => {
    const { invite: secret, expires_at: until } = await workspace.service.invite();
    const text = `It works once, until ${fullTime(until)}. It cannot be shown again.`;
    await showOnce({ title: 'Your invite', text, secret, filename: 'signet-invite.txt' });
  };
  return {
    render: () => html`
      <div class="view">
        <h1>Sign-up</h1>
        <form class="sheet narrow" id="sign-up" @submit=${onSubmit(save)}>
          <fieldset>
            <legend>Who may create an account</legend>
            ${MODES.map((one) => html`<label class="check"><input type="radio" name="mode" value=${one} ?checked=${one === mode}> ${MODE_LABELS[one]}</label>`)}
          </fieldset>
          <p class="fine">Takes effect at once on every instance, and replaces SIGNUP.</p>
          <p class="problem" role="alert"></p>
          <p class="actions"><button class="button primary">Save</button></p>
        </form>
        <section class="sheet narrow">
          <h2>Create an invite</h2>
          <p>Anyone who has it can create one account.</p>
          <button type="button" class="button" id="invite" @click=${onPress(invite)}>Create an invite</button>
        </section>
      </div>`,
  };
}
