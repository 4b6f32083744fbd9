import { html, type TemplateResult } from 'lit-html';
import type { GetOperatorSettingsReply } from '../../../../client/generated/operations.ts';
import { onPick } from '../../ui/handlers.ts';
import { field, options } from '../../ui/kit/form.ts';
import { section } from '../../ui/kit/section.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** How often news of the agents is mailed to the person. */

export type OperatorSettings = GetOperatorSettingsReply;
type Mails = OperatorSettings['mails'];

const CHOICES: Readonly<Record<Mails, string>> = {
  now: 'At once, each by itself',
  hourly: 'Together, once an hour',
  daily: 'Together, once a day',
  decisions: 'Never: only decisions',
};

export function mailsSection({ service }: Workspace, settings: OperatorSettings): TemplateResult {
  const choose = onPick(async (picked) => {
    const mails = picked.value as Mails;
    await service.updateOperatorSettings({ mails });
    if (picked.value === mails) toast(`News by mail: ${CHOICES[mails].toLowerCase()}.`);
  });
  const select = html`
    <select id="news-mails" aria-describedby="news-mails-hint" @change=${choose}>${options(CHOICES, settings.mails)}</select>`;
  return section('mails', 'News by mail', [
    html`<p class="fine">Caps that are used up, storage that fills and sending that is paused, to <span class="mono">${settings.address}</span>.</p>`,
    field(
      'news-mails',
      'How often',
      select,
      'Logins, confirmations, security notices and what you must decide come at once, always.',
    ),
  ]);
}
