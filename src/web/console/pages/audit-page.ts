import { html, nothing, type TemplateResult } from 'lit-html';
import { type AuditEntry, type AuditKey, type AuditSeal, verifyAuditChain } from '../../../client/audit-chain.ts';
import type { ListAuditEntriesInput } from '../../../client/generated/operations.ts';
import { AUDIT_CATEGORIES } from '../parts/audit-categories.ts';
import { allOf } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { onPick } from '../ui/handlers.ts';
import { action } from '../ui/kit/action.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { field, options } from '../ui/kit/form.ts';
import { Pager } from '../ui/kit/pager.ts';
import { view } from '../ui/kit/section.ts';
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

const RESULTS = { success: 'Done', refused: 'Refused', dry_run: 'Tried' };

const ROLES = {
  email: 'Account email',
  operator: 'Operator',
  recovery: 'Recovery email',
  vault_recovery: 'Vault recovery',
};
const KINDS = { administrator: 'Administrator', anonymous: 'Without a login', service: 'The service' };

/** A person by role and address, a key by its name, a delegate with all through whom it acts. */
function doer({ actor, act = [], address }: AuditEntry): TemplateResult {
  const two = (who: string, what: string | undefined) => html`${who}<br><span class="mono fine">${what}</span>`;
  if (actor === 'session' || actor === 'anonymous') return html`Not recorded`;
  if (typeof actor === 'string') return html`<span class="mono">${actor}</span>`;
  const { kind, id, name, prefix, role = 'email' } = actor;
  if (kind === 'person') return two(ROLES[role], address ?? id);
  if (kind === 'key') return two(`Key ${name}`, `${prefix}…`);
  if (kind === 'client') return two('Application', name);
  if (kind === 'delegate') return two('Delegate', act.join(' for '));
  return html`${KINDS[kind]}`;
}

const entryTable = (entries: readonly AuditEntry[]): TemplateResult =>
  dataTable<AuditEntry>(entries, 'No entry.', [
    ['Number', ({ seq }) => seq, 'figures'],
    ['Action', ({ action: name }) => name, 'mono'],
    ['By', doer],
    ['When', ({ at }) => time(at)],
    [
      'Result',
      ({ result, status }) =>
        html`<span class="badge ${result === 'success' ? 'good' : 'warn'}">${RESULTS[result]} ${status}</span>`,
    ],
  ]);

type Filter = Pick<ListAuditEntriesInput, 'category' | 'result'>;

async function readSome({ service }: Workspace, filter: Filter, from: string | undefined) {
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

function filterBar({ category, result }: Filter, change: (filter: Filter) => Promise<void>): TemplateResult {
  const choose = onPick(async () => {
    const chosen = (id: string): string => (document.getElementById(id) as HTMLSelectElement).value;
    const result = (chosen('audit-result') || undefined) as Filter['result'];
    await change({ category: chosen('audit-category') || undefined, result });
  });
  const select = (id: string, label: string, labels: Readonly<Record<string, string>>, now: string | undefined) =>
    field(
      id,
      label,
      html`<select id=${id} @change=${choose}><option value="">All</option>${options(labels, now)}</select>`,
    );
  return html`
    <div class="filters">
      ${select('audit-category', 'Category', AUDIT_CATEGORIES, category)} ${select('audit-result', 'Result', RESULTS, result)}
    </div>`;
}

async function open(workspace: Workspace): Promise<View> {
  let filter: Filter = {};
  let wanted = filter;
  const read = (of: Filter) => Pager.open(workspace, (cursor) => readSome(workspace, of, cursor));
  let log = await read(filter);
  const narrow = async (to: Filter): Promise<void> => {
    wanted = to;
    const found = await read(to);
    // What was chosen while it read counts.
    if (wanted !== to) return;
    [filter, log] = [to, found];
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
  return {
    render: () =>
      view('Audit log', { intro: INTRO }, [
        html`
          <p class="actions">${action('Verify in this browser', check, { id: 'verify' })} ${action('Export', save)}</p>
          <p role="status" id="verified">${busy ? 'Loading the whole log…' : said === null ? nothing : html`<span class=${said.isValid ? 'fine' : 'problem'}>${said.text}</span>`}</p>`,
        filterBar(filter, narrow),
        entryTable(log.all),
        log.button(),
      ]),
  };
}

export const auditPage: Page = { name: 'audit', title: 'Audit log', label: 'Audit', scope: 'audit:read', open };
