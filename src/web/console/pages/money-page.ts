import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { GetBudgetReply, SignetEvent } from '../../../client/generated/operations.ts';
import { bar } from '../parts/bar-part.ts';
import { type Approval, askerOf, type Caps } from '../parts/charge-part.ts';
import { type Ledger, ledgerSection, readLedger, rereadLedger } from '../parts/money/ledger-part.ts';
import { paymentSection } from '../parts/money/payments-part.ts';
import { categoryList, dayChart } from '../parts/money/spend-part.ts';
import { capFields, capsIn, PERIOD_LABELS, PERIODS } from '../parts/money/spending-caps.ts';
import { approvalItem } from '../parts/pending-item-part.ts';
import { allOf } from '../ui/console-service.ts';
import { decided } from '../ui/decide.ts';
import { usdc } from '../ui/format.ts';
import { change } from '../ui/kit/action.ts';
import { field, form, options, textIn } from '../ui/kit/form.ts';
import { section, view } from '../ui/kit/section.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** Money of an agent: its caps, what waits, what it spent. */

interface History {
  ledger: Ledger;
  /** What was spent on each category, of all charges. */
  byCategory: Readonly<Record<string, number>>;
}

async function readHistory(workspace: Workspace, before: History | undefined): Promise<History> {
  const ledger = await (before ? rereadLedger(workspace, before.ledger) : readLedger(workspace, ''));
  const isOfAll = ledger.category === '';
  const { summary } = isOfAll ? { summary: ledger.total } : await workspace.service.getBudgetHistory({ limit: 1 });
  return { ledger, byCategory: summary.by_category };
}

const ON_LIMITS = { reject: 'Refuse', approve: 'Ask for approval' };

function capForm(workspace: Workspace, { caps, settings }: GetBudgetReply): TemplateResult {
  const save = async (of: HTMLFormElement): Promise<void> => {
    const onLimit = textIn(of, 'on-limit') === 'approve' ? 'approve' : 'reject';
    const wanted = { caps: capsIn(of), on_limit: onLimit } as const;
    const set = () => decided(workspace, workspace.account.id, (service) => service.setBudget(wanted));
    await change(workspace, set, 'The caps are set.');
  };
  return form(
    { kind: '' },
    save,
    html`
      <p class="fine">In USDC, empty for none. A charge over a cap is refused, or waits for an approval.</p>
      ${capFields((period) => caps[period]?.limit_usdc)}
      ${field('on-limit', 'Over a cap', html`<select id="on-limit" name="on-limit">${options(ON_LIMITS, settings.on_limit)}</select>`)}`,
    html`<button class="button" id="save-caps">Save the caps</button>`,
  );
}

const capBars = ({ caps }: GetBudgetReply): TemplateResult[] =>
  PERIODS.flatMap((period) => {
    const cap = caps[period];
    if (cap === null) return [];
    const text = `${usdc(cap.spent_usdc)} of ${usdc(cap.limit_usdc)}`;
    const left = `${usdc(cap.remaining_usdc)} left`;
    return [bar(PERIOD_LABELS[period], cap.spent_usdc, cap.limit_usdc, text, left)];
  });

function waitingSection(
  workspace: Workspace,
  approvals: readonly Approval[],
  caps: Caps | null,
): TemplateResult | typeof nothing {
  if (approvals.length === 0) return nothing;
  const waiting = repeat(
    approvals,
    ({ id }) => id,
    (one) => approvalItem(workspace, askerOf(workspace.account), one, caps),
  );
  return section('waiting', 'Waiting for approval', html`<ul class="needs">${waiting}</ul>`, { kind: '' });
}

const capSection = (workspace: Workspace, budget: GetBudgetReply): TemplateResult =>
  section('caps', 'Spending caps', [capBars(budget), capForm(workspace, budget)]);

async function open(workspace: Workspace, _parts: readonly string[], read: ReadPart): Promise<View> {
  const { service } = workspace;

  let chosen: History | undefined;
  /** What was chosen while it read stays. */
  const readShown = async (before: History | undefined): Promise<History> => {
    const at = chosen;
    const fresh = await readHistory(workspace, before);
    return chosen === at ? fresh : readShown(chosen);
  };
  const [budget, history, approvals, payments] = await Promise.all([
    read('Spending caps', () => service.getBudget({})),
    read('Charges', readShown),
    read('Waiting for approval', () => allOf(service.paginate('listApprovals', { status: 'pending' }))),
    read('Payments (x402)', () => service.listPayments({})),
  ]);
  const show = (byCategory: History['byCategory']) => (ledger: Ledger) => {
    history.value = chosen = { ledger, byCategory };
    workspace.repaint();
  };
  return {
    render() {
      const { ledger, byCategory = {} } = history.value ?? {};
      const names = Object.keys(byCategory).sort();
      return view('Money', {}, [
        approvals.show((all) => waitingSection(workspace, all, budget.value?.caps ?? null)),
        html`<div class="columns">
          ${budget.show((one) => capSection(workspace, one))}
          ${ledger && names.length > 0 ? html`<div>${dayChart(ledger)} ${categoryList(byCategory)}</div>` : nothing}
        </div>`,
        history.show((one) =>
          names.length > 0 ? ledgerSection(workspace, one.ledger, names, show(byCategory)) : empty('No charges yet.'),
        ),
        payments.show((all) => paymentSection(workspace, all)),
      ]);
    },
    async onEvent({ type }: SignetEvent) {
      if (!/^(charge|approval|budget)\./.test(type)) return;
      await Promise.all([budget.read(), history.read(), approvals.read(), payments.read()]);
      workspace.repaint();
    },
  };
}

export const moneyPage: Page = { name: 'money', title: 'Money', scope: 'money:read', open };
