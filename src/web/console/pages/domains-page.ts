import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListStacksReply } from '../../../client/generated/operations.ts';
import { allOf } from '../ui/console-service.ts';
import { fill } from '../ui/format.ts';
import { field, pressing, submitting } from '../ui/handlers.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, copy, say } from '../ui/toast.ts';
import type { Desk, Page, View } from '../ui/workspace.ts';
import { words } from '../words/console-words.ts';

/** The domains of an account, with every DNS record to set and what the DNS says. */

type Stack = ListStacksReply['stacks'][number];
type DnsRecord = Stack['records'][number];

const RECORD_KIND: Record<DnsRecord['status'], string> = {
  unchecked: '',
  found: 'good',
  missing: 'failed',
  different: 'warn',
  unreachable: 'warn',
};

async function add(desk: Desk, form: HTMLFormElement): Promise<void> {
  await desk.service.createStack({ domain: field(form, 'domain') });
  form.reset();
  await desk.refresh();
}

async function check(desk: Desk, id: string): Promise<void> {
  await desk.service.verifyStack({ id });
  say(words.domains.checked);
  await desk.refresh();
}

async function remove(desk: Desk, { id, domain }: Stack): Promise<void> {
  const { removeAsk, removeWhy: text, remove: action } = words.domains;
  if (!(await confirmed({ title: fill(removeAsk, { name: domain }), text, action, typed: domain }))) return;
  await desk.service.deleteStack({ id });
  say(words.domains.removed);
  await desk.refresh();
}

function record({ type, name, value, priority, status }: DnsRecord): TemplateResult {
  const [, nameLabel = '', valueLabel = '', statusLabel = ''] = words.domains.columns;
  const label = fill(words.domains.copy, { name: `${type} ${name}` });
  return html`
    <tr>
      <th scope="row">${type}${priority === null ? nothing : html` ${priority}`}</th>
      <td data-label=${nameLabel} class="mono">${name}</td>
      <td data-label=${valueLabel} class="mono">
        ${value}
        <button type="button" class="link" aria-label=${label} @click=${pressing(() => copy(value))}>${words.notices.copy}</button>
      </td>
      <td data-label=${statusLabel}><span class="badge ${RECORD_KIND[status]}">${words.domains.record[status]}</span></td>
    </tr>`;
}

const stack = (desk: Desk, one: Stack): TemplateResult => html`
  <section class="sheet">
    <h2>${one.domain} <span class="badge ${one.status === 'active' ? 'good' : one.status === 'failed' ? 'failed' : 'warn'}">${words.domains.status[one.status]}</span></h2>
    <table class="records">
      <thead><tr>${words.domains.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${one.records.map(record)}</tbody>
    </table>
    <p class="actions">
      <button type="button" class="button" @click=${pressing(() => check(desk, one.id))}>${words.domains.check}</button>
      <button type="button" class="button quiet" @click=${pressing(() => remove(desk, one))}>${words.domains.remove}</button>
    </p>
  </section>`;

async function open(desk: Desk): Promise<View> {
  const stacks = await allOf(desk.service.paginate('listStacks', {}));
  return {
    render: () => html`
      <div class="view">
        <h1>${words.domains.title}</h1>
        <p class="intro">${words.domains.intro}</p>
        ${stacks.length === 0 ? empty(words.domains.none) : stacks.map((one) => stack(desk, one))}
        <form class="sheet" @submit=${submitting((form) => add(desk, form))}>
          <label for="domain">${words.domains.domain}</label>
          <input id="domain" name="domain" class="mono" required placeholder="example.com" autocomplete="off">
          <p class="problem" role="alert"></p>
          <p class="actions"><button class="button primary">${words.domains.add}</button></p>
        </form>
      </div>`,
  };
}

export const domainsPage: Page = { name: 'domains', title: words.domains.title, scope: 'mail:manage', open };
