import { html, type TemplateResult } from 'lit-html';
import { field, usdcIn } from '../../ui/kit/form.ts';

/** Caps of spending, one for each period, as fields of a form. */

export const PERIODS = ['daily', 'weekly', 'monthly'] as const;
export type Period = (typeof PERIODS)[number];

export const PERIOD_LABELS: Readonly<Record<Period, string>> = { daily: 'A day', weekly: 'A week', monthly: 'A month' };

/** @param limit atomic units of USDC, 1/1,000,000 */
export const capFields = (limit: (period: Period) => number | undefined): TemplateResult[] =>
  PERIODS.map((period) => {
    const atomic = limit(period);
    const amount = atomic === undefined ? '' : atomic / 1_000_000;
    return field(
      `cap-${period}`,
      PERIOD_LABELS[period],
      html`<input id="cap-${period}" name=${period} inputmode="decimal" autocomplete="off" value=${amount}>`,
    );
  });

/** What the fields say, as the API takes it. */
export const capsIn = (form: HTMLFormElement): Record<Period, string | null> => ({
  daily: usdcIn(form, 'daily'),
  weekly: usdcIn(form, 'weekly'),
  monthly: usdcIn(form, 'monthly'),
});
