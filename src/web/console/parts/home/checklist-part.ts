import { html, nothing, type TemplateResult } from 'lit-html';
import { fill } from '../../ui/format.ts';
import { field, pressing, submitting } from '../../ui/handlers.ts';
import { say, showOnce } from '../../ui/toast.ts';
import type { Desk } from '../../ui/workspace.ts';
import { words } from '../../words/console-words.ts';

/** What makes an agent complete. It disappears once all of it is done. */

interface Step {
  name: 'address' | 'operator' | 'recovery' | 'backup' | 'seed';
  isDone: boolean;
  form: TemplateResult;
}

interface FieldText {
  id: string;
  label: string;
  type: 'email' | 'text';
  action: string;
}

/** A form of one field, which is empty again after the work. */
export const oneField = (
  { id, label, type, action }: FieldText,
  work: (value: string) => Promise<void>,
): TemplateResult => html`
  <form class="claim" @submit=${submitting(async (form) => {
    await work(field(form, id));
    form.reset();
  })}>
    <label for=${id}>${label}</label>
    <div class="joined">
      <input id=${id} name=${id} type=${type} required maxlength="254" autocapitalize="none" autocomplete="off" spellcheck="false">
      <button class="button">${action}</button>
    </div>
    <p class="problem" role="alert"></p>
  </form>`;

function stepsOf(desk: Desk, hasBackup: boolean): Step[] {
  const { account, service } = desk;
  const has = (role: string): boolean => account.people.some((person) => person.role === role);
  const name = (role: 'operator' | 'recovery') => async (email: string) => {
    await (role === 'operator' ? service.setOperatorEmail({ email }) : service.setRecoveryEmail({ email }));
    say(fill(words.overview.asked, { email }));
    await desk.refresh();
  };
  const claim = async (address: string): Promise<void> => {
    const claimed = await service.claimAddress({ address });
    say(fill(words.overview.claimed, { address: claimed.address }));
    await desk.refresh();
  };
  const backUp = async (): Promise<void> => {
    const { backup_key: secret } = await service.generateBackupKey({});
    const { backupMade: title, backupStore: text } = words.keys;
    await showOnce({ title, text, secret, filename: 'signet-backup-key.txt' });
    await desk.refresh();
  };
  const { operatorEmail, recoveryEmail, save } = words.overview;
  return [
    {
      name: 'address',
      isDone: account.addresses.length > 0,
      form: oneField(
        { id: 'new-address', label: words.overview.name, type: 'text', action: words.overview.claim },
        claim,
      ),
    },
    {
      name: 'operator',
      isDone: has('operator'),
      form: oneField({ id: 'operator-email', label: operatorEmail, type: 'email', action: save }, name('operator')),
    },
    {
      name: 'recovery',
      isDone: has('recovery'),
      form: oneField({ id: 'recovery-email', label: recoveryEmail, type: 'email', action: save }, name('recovery')),
    },
    {
      name: 'backup',
      isDone: hasBackup,
      form: html`<p><button type="button" class="button" @click=${pressing(backUp)}>${words.keys.backup}</button></p>`,
    },
    {
      name: 'seed',
      isDone: account.vault_recovery_email !== null,
      form: html`<p><a class="button" href=${desk.link('vault')}>${words.vault.title}</a></p>`,
    },
  ];
}

export function checklist(desk: Desk, hasBackup: boolean): TemplateResult | typeof nothing {
  if (!desk.account.scopes.includes('account:manage')) return nothing;
  const steps = stepsOf(desk, hasBackup);
  if (steps.every(({ isDone }) => isDone)) return nothing;
  const { steps: texts, done, todo } = words.overview;
  return html`
    <section class="sheet checklist" aria-labelledby="set-up">
      <h2 id="set-up">${words.overview.setUp}</h2>
      <ul>
        ${steps.map(
          ({ name, isDone, form }) => html`
            <li class=${isDone ? 'done' : ''}>
              <span class="tick" aria-hidden="true">${isDone ? '✓' : ''}</span>
              ${
                isDone
                  ? html`<span>${texts[name]} <span class="visually-hidden">${done}</span></span>`
                  : html`<details><summary>${texts[name]} <span class="visually-hidden">${todo}</span></summary><p class="fine">${texts[`${name}Why`]}</p>${form}</details>`
              }
            </li>`,
        )}
      </ul>
    </section>`;
}
