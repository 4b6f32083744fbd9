import { html, type TemplateResult } from 'lit-html';
import type { GetMailPolicyReply, SetMailPolicyInput } from '../../../../client/generated/operations.ts';
import { field, submitting } from '../../ui/handlers.ts';
import { say } from '../../ui/toast.ts';
import type { Desk } from '../../ui/workspace.ts';
import { words } from '../../words/console-words.ts';

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

type Value = keyof typeof words.policy.values;
type Name = keyof typeof words.policy.fields;

const choice = (name: Name, values: readonly Value[], current: string): TemplateResult => html`
  <div class="field">
    <label for="policy-${name}">${words.policy.fields[name]}</label>
    <select id="policy-${name}" name=${name}>
      ${values.map((value) => html`<option value=${value} ?selected=${value === current}>${words.policy.values[value]}</option>`)}
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
  field(form, name)
    .split(/[\s,;]+/)
    .filter((entry) => entry !== '');

function policyOf(form: HTMLFormElement): Pick<SetMailPolicyInput, 'inbound' | 'outbound'> {
  const chosen = (table: object): object =>
    Object.fromEntries(Object.keys(table).map((name) => [name, field(form, name)]));
  const perDay = field(form, 'per-day');
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

export function policyForm(desk: Desk, { inbound, outbound }: GetMailPolicyReply): TemplateResult {
  const save = async (form: HTMLFormElement): Promise<void> => {
    await desk.service.setMailPolicy(policyOf(form));
    say(words.policy.saved);
    await desk.refresh();
  };
  const { allow, block } = words.policy;
  return html`
    <form class="compose" @submit=${submitting(save)}>
      <h2 tabindex="-1" data-focus>${words.policy.title}</h2>
      <p class="fine">${words.policy.intro}</p>
      <p class="fine" id="list-hint">${words.policy.listHint}</p>
      <div class="columns">
        <fieldset>
          <legend>${words.policy.inbound}</legend>
          ${choices(INBOUND, inbound)} ${list('in-allow', allow, inbound.allow)} ${list('in-block', block, inbound.block)}
        </fieldset>
        <fieldset>
          <legend>${words.policy.outbound}</legend>
          ${choices(OUTBOUND, outbound)} ${list('out-allow', allow, outbound.allow)} ${list('out-block', block, outbound.block)}
          <div class="field">
            <label for="per-day">${words.policy.perDay}</label>
            <input id="per-day" name="per-day" type="number" min="0" value=${outbound.max_recipients_per_day ?? ''}>
          </div>
        </fieldset>
      </div>
      <p class="problem" role="alert"></p>
      <p class="actions"><button class="button primary">${words.policy.save}</button></p>
    </form>`;
}
