import { html, nothing, type TemplateResult } from 'lit-html';
import { type AuditEntry, type AuditKey, type AuditSeal, verifyAuditChain } from '../../../client/audit-chain.ts';
import type { ListAuditEntriesInput } from '../../../client/generated/operations.ts';
import { AUDIT_CATEGORIES } from '../parts/audit-categories.ts';
import { doer, entryView, RESULTS, resultOf, wordsOf } from '../parts/record/entry-part.ts';
import { type Filters, momentOf, readFilters } from '../ui/address-filters.ts';
import { allOf, csvOf } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { action } from '../ui/kit/action.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { type FilterField, filterBar } from '../ui/kit/filter-bar.ts';
import { Pager } from '../ui/kit/pager.ts';
import { badge, view } from '../ui/kit/section.ts';
import { forgotten } from '../ui/placeholders.ts';
import { download } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The audit log of an account, and the check of its chain in the browser. */

const INTRO = 'Every change, each entry chained to the one before it by its hash. The service signs the chain.';
const PAGE = 50;
const WHOLE_PAGE = 200;
/** With a filter a page may hold few entries or none: so many are read before a person must ask for more. */
const READS_MAX = 10;

const wholeLog = ({ service }: Workspace): Promise<AuditEntry[]> =>
  allOf(service.paginate('listAuditEntries', { limit: WHOLE_PAGE }));

async function signatures(workspace: Workspace): Promise<{ seals: AuditSeal[]; keys: AuditKey[] }> {
  const seals: AuditSeal[] = [];
  let keys: AuditKey[] = [];
  let cursor: string | undefined;
  do {
    const page = await workspace.service.listAuditSeals({ cursor });
    seals.push(...page.seals);
    keys = page.keys;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return { seals, keys };
}

/** Computes every hash and signature again. @returns what it found, in words */
async function verify(workspace: Workspace): Promise<{ isValid: boolean; text: string }> {
  // The signatures first: an entry written in between is not covered by one, which is no fault.
  const signed = await signatures(workspace);
  const entries = await wholeLog(workspace);
  try {
    const { entries: count, sealed } = await verifyAuditChain({
      accountId: workspace.account.account_id,
      entries,
      ...signed,
    });
    return { isValid: true, text: `The chain is intact: ${count} entries, ${sealed} of them under a signature.` };
  } catch (err) {
    return {
      isValid: false,
      text: `The chain is broken: ${err instanceof Error ? err.message : String(err)}`,
    };
  }
}

const entryTable = ({ link }: Workspace, entries: readonly AuditEntry[]): TemplateResult =>
  dataTable<AuditEntry>(
    entries,
    'No entry.',
    [
      [
        'What',
        (entry) =>
          html`<a href=${link('audit', entry.id)}>${wordsOf(entry)}</a><span class="mono fine">${entry.action}</span>`,
        'wraps',
      ],
      ['By', doer],
      ['When', ({ at }) => time(at)],
      ['Result', (entry) => badge(resultOf(entry))],
    ],
    'sheet opens',
  );

const FIELDS: readonly FilterField[] = [
  { name: 'actor', label: 'By', kind: 'text', placeholder: 'name or id' },
  { name: 'category', label: 'Category', kind: 'choice', options: AUDIT_CATEGORIES },
  { name: 'result', label: 'Result', kind: 'choice', options: RESULTS },
  { name: 'since', label: 'Since', kind: 'date' },
  { name: 'until', label: 'Until', kind: 'date' },
  { name: 'console', label: 'With what consoles read', kind: 'check' },
];
/** Those that links set, which show once they are set. */
const LINKED: readonly FilterField[] = [
  { name: 'key', label: 'Key', kind: 'text' },
  { name: 'status', label: 'Status', kind: 'text' },
  { name: 'request_id', label: 'Request', kind: 'text' },
];
const NAMES = [...FIELDS, ...LINKED].map(({ name }) => name);

/** The filters of the address as the API takes them. */
function filterOf({ since, until, console: all, ...rest }: Filters): ListAuditEntriesInput {
  return {
    ...rest,
    from: momentOf(since),
    to: momentOf(until, 1),
    ...(all === 'true' ? {} : { console: false }),
  } as ListAuditEntriesInput;
}

async function readSome({ service }: Workspace, filter: ListAuditEntriesInput, from: string | undefined) {
  const entries: AuditEntry[] = [];
  let cursor = from;
  let reads = 0;
  do {
    const page = await service.listAuditEntries({ ...filter, limit: PAGE, cursor });
    entries.push(...page.entries);
    cursor = page.next_cursor ?? undefined;
    reads += 1;
  } while (cursor !== undefined && entries.length < PAGE && reads < READS_MAX);
  return { entries, next: cursor ?? null };
}

async function openOne(workspace: Workspace, id: string): Promise<View> {
  const entry = await workspace.service.getAuditRecord({ id });
  // Any other id is one of a token, which is no entry.
  if (!('seq' in entry)) return { render: () => forgotten('This is the id of a token.', back(workspace)) };
  return { render: () => entryView(workspace, entry) };
}

const back = ({ link }: Workspace): readonly [string, string] => ['Audit log', link('audit')];

async function open(workspace: Workspace, [id]: readonly string[]): Promise<View> {
  if (id !== undefined) return openOne(workspace, id);
  let filters = readFilters(NAMES);
  let wanted = filters;
  const read = (of: Filters) => Pager.open(workspace, (cursor) => readSome(workspace, filterOf(of), cursor));
  let log = await read(filters);
  const narrow = async (to: Filters): Promise<void> => {
    wanted = to;
    const found = await read(to);
    // What was chosen while it read counts.
    if (wanted !== to) return;
    [filters, log] = [to, found];
    workspace.repaint();
  };
  let said: Awaited<ReturnType<typeof verify>> | null = null;
  let busy = false;
  const check = async (): Promise<void> => {
    busy = true;
    workspace.repaint();
    said = await verify(workspace).finally(() => {
      busy = false;
    });
    workspace.repaint();
  };
  const save = async (): Promise<void> => {
    const lines = (await wholeLog(workspace)).map((entry) => JSON.stringify(entry));
    download(`${lines.join('\n')}\n`, 'signet-audit.jsonl');
  };
  const saveTable = async (): Promise<void> =>
    download(await csvOf(workspace.service, 'listAuditEntries', filterOf(filters)), 'signet-audit.csv');
  return {
    render: () =>
      view('Audit log', { intro: INTRO }, [
        html`
          <p class="actions">
            ${action('Verify in this browser', check, { id: 'verify' })} ${action('Save all', save, { kind: 'quiet' })}
            ${action('Save as CSV', saveTable, { kind: 'quiet', id: 'save-csv' })}
          </p>
          <p role="status" id="verified">${busy ? 'Loading the whole log…' : said === null ? nothing : html`<span class=${said.isValid ? 'fine' : 'problem'}>${said.text}</span>`}</p>`,
        filterBar([...FIELDS, ...LINKED.filter(({ name }) => name in filters)], filters, narrow),
        entryTable(workspace, log.all),
        log.button(),
      ]),
  };
}

export const auditPage: Page = { name: 'audit', title: 'Audit log', scope: 'audit:read', open };
