import { html, type TemplateResult } from 'lit-html';
import type { GetPodReply } from '../../../client/generated/operations.ts';
import { onSubmit, textIn } from '../ui/handlers.ts';
import { toast } from '../ui/toast.ts';
import type { Workspace } from '../ui/workspace.ts';

/** The limits of a pod, as a form. */

type Limits = Pick<GetPodReply, 'rate_limits' | 'spending_caps'>;

const WINDOWS = ['minute', 'hour', 'day'] as const;
const PERIODS = ['daily', 'weekly', 'monthly'] as const;

/** A number of requests; null for an empty field. */
const countIn = (form: HTMLFormElement, name: string): number | null => {
  const typed = textIn(form, name);
  return typed === '' ? null : Number(typed);
};

/** USDC as the API takes it: text with a point. Null for an empty field. */
const usdcIn = (form: HTMLFormElement, name: string): string | null => {
  const typed = textIn(form, name).replace(',', '.');
  return typed === '' ? null : typed.includes('.') ? typed : `${typed}.00`;
};

async function save(workspace: Workspace, podId: string, form: HTMLFormElement): Promise<void> {
  await workspace.service.updatePod({
    pod_id: podId,
    rate_limits: {
      requests_per_minute: countIn(form, 'minute'),
      requests_per_hour: countIn(form, 'hour'),
      requests_per_day: countIn(form, 'day'),
    },
    spending_caps: {
      daily: usdcIn(form, 'daily'),
      weekly: usdcIn(form, 'weekly'),
      monthly: usdcIn(form, 'monthly'),
    },
  });
  toast('The limits are set.');
  await workspace.refresh();
}

const WINDOW_LABELS = { minute: 'A minute', hour: 'An hour', day: 'A day' };
const PERIOD_LABELS = { daily: 'A day', weekly: 'A week', monthly: 'A month' };

export function podLimitForm(
  workspace: Workspace,
  podId: string,
  { rate_limits: rates, spending_caps: caps }: Limits,
): TemplateResult {
  return html`
    <form class="sheet" id="pod-limits" @submit=${onSubmit((form) => save(workspace, podId, form))}>
      <div class="columns">
        <fieldset>
          <legend>Requests</legend>
          <p class="fine">Empty for no limit of its own.</p>
          ${WINDOWS.map(
            (window) => html`<div class="field">
              <label for="rate-${window}">${WINDOW_LABELS[window]}</label>
              <input id="rate-${window}" name=${window} type="number" min="1" step="1" inputmode="numeric" value=${rates?.[`requests_per_${window}`] ?? ''}>
            </div>`,
          )}
        </fieldset>
        <fieldset>
          <legend>Spending caps</legend>
          <p class="fine">In USDC, empty for none.</p>
          ${PERIODS.map((period) => {
            const cap = caps?.[period];
            return html`<div class="field">
              <label for="cap-${period}">${PERIOD_LABELS[period]}</label>
              <input id="cap-${period}" name=${period} inputmode="decimal" autocomplete="off" value=${cap === undefined ? '' : cap / 1_000_000}>
            </div>`;
          })}
        </fieldset>
      </div>
      <p class="problem" role="alert"></p>
      <p class="actions"><button class="button primary">Save the limits</button></p>
    </form>`;
}
