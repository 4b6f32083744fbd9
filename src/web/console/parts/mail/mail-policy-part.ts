import { html, type TemplateResult } from 'lit-html';
import type { GetMailPolicyReply, SetMailPolicyInput } from '../../../../client/generated/operations.ts';
import { change } from '../../ui/kit/action.ts';
import { field, form, listIn, options, textIn } from '../../ui/kit/form.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** The policy of mail: what comes in, what may go out, and the contacts that are always allowed or blocked. */

interface Choice {
  label: string;
  /** In words, by the value that the API takes. */
  values: Readonly<Record<string, string>>;
}

const LIST = 'Only the allow list';
const INBOUND: Readonly<Record<string, Choice>> = {
  from: { label: 'Accept mail from', values: { open: 'Anyone', list: LIST } },
  unauthenticated: {
    label: 'Sender not proven',
    values: { accept: 'Accept', quarantine: 'Quarantine', reject: 'Reject' },
  },
  suspicious: { label: 'Suspicious mail', values: { accept: 'Accept', quarantine: 'Quarantine' } },
  dangerous: { label: 'Dangerous mail', values: { accept: 'Accept', quarantine: 'Quarantine', reject: 'Reject' } },
};
const OUTBOUND: Readonly<Record<string, Choice>> = {
  to: { label: 'Send to', values: { open: 'Anyone', list: LIST, known: 'The allow list and known contacts' } },
  otherwise: { label: 'Mail to others', values: { refuse: 'Refuse', review: 'Hold for approval' } },
  hold: {
    label: 'Hold for approval',
    values: {
      never: 'Never',
      first_contact: 'First mail to a contact',
      after_suspicious: 'After a suspicious mail',
      always: 'Always',
    },
  },
  secrets: { label: 'Mail with a secret in it', values: { accept: 'Accept', hold: 'Hold', reject: 'Reject' } },
};

const choices = (
  table: Readonly<Record<string, Choice>>,
  current: Readonly<Record<string, unknown>>,
): TemplateResult[] =>
  Object.entries(table).map(([name, { label, values }]) =>
    field(
      `policy-${name}`,
      label,
      html`<select id="policy-${name}" name=${name}>${options(values, String(current[name]))}</select>`,
    ),
  );

const list = (id: string, label: string, entries: readonly string[]): TemplateResult =>
  field(
    id,
    label,
    html`<textarea id=${id} name=${id} class="mono" rows="3" spellcheck="false" aria-describedby="list-hint">${entries.join('\n')}</textarea>`,
  );

const SEPARATOR = /[\s,;]+/;

function policyIn(of: HTMLFormElement): Pick<SetMailPolicyInput, 'inbound' | 'outbound'> {
  const chosen = (table: object): object =>
    Object.fromEntries(Object.keys(table).map((name) => [name, textIn(of, name)]));
  const perDay = textIn(of, 'per-day');
  return {
    inbound: {
      ...chosen(INBOUND),
      allow: listIn(of, 'in-allow', SEPARATOR),
      block: listIn(of, 'in-block', SEPARATOR),
    },
    outbound: {
      ...chosen(OUTBOUND),
      allow: listIn(of, 'out-allow', SEPARATOR),
      block: listIn(of, 'out-block', SEPARATOR),
      max_recipients_per_day: perDay === '' ? null : Number(perDay),
    },
  };
}

export const policyForm = (workspace: Workspace, { inbound, outbound }: GetMailPolicyReply): TemplateResult =>
  form(
    { kind: 'compose' },
    (of) => change(workspace, () => workspace.service.setMailPolicy(policyIn(of)), 'Saved.'),
    html`
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
          ${field('per-day', 'New recipients a day, empty for no limit', html`<input id="per-day" name="per-day" type="number" min="0" value=${outbound.max_recipients_per_day ?? ''}>`)}
        </fieldset>
      </div>`,
    'Save the policy',
  );
