import { html, type TemplateResult } from 'lit-html';
import type { GetPodReply } from '../../../client/generated/operations.ts';
import { change } from '../ui/kit/action.ts';
import { field, form, textIn } from '../ui/kit/form.ts';
import type { Workspace } from '../ui/workspace.ts';
import { capFields, capsIn } from './money/spending-caps.ts';

/** The limits of a pod, as a form. */

type Limits = Pick<GetPodReply, 'rate_limits' | 'spending_caps'>;

const WINDOWS = ['minute', 'hour', 'day'] as const;
const WINDOW_LABELS = { minute: 'A minute', hour: 'An hour', day: 'A day' };

/** A number of requests; null for an empty field. */
const countIn = (of: HTMLFormElement, name: string): number | null => {
  const typed = textIn(of, name);
  return typed === '' ? null : Number(typed);
};

const limitsIn = (of: HTMLFormElement) => ({
  rate_limits: {
    requests_per_minute: countIn(of, 'minute'),
    requests_per_hour: countIn(of, 'hour'),
    requests_per_day: countIn(of, 'day'),
  },
  spending_caps: capsIn(of),
});

export const podLimitForm = (
  workspace: Workspace,
  podId: string,
  { rate_limits: rates, spending_caps: caps }: Limits,
): TemplateResult =>
  form(
    { id: 'pod-limits' },
    (of) =>
      change(workspace, () => workspace.service.updatePod({ pod_id: podId, ...limitsIn(of) }), 'The limits are set.'),
    html`
      <div class="columns">
        <fieldset>
          <legend>Requests</legend>
          <p class="fine">Empty for no limit of its own.</p>
          ${WINDOWS.map((name) =>
            field(
              `rate-${name}`,
              WINDOW_LABELS[name],
              html`<input id="rate-${name}" name=${name} type="number" min="1" step="1" inputmode="numeric" value=${rates?.[`requests_per_${name}`] ?? ''}>`,
            ),
          )}
        </fieldset>
        <fieldset>
          <legend>Spending caps</legend>
          <p class="fine">In USDC, empty for none.</p>
          ${capFields((period) => caps?.[period])}
        </fieldset>
      </div>`,
    'Save the limits',
  );
