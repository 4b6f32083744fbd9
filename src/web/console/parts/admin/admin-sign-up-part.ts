import { html } from 'lit-html';
import { fill, fullTime } from '../../ui/format.ts';
import { field, pressing, submitting } from '../../ui/handlers.ts';
import { say, showOnce } from '../../ui/toast.ts';
import { adminWords } from '../../words/words-admin.ts';
import type { SignUpMode } from './admin-service.ts';
import type { AdminDesk, AdminView } from './admin-workspace.ts';

/** Who may create an account, and invites. */

const { signUp: words } = adminWords;
const MODES = ['open', 'invite', 'closed'] as const;

export async function openSignUp(desk: AdminDesk): Promise<AdminView> {
  const { mode } = await desk.service.signUp();
  const save = async (form: HTMLFormElement): Promise<void> => {
    const chosen = field(form, 'mode') as SignUpMode;
    await desk.service.setSignUp(chosen);
    say(words.saved[chosen]);
    await desk.refresh();
  };
  const invite = async (): Promise<void> => {
    const { invite: secret, expires_at: until } = await desk.service.invite();
    const text = fill(words.madeWhy, { date: fullTime(until) });
    await showOnce({ title: words.made, text, secret, filename: 'signet-invite.txt' });
  };
  return {
    render: () => html`
      <div class="view">
        <h1>${words.title}</h1>
        <form class="sheet narrow" id="sign-up" @submit=${submitting(save)}>
          <fieldset>
            <legend>${words.mode}</legend>
            ${MODES.map((one) => html`<label class="check"><input type="radio" name="mode" value=${one} ?checked=${one === mode}> ${words.modes[one]}</label>`)}
          </fieldset>
          <p class="fine">${words.modeWhy}</p>
          <p class="problem" role="alert"></p>
          <p class="actions"><button class="button primary">${words.save}</button></p>
        </form>
        <section class="sheet narrow">
          <h2>${words.invite}</h2>
          <p>${words.inviteWhy}</p>
          <button type="button" class="button" id="invite" @click=${pressing(invite)}>${words.invite}</button>
        </section>
      </div>`,
  };
}
