import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListStacksReply } from '../../../client/generated/operations.ts';
import { allOf } from '../ui/console-service.ts';
import { onPress } from '../ui/handlers.ts';
import { action, change } from '../ui/kit/action.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { form, textIn } from '../ui/kit/form.ts';
import { badge, view } from '../ui/kit/section.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, copy, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The domains of an account, with every DNS record to set and what the DNS says. */

type Stack = ListStacksReply['stacks'][number];
type DnsRecord = Stack['records'][number];

const INTRO = 'Use addresses at your own domain. Set these records where your DNS is, then check them.';
const STATUS = {
  provisioning: ['Waiting for DNS', 'warn'],
  active: ['Active', 'good'],
  failed: ['Failed', 'failed'],
} as const;
const RECORD_STATUS = {
  unchecked: ['Not checked', ''],
  found: ['Found', 'good'],
  missing: ['Missing', 'failed'],
  different: ['Different', 'warn'],
  unreachable: ['No answer', 'warn'],
} as const;

async function add(workspace: Workspace, of: HTMLFormElement): Promise<void> {
  await workspace.service.createStack({ domain: textIn(of, 'domain') });
  of.reset();
  await workspace.refresh();
}

async function check(workspace: Workspace, { id, domain }: Stack): Promise<void> {
  const { records } = await workspace.service.verifyStack({ id });
  const found = records.filter(({ status }) => status === 'found').length;
  const isAll = found === records.length;
  toast(
    `${found} of ${records.length} records of ${domain} are found.${isAll ? '' : ' A change of DNS can take an hour.'}`,
  );
  await workspace.refresh();
}

async function remove(workspace: Workspace, { id, domain }: Stack): Promise<void> {
  if (!(await confirmed(`Delete ${domain}?`, 'Mail to its addresses is no longer accepted.', 'Delete', domain))) return;
  await change(workspace, () => workspace.service.deleteStack({ id }), 'Deleted.');
}

const value = ({ type, name, value: text }: DnsRecord): TemplateResult => html`
  ${text}
  <button type="button" class="link" aria-label="Copy the value of ${type} ${name}" @click=${onPress(() => copy(text))}>Copy</button>`;

const stack = (workspace: Workspace, one: Stack): TemplateResult => html`
  <section class="sheet">
    <h2>${one.domain} ${badge(STATUS[one.status])}</h2>
    ${dataTable<DnsRecord>(
      one.records,
      '',
      [
        ['Record', ({ type, priority }) => html`${type}${priority === null ? nothing : html` ${priority}`}`],
        ['Name', ({ name }) => name, 'mono'],
        ['Value', value, 'mono'],
        ['Status', ({ status }) => badge(RECORD_STATUS[status])],
      ],
      'records',
    )}
    <p class="actions">
      ${action('Check now', () => check(workspace, one))} ${action('Delete', () => remove(workspace, one), { kind: 'quiet' })}
    </p>
  </section>`;

const addForm = (workspace: Workspace): TemplateResult =>
  form(
    {},
    (of) => add(workspace, of),
    html`<label for="domain">Domain</label>
      <input id="domain" name="domain" class="mono" required placeholder="example.com" autocomplete="off">`,
    'Add a domain',
  );

async function open(workspace: Workspace): Promise<View> {
  const stacks = await allOf(workspace.service.paginate('listStacks', {}));
  return {
    render: () =>
      view('Domains', { intro: INTRO }, [
        stacks.length === 0 ? empty('No domain yet.') : stacks.map((one) => stack(workspace, one)),
        addForm(workspace),
      ]),
  };
}

export const domainsPage: Page = { name: 'domains', title: 'Domains', scope: 'mail:manage', open };
