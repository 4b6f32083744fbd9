import { html, nothing, type TemplateResult } from 'lit-html';
import { onPress, onSubmit, textIn } from '../../ui/handlers.ts';
import { showOnce, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';

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
  <form class="claim" @submit=${onSubmit(async (form) => {
    await work(textIn(form, id));
    form.reset();
  })}>
    <label for=${id}>${label}</label>
    <div class="joined">
      <input id=${id} name=${id} type=${type} required maxlength="254" autocapitalize="none" autocomplete="off" spellcheck="false">
      <button class="button">${action}</button>
    </div>
    <p class="problem" role="alert"></p>
  </form>`;

function stepsOf(workspace: Workspace, hasBackup: boolean): Step[] {
  const { account, service } = workspace;
  const has = (role: string): boolean => account.people.some((person) => person.role === role);
  const name = (role: 'operator' | 'recovery') => async (email: string) => {
    await (role === 'operator' ? service.setOperatorEmail({ email }) : service.setRecoveryEmail({ email }));
    toast(`We sent ${email} a mail. It counts once they confirm it.`);
    await workspace.refresh();
  };
  const claim = async (address: string): Promise<void> => {
    const claimed = await service.claimAddress({ address });
    toast(`You claimed ${claimed.address}.`);
    await workspace.refresh();
  };
  const backUp = async (): Promise<void> => {
    const { backup_key: secret } = await service.generateBackupKey({});

    await showOnce({
      title: 'Your backup key',
      text: 'Store it apart from the active key. It works only after you activate it.',
      secret,
      filename: 'signet-backup-key.txt',
    });
    await workspace.refresh();
  };

  return [
    {
      name: 'address',
      isDone: account.addresses.length > 0,
      form: oneField({ id: 'new-address', label: 'Name of the address', type: 'text', action: 'Claim' }, claim),
    },
    {
      name: 'operator',
      isDone: has('operator'),
      form: oneField(
        { id: 'operator-email', label: 'Operator’s address', type: 'email', action: 'Save' },
        name('operator'),
      ),
    },
    {
      name: 'recovery',
      isDone: has('recovery'),
      form: oneField(
        { id: 'recovery-email', label: 'Recovery address', type: 'email', action: 'Save' },
        name('recovery'),
      ),
    },
    {
      name: 'backup',
      isDone: hasBackup,
      form: html`<p><button type="button" class="button" @click=${onPress(backUp)}>Create a backup key</button></p>`,
    },
    {
      name: 'seed',
      isDone: account.vault_recovery_email !== null,
      form: html`<p><a class="button" href=${workspace.link('vault')}>Vault</a></p>`,
    },
  ];
}

const STEPS = {
  address: 'Claim an address',
  addressWhy: 'Anyone can write to it right away.',
  operator: 'Name an operator',
  operatorWhy: 'A person who approves what goes over a limit.',
  recovery: 'Add a recovery address',
  recoveryWhy: 'The way back in when every key is lost.',
  backup: 'Create a backup key',
  backupWhy: 'Keep it apart. It works only after you activate it.',
  seed: 'Leave a sealed copy of the vault’s seed',
  seedWhy: 'Without the seed nobody opens the vault. Do this once the vault is in use.',
};

export function checklist(workspace: Workspace, hasBackup: boolean): TemplateResult | typeof nothing {
  if (!workspace.account.scopes.includes('account:manage')) return nothing;
  const steps = stepsOf(workspace, hasBackup);
  if (steps.every(({ isDone }) => isDone)) return nothing;

  return html`
    <section class="sheet checklist" aria-labelledby="set-up">
      <h2 id="set-up">Set up</h2>
      <ul>
        ${steps.map(
          ({ name, isDone, form }) => html`
            <li class=${isDone ? 'done' : ''}>
              <span class="tick" aria-hidden="true">${isDone ? '✓' : ''}</span>
              ${
                isDone
                  ? html`<span>${STEPS[name]} <span class="visually-hidden">Done</span></span>`
                  : html`<details><summary>${STEPS[name]} <span class="visually-hidden">To do</span></summary><p class="fine">${STEPS[`${name}Why`]}</p>${form}</details>`
              }
            </li>`,
        )}
      </ul>
    </section>`;
}
