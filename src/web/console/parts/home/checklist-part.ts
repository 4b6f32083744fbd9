import { html, nothing, type TemplateResult } from 'lit-html';
import { action, change } from '../../ui/kit/action.ts';
import { section } from '../../ui/kit/section.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { quarantineDangerous } from '../front/new-agent.ts';
import { makeBackup } from '../keys/named-keys-part.ts';
import { oneField, personForm } from '../settings/settings-people-part.ts';

/** What makes an agent complete. It disappears once all of it is done. */

const STEPS = {
  address: ['Claim an address', 'Anyone can write to it right away.'],
  operator: ['Name an operator', 'A person who approves what goes over a limit.'],
  recovery: ['Add a recovery address', 'The way back in when every key is lost.'],
  quarantine: [
    'Quarantine dangerous mail',
    'Phishing, and mail that gives an agent orders, waits until a person has looked.',
  ],
  backup: ['Create a backup key', 'Keep it apart. It works only after you activate it.'],
  seed: [
    'Set up vault recovery',
    'By email and a passphrase, for when every key is lost. Do this once the vault is in use.',
  ],
} as const;

interface Step {
  name: keyof typeof STEPS;
  isDone: boolean;
  form: TemplateResult;
}

/** What is known only by asking. */
export interface SetUp {
  hasBackup: boolean;
  /** Whether dangerous mail is kept from the agent. */
  isGuarded: boolean;
}

function stepsOf(workspace: Workspace, { hasBackup, isGuarded }: SetUp): Step[] {
  const { account, service } = workspace;
  const has = (role: string): boolean => account.people.some((person) => person.role === role);
  const claim = async (address: string): Promise<void> => {
    const claimed = await service.claimAddress({ address });
    toast(`You claimed ${claimed.address}.`);
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
      form: personForm(workspace, 'operator'),
    },
    {
      name: 'recovery',
      isDone: has('recovery'),
      form: personForm(workspace, 'recovery'),
    },
    {
      name: 'quarantine',
      isDone: isGuarded,
      form: html`<p>${action('Quarantine dangerous mail', () => change(workspace, () => quarantineDangerous(service), 'Dangerous mail goes to the quarantine.'))}</p>`,
    },
    {
      name: 'backup',
      isDone: hasBackup,
      form: html`<p>${action('Create a backup key', () => makeBackup(workspace))}</p>`,
    },
    {
      name: 'seed',
      isDone: account.vault_recovery_email !== null,
      form: html`<p><a class="button" href=${workspace.link('vault')}>Vault</a></p>`,
    },
  ];
}

export function checklist(workspace: Workspace, known: SetUp): TemplateResult | typeof nothing {
  if (!workspace.account.scopes.includes('account:manage')) return nothing;
  const steps = stepsOf(workspace, known);
  if (steps.every(({ isDone }) => isDone)) return nothing;

  const step = ({ name, isDone, form }: Step): TemplateResult => {
    const [title, why] = STEPS[name];
    return html`
      <li class=${isDone ? 'done' : ''}>
        <span class="tick" aria-hidden="true">${isDone ? '✓' : ''}</span>
        ${
          isDone
            ? html`<span>${title} <span class="visually-hidden">Done</span></span>`
            : html`<details><summary>${title} <span class="visually-hidden">To do</span></summary><p class="fine">${why}</p>${form}</details>`
        }
      </li>`;
  };
  return section('set-up', 'Set up', html`<ul>${steps.map(step)}</ul>`, { kind: 'sheet checklist' });
}
