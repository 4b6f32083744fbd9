import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListStacksReply } from '../../../client/generated/operations.ts';
import { allOf } from '../ui/console-service.ts';
import { field, pressing, submitting } from '../ui/handlers.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, copy, say } from '../ui/toast.ts';
import type { Desk, Page, View } from '../ui/workspace.ts';

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
  say('Checked.');
  await desk.refresh();
}

async function remove(desk: Desk, { id, domain }: Stack): Promise<void> {
  if (
    !(await confirmed({
      title: `Delete ${domain}?`,
      text: 'Mail to its addresses is no longer accepted.',
      action: 'Delete',
      typed: domain,
    }))
  )
    return;
  await desk.service.deleteStack({ id });
  say('Deleted.');
  await desk.refresh();
}

const COLUMNS = ['Record', 'Name', 'Value', 'Status'];
const RECORD = {
  unchecked: 'Not checked',
  found: 'Found',
  missing: 'Missing',
  different: 'Different',
  unreachable: 'No answer',
};

function record({ type, name, value, priority, status }: DnsRecord): TemplateResult {
  const [, nameLabel = '', valueLabel = '', statusLabel = ''] = COLUMNS;
  const label = `Copy the value of ${type} ${name}`;
  return html`
    <tr>
      <th scope="row">${type}${priority === null ? nothing : html` ${priority}`}</th>
      <td data-label=${nameLabel} class="mono">${name}</td>
      <td data-label=${valueLabel} class="mono">
        ${value}
        <button type="button" class="link" aria-label=${label} @click=${pressing(() => copy(value))}>Copy</button>
      </td>
      <td data-label=${statusLabel}><span class="badge ${RECORD_KIND[status]}">${RECORD[status]}</span></td>
    </tr>`;
}

const STATUS = { provisioning: 'Waiting for DNS', active: 'Active', failed: 'Failed' };

const stack = (desk: Desk, one: Stack): TemplateResult => html`
  <section class="sheet">
    <h2>${one.domain} <span class="badge ${one.status === 'active' ? 'good' : one.status === 'failed' ? 'failed' : 'warn'}">${STATUS[one.status]}</span></h2>
    <table class="records">
      <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${one.records.map(record)}</tbody>
    </table>
    <p class="actions">
      <button type="button" class="button" @click=${pressing(() => check(desk, one.id))}>Check now</button>
      <button type="button" class="button quiet" @click=${pressing(() => remove(desk, one))}>Delete</button>
    </p>
  </section>`;

async function open(desk: Desk): Promise<View> {
  const stacks = await allOf(desk.service.paginate('listStacks', {}));
  return {
    render: () => html`
      <div class="view">
        <h1>Domains</h1>
        <p class="intro">Use addresses at your own domain. Set these records where your DNS is, then check them.</p>
        ${stacks.length === 0 ? empty('No domain yet.') : stacks.map((one) => stack(desk, one))}
        <form class="sheet" @submit=${submitting((form) => add(desk, form))}>
          <label for="domain">Domain</label>
          <input id="domain" name="domain" class="mono" required placeholder="example.com" autocomplete="off">
          <p class="problem" role="alert"></p>
          <p class="actions"><button class="button primary">Add a domain</button></p>
        </form>
      </div>`,
  };
}

export const domainsPage: Page = { name: 'domains', title: 'Domains', scope: 'mail:manage', open };
