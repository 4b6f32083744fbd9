import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetBudgetHistoryReply } from '../../../../client/generated/operations.ts';
import { allOf } from '../../ui/console-service.ts';
import { count, time, usdc } from '../../ui/format.ts';
import { onPick } from '../../ui/handlers.ts';
import { action } from '../../ui/kit/action.ts';
import { dataTable } from '../../ui/kit/data-table.ts';
import { section } from '../../ui/kit/section.ts';
import { download } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { type Charge, csvOf } from './spend-part.ts';

/** The charges of an agent, page by page, all or of one category. */

const PAGE = 100;

export interface Ledger {
  /** Empty for all. */
  category: string;
  charges: readonly Charge[];
  /** The page after them; null at the end. */
  next: string | null;
  /** How many charges of the category there are, and what they sum up to, on all pages. */
  total: GetBudgetHistoryReply['summary'];
}

/** @param least how many charges to read, if there are as many */
export async function readLedger({ service }: Workspace, category: string, least = PAGE): Promise<Ledger> {
  const wanted = { limit: PAGE, category: category || undefined };
  const first = await service.getBudgetHistory(wanted);
  const charges = [...first.entries];
  let next = first.pagination.next_cursor;
  while (next !== null && charges.length < least) {
    const page = await service.getBudgetHistory({ ...wanted, cursor: next });
    charges.push(...page.entries);
    next = page.pagination.next_cursor;
  }
  return { category, charges, next, total: first.summary };
}

/** As many charges as are shown now, read again. */
export const rereadLedger = (workspace: Workspace, { category, charges }: Ledger): Promise<Ledger> =>
  readLedger(workspace, category, charges.length);

/**
 * @param names every category
 * @param show puts another ledger in its place
 */
export function ledgerSection(
  workspace: Workspace,
  ledger: Ledger,
  names: readonly string[],
  show: (ledger: Ledger) => void,
): TemplateResult {
  const { category, charges, next, total } = ledger;

  const choose = onPick(async (picked) => {
    const found = await readLedger(workspace, picked.value);
    if (picked.value === found.category) show(found);
  });
  const more = async (): Promise<void> => show(await readLedger(workspace, category, charges.length + 1));
  const save = async (): Promise<void> => {
    const wanted = { limit: PAGE, category: category || undefined };
    download(csvOf(await allOf(workspace.service.paginate('getBudgetHistory', wanted))), 'charges.csv');
  };
  const shown = `${count(charges.length)} of ${count(total.count)} charges, ${usdc(total.total_usdc)} in all.`;
  return section(
    'ledger',
    'Charges',
    html`
      ${dataTable<Charge>(charges, '', [
        ['When', ({ timestamp }) => time(timestamp)],
        ['Amount', ({ amount_usdc: amount }) => usdc(amount)],
        ['Category', (charge) => charge.category],
        ['For', ({ description }) => description || '–'],
      ])}
      <p class="fine" id="shown">${shown}</p>
      ${next === null ? nothing : html`<p>${action('Show older', more, { id: 'older' })}</p>`}`,
    {
      kind: '',
      beside: html`<p class="actions">
        <select id="category" aria-label="Category" @change=${choose}>
          <option value="">All categories</option>
          ${names.map((name) => html`<option value=${name} ?selected=${name === category}>${name}</option>`)}
        </select>
        ${action('Download CSV', save, { id: 'csv' })}
      </p>`,
    },
  );
}
