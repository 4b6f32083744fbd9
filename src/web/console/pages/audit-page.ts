import { html, nothing, type TemplateResult } from 'lit-html';
import { type AuditEntry, type AuditKey, type AuditSeal, verifyAuditChain } from '../../../client/audit-chain.ts';
import { AUDIT_CATEGORIES } from '../parts/audit-categories.ts';
import { time } from '../ui/format.ts';
import { onPick, onPress } from '../ui/handlers.ts';
import { empty } from '../ui/placeholders.ts';
import { download } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The audit log of an account, and the check of its chain in the browser. */

const PAGE = 50;
const WHOLE_PAGE = 200;
/** With a filter a page may hold few entries or none: so many are read before a person must ask for more. */
const READS_MAX = 10;

async function wholeLog(workspace: Workspace): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of workspace.service.paginate('listAuditEntries', { limit: WHOLE_PAGE })) entries.push(entry);
  return entries;
}

async function signatures(workspace: Workspace): Promise<{ seals: AuditSeal[]; keys: AuditKey[] }> {
  const seals: AuditSeal[] = [];
  let keys: AuditKey[] = [];
  let cursor: string | undefined;
  do {
    const page = await workspace.service.listAuditSeals(cursor === undefined ? {} : { cursor });
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

const COLUMNS = ['Number', 'Action', 'By', 'When', 'Result'];
const RESULTS = { success: 'Done', refused: 'Refused' };

function row({ seq, action, actor, at, result, status }: AuditEntry): TemplateResult {
  const [, actionLabel = '', byLabel = '', whenLabel = '', resultLabel = ''] = COLUMNS;
  return html`
    <tr>
      <th scope="row" class="figures">${seq}</th>
      <td data-label=${actionLabel} class="mono">${action}</td>
      <td data-label=${byLabel} class="mono">${actor}</td>
      <td data-label=${whenLabel}>${time(at)}</td>
      <td data-label=${resultLabel}><span class="badge ${result === 'success' ? 'good' : 'warn'}">${RESULTS[result]} ${status}</span></td>
    </tr>`;
}

interface Filter {
  category?: string;
  result?: AuditEntry['result'];
}

async function readSome(workspace: Workspace, filter: Filter, from: string | null) {
  const entries: AuditEntry[] = [];
  let cursor = from;
  let reads = 0;
  do {
    const page = await workspace.service.listAuditEntries({
      ...filter,
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    entries.push(...page.entries);
    cursor = page.next_cursor;
    reads += 1;
  } while (cursor !== null && entries.length < PAGE && reads < READS_MAX);
  return { entries, cursor };
}

function filterBar({ category, result }: Filter, change: (filter: Filter) => Promise<void>): TemplateResult {
  const choose = onPick(async () => {
    const chosen = (id: string): string => (document.getElementById(id) as HTMLSelectElement).value;
    const [wanted, outcome] = [chosen('audit-category'), chosen('audit-result')];
    await change({
      ...(wanted === '' ? {} : { category: wanted }),
      ...(outcome === '' ? {} : { result: outcome as AuditEntry['result'] }),
    });
  });
  const select = (
    id: string,
    label: string,
    options: Readonly<Record<string, string>>,
    now: string | undefined,
  ) => html`
    <div class="field">
      <label for=${id}>${label}</label>
      <select id=${id} @change=${choose}>
        <option value="">All</option>
        ${Object.entries(options).map(([value, text]) => html`<option value=${value} ?selected=${value === now}>${text}</option>`)}
      </select>
    </div>`;
  return html`
    <div class="filters">
      ${select('audit-category', 'Category', AUDIT_CATEGORIES, category)}
      ${select('audit-result', 'Result', RESULTS, result)}
    </div>`;
}

async function open(workspace: Workspace): Promise<View> {
  let filter: Filter = {};
  let wanted = filter;
  let { entries, cursor } = await readSome(workspace, filter, null);
  const narrow = async (to: Filter): Promise<void> => {
    wanted = to;
    const found = await readSome(workspace, to, null);
    // What was chosen while it read counts.
    if (wanted !== to) return;
    filter = to;
    ({ entries, cursor } = found);
    workspace.repaint();
  };
  let said: Awaited<ReturnType<typeof verify>> | null = null;
  let busy = false;
  const check = onPress(async () => {
    busy = true;
    workspace.repaint();
    said = await verify(workspace).finally(() => {
      busy = false;
    });
    workspace.repaint();
  });
  const save = onPress(async () => {
    const lines = (await wholeLog(workspace)).map((entry) => JSON.stringify(entry));
    download(`${lines.join('\n')}\n`, 'signet-audit.jsonl');
  });
  const more = onPress(async () => {
    if (cursor === null) return;
    const of = filter;
    const page = await readSome(workspace, of, cursor);
    // Another filter has replaced the entries that these would follow.
    if (filter !== of) return;
    [entries, cursor] = [[...entries, ...page.entries], page.cursor];
    workspace.repaint();
  });
  return {
    render: () => html`
      <div class="view">
        <h1>Audit log</h1>
        <p class="intro">Every change, each entry chained to the one before it by its hash. The service signs the chain.</p>
        <p class="actions">
          <button type="button" class="button" id="verify" @click=${check}>Verify in this browser</button>
          <button type="button" class="button" @click=${save}>Export</button>
        </p>
        <p role="status" id="verified">${busy ? 'Loading the whole log…' : said === null ? nothing : html`<span class=${said.isValid ? 'fine' : 'problem'}>${said.text}</span>`}</p>
        ${filterBar(filter, narrow)}
        ${
          entries.length === 0
            ? empty('No entry.')
            : html`<table class="sheet">
                <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
                <tbody>${entries.map(row)}</tbody>
              </table>`
        }
        ${cursor === null ? nothing : html`<button type="button" class="button" @click=${more}>Show older</button>`}
      </div>`,
  };
}

export const auditPage: Page = { name: 'audit', title: 'Audit log', scope: 'audit:read', open };
