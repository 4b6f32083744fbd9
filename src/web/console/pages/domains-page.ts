import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListStacksReply } from '../../../client/generated/operations.ts';
import { zoneFile } from '../parts/zone-file.ts';
import { allOf } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { onPress } from '../ui/handlers.ts';
import { action, change } from '../ui/kit/action.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { form, textIn } from '../ui/kit/form.ts';
import { badge, view } from '../ui/kit/section.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, copy, download, toast } from '../ui/toast.ts';
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

async function check(workspace: Workspace, { id }: Stack): Promise<void> {
  const { status, records } = await workspace.service.verifyStack({ id });
  const right = records.filter((record) => record.status === 'found').length;
  const more = status === 'active' ? 'Mail can be sent and received.' : 'A change can take an hour to show.';
  toast(`${right} of ${records.length} records are right. ${more}`);
  await workspace.refresh();
}

async function remove(workspace: Workspace, { id, domain }: Stack): Promise<void> {
  if (!(await confirmed(`Delete ${domain}?`, 'Mail to its addresses is no longer accepted.', 'Delete', domain))) return;
  await change(workspace, () => workspace.service.deleteStack({ id }), 'Deleted.');
}

/** @param of what is copied, for those who hear one button after the other */
const copied = (text: string, of: string): TemplateResult => html`
  <span>${text}</span>
  <button type="button" class="link" aria-label="Copy ${of}" @click=${onPress(() => copy(text))}>Copy</button>`;

/** What the DNS has in the place of a record. */
function found({ status, found: texts, value }: DnsRecord): TemplateResult | string {
  if (status === 'unchecked' || status === 'unreachable') return '–';
  if (texts.length === 0) return 'Nothing';
  // The owner may have more in a record than is wanted.
  if (texts.length === 1 && texts[0] === value) return 'As wanted';
  return html`${texts.map((text) => html`<span class="found">${text}</span>`)}`;
}

async function copyAll({ domain, records }: Stack): Promise<void> {
  const text = zoneFile(records);
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied as a zone file, which most DNS providers import.');
  } catch {
    download(text, `${domain}.zone`);
  }
}

const stack = (workspace: Workspace, one: Stack): TemplateResult => html`
  <section class="sheet">
    <h2>${one.domain} ${badge(STATUS[one.status])}</h2>
    ${one.checked_at === null ? nothing : html`<p class="fine">Checked ${time(one.checked_at)}</p>`}
    ${dataTable<DnsRecord>(
      one.records,
      '',
      [
        ['Record', ({ type, priority }) => html`${type}${priority === null ? nothing : html` ${priority}`}`],
        ['Name', ({ type, name }) => copied(name, `the name of ${type} ${name}`), 'mono'],
        ['Wanted', ({ type, name, value }) => copied(value, `the value of ${type} ${name}`), 'mono'],
        ['Found', found, 'mono'],
        ['Status', ({ status }) => badge(RECORD_STATUS[status])],
      ],
      'records dns',
    )}
    <p class="actions">
      ${action('Check now', () => check(workspace, one))}
      ${action('Copy all', () => copyAll(one), { kind: 'quiet', of: `records of ${one.domain}` })}
      ${action('Delete', () => remove(workspace, one), { kind: 'quiet' })}
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
