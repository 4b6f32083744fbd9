import { html, type TemplateResult } from 'lit-html';
import type { GetMailPolicyReply, SetMailPolicyInput } from '../../../../client/generated/operations.ts';
import { onSubmit, textIn } from '../../ui/handlers.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** The policy of mail: what comes in, what may go out, and the contacts that are always allowed or blocked. */

const INBOUND = {
  from: ['open', 'list'],
  unauthenticated: ['accept', 'quarantine', 'reject'],
  suspicious: ['accept', 'quarantine'],
  dangerous: ['accept', 'quarantine', 'reject'],
} as const;
const OUTBOUND = {
  to: ['open', 'list', 'known'],
  hold: ['never', 'first_contact', 'after_suspicious', 'always'],
  secrets: ['accept', 'hold', 'reject'],
} as const;

const VALUES = {
  open: 'Anyone',
  list: 'Only the allow list',
  known: 'The allow list and known contacts',
  accept: 'Accept',
  quarantine: 'Quarantine',
  reject: 'Reject',
  hold: 'Hold',
  never: 'Never',
  first_contact: 'First mail to a contact',
  after_suspicious: 'After a suspicious mail',
  always: 'Always',
};

type Value = keyof typeof VALUES;

const FIELDS = {
  from: 'Accept mail from',
  unauthenticated: 'Sender not proven',
  suspicious: 'Suspicious mail',
  dangerous: 'Dangerous mail',
  to: 'Send to',
  hold: 'Hold for approval',
  secrets: 'Mail with a secret in it',
};

type Name = keyof typeof FIELDS;

const choice = (name: Name, values: readonly Value[], current: string): TemplateResult => html`
  <div class="field">
    <label for="policy-${name}">${FIELDS[name]}</label>
    <select id="policy-${name}" name=${name}>
      ${values.map((value) => html`<option value=${value} ?selected=${value === current}>${VALUES[value]}</option>`)}
    </select>
  </div>`;

const choices = (
  table: Readonly<Partial<Record<Name, readonly Value[]>>>,
  current: Readonly<Record<string, unknown>>,
): TemplateResult[] =>
  Object.entries(table).map(([name, values]) => choice(name as Name, values, String(current[name])));

const list = (id: string, label: string, entries: readonly string[]): TemplateResult => html`
  <div class="field">
    <label for=${id}>${label}</label>
    <textarea id=${id} name=${id} class="mono" rows="3" spellcheck="false" aria-describedby="list-hint">${entries.join('\n')}</textarea>
  </div>`;

const linesOf = (form: HTMLFormElement, name: string): string[] =>
  textIn(form, name)
    .split(/[\s,;]+/)
    .filter((entry) => entry !== '');

function policyOf(form: HTMLFormElement): Pick<SetMailPolicyInput, 'inbound' | 'outbound'> {
  const chosen = (table: object): object =>
    Object.fromEntries(Object.keys(table).map((name) => [name, textIn(form, name)]));
  const perDay = textIn(form, 'per-day');
  return {
    inbound: { ...chosen(INBOUND), allow: linesOf(form, 'in-allow'), block: linesOf(form, 'in-block') },
    outbound: {
      ...chosen(OUTBOUND),
      allow: linesOf(form, 'out-allow'),
      block: linesOf(form, 'out-block'),
      max_recipients_per_day: perDay === '' ? null : Number(perDay),
    },
  };
}

export function policyForm(workspace: Workspace, { inbound, outbound }: GetMailPolicyReply): TemplateResult {
  const save = async (form: HTMLFormElement): Promise<void> => {
    await workspace.service.setMailPolicy(policyOf(form));
    toast('Saved.');
    await workspace.refresh();
  };

  return html`
    <form class="compose" @submit=${onSubmit(save)}>
      <h2 tabindex="-1" data-focus>Mail policy</h2>
      <p class="fine">What this account accepts, and what it may send. Some changes need the operator.</p>
      <p class="fine" id="list-hint">One address, domain or *.domain a line. The narrowest entry wins; block wins ties.</p>
      <div class="columns">
        <fieldset>
          <legend>Incoming</legend>
          ${choices(INBOUND, inbound)} ${list('in-allow', 'Allow', inbound.allow)} ${list('in-block', 'Block', inbound.block)}
        </fieldset>
        <fieldset>
          <legend>Outgoing</legend>
          ${choices(OUTBOUND, outbound)} ${list('out-allow', 'Allow', outbound.allow)} ${list('out-block', 'Block', outbound.block)}
          <div class="field">
            <label for="per-day">New recipients a day, empty for no limit</label>
            <input id="per-day" name="per-day" type="number" min="0" value=${outbound.max_recipients_per_day ?? ''}>
          </div>
        </fieldset>
      </div>
      <p class="problem" role="alert"></p>
      <p class="actions"><button class="button primary">Save the policy</button></p>
    </form>`;
}
