import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListStacksReply } from '../../../client/generated/operations.ts';
import { allOf } from '../ui/console-service.ts';
import { onPress, onSubmit, textIn } from '../ui/handlers.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, copy, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

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

async function add(workspace: Workspace, form: HTMLFormElement): Promise<void> {
  await workspace.service.createStack({ domain: textIn(form, 'domain') });
  form.reset();
  await workspace.refresh();
}

async function check(workspace: Workspace, id: string): Promise<void> {
  await workspace.service.verifyStack({ id });
  toast('Checked.');
  await workspace.refresh();
}

async function remove(workspace: Workspace, { id, domain }: Stack): Promise<void> {
  if (
    !(await confirmed({
      title: `Delete ${domain}?`,
      text: 'Mail to its addresses is no longer accepted.',
      action: 'Delete',
      typed: domain,
    }))
  )
    return;
  await workspace.service.deleteStack({ id });
  toast('Deleted.');
  await workspace.refresh();
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
        <button type="button" class="link" aria-label=${label} @click=${onPress(() => copy(value))}>Copy</button>
      </td>
      <td data-label=${statusLabel}><span class="badge ${RECORD_KIND[status]}">${RECORD[status]}</span></td>
    </tr>`;
}

const STATUS = { provisioning: 'Waiting for DNS', active: 'Active', failed: 'Failed' };

const stack = (workspace: Workspace, one: Stack): TemplateResult => html`
  <section class="sheet">
    <h2>${one.domain} <span class="badge ${one.status === 'active' ? 'good' : one.status === 'failed' ? 'failed' : 'warn'}">${STATUS[one.status]}</span></h2>
    <table class="records">
      <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${one.records.map(record)}</tbody>
    </table>
    <p class="actions">
      <button type="button" class="button" @click=${onPress(() => check(workspace, one.id))}>Check now</button>
      <button type="button" class="button quiet" @click=${onPress(() => remove(workspace, one))}>Delete</button>
    </p>
  </section>`;

async function open(workspace: Workspace): Promise<View> {
  const stacks = await allOf(workspace.service.paginate('listStacks', {}));
  return {
    render: () => html`
      <div class="view">
        <h1>Domains</h1>
        <p class="intro">Use addresses at your own domain. Set these records where your DNS is, then check them.</p>
        ${stacks.length === 0 ? empty('No domain yet.') : stacks.map((one) => stack(workspace, one))}
        <form class="sheet" @submit=${onSubmit((form) => add(workspace, form))}>
          <label for="domain">Domain</label>
          <input id="domain" name="domain" class="mono" required placeholder="example.com" autocomplete="off">
          <p class="problem" role="alert"></p>
          <p class="actions"><button class="button primary">Add a domain</button></p>
        </form>
      </div>`,
  };
}

export const domainsPage: Page = { name: 'domains', title: 'Domains', scope: 'mail:manage', open };
