import { html, nothing, type TemplateResult } from 'lit-html';
import { decided } from '../../ui/decide.ts';
import { fullTime, time } from '../../ui/format.ts';
import { change, rowAction } from '../../ui/kit/action.ts';
import { dataTable } from '../../ui/kit/data-table.ts';
import { options } from '../../ui/kit/form.ts';
import { section } from '../../ui/kit/section.ts';
import { ask, confirmed, showOnce } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { NAMED_KEY_INTRO } from './key-form-part.ts';
import { type Key, usage } from './key-use-part.ts';
import { scopeLabel } from './scope-labels.ts';

/** The named keys of an agent: what each may do, and how it is rotated and deleted. */

const GRACES = { '0': 'until now', '3600': 'for another hour', '86400': 'for another day' };

/** The backup key of the account, shown once. */
export async function makeBackup({ service, refresh }: Workspace): Promise<void> {
  const { backup_key: secret } = await service.generateBackupKey({});
  const text = 'Store it apart from the active key. It works only after you activate it.';
  await showOnce('Your backup key', text, secret, 'signet-backup-key.txt');
  await refresh();
}

/** Asks how long the former text of a key stays valid. @returns seconds; null to change nothing */
async function askGrace(name: string): Promise<number | null> {
  const answer = await ask(
    (close) => html`
      <form @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        close((document.getElementById('grace') as HTMLSelectElement).value);
      }}>
        <h2 id="dialog-title">Rotate “${name}”?</h2>
        <p>You get a new key with the same permissions.</p>
        <label for="grace">The current key works</label>
        <select id="grace">${options(GRACES)}</select>
        <p class="actions">
          <button class="button primary">Rotate</button>
          <button type="button" class="button" autofocus @click=${() => close('')}>Cancel</button>
        </p>
      </form>`,
  );
  return answer === '' ? null : Number(answer);
}

async function rotate(workspace: Workspace, { id, name }: Key): Promise<void> {
  const seconds = await askGrace(name ?? '');
  if (seconds === null) return;
  const made = await decided(workspace, workspace.account.id, (service) =>
    service.rotateNamedKey({ id, grace_seconds: seconds }),
  );
  const former = seconds === 0 ? '' : ` The former key works until ${fullTime(made.previous_valid_until)}.`;
  const text = `Store it now. It cannot be shown again.${former}`;
  await showOnce(`The new key “${name ?? ''}”`, text, made.api_key, 'signet-named-key.txt');
  await workspace.refresh();
}

async function remove(workspace: Workspace, { id, name }: Key): Promise<void> {
  if (!(await confirmed(`Delete “${name ?? ''}”?`, 'Programs that use it stop working at once.', 'Delete'))) return;
  await change(workspace, () => workspace.service.deleteNamedKey({ id }), 'Deleted.');
}

const scopeList = (scopes: readonly string[]): TemplateResult =>
  html`<ul class="plain">${scopes.map((scope) => html`<li>${scopeLabel(scope)}</li>`)}</ul>`;

const permissions = ({ scopes, addresses }: Key): TemplateResult => html`
  <details><summary>${scopes.length === 1 ? scopeLabel(scopes[0] ?? '') : `${scopes.length} permissions`}</summary>
    ${scopeList(scopes)}
  </details>
  ${addresses ? html`<span class="mono fine">${addresses.join(', ')}</span>` : nothing}`;

function expiry({ status, expires_at: at }: Key): TemplateResult | string {
  if (status === 'expired') return html`<span class="badge failed">Expired</span>`;
  return at === null ? 'Never' : time(at);
}

/** @param keys all keys of the account; the others are left out */
export const namedKeySection = (workspace: Workspace, keys: readonly Key[]): TemplateResult =>
  section(
    'named-keys',
    'Named keys',
    html`
      <p class="intro">${NAMED_KEY_INTRO}</p>
      ${dataTable<Key>(
        keys.filter(({ kind }) => kind === 'named'),
        'No named key yet.',
        [
          [
            'Name',
            ({ id, name, key_prefix: prefix }) =>
              html`<a href=${workspace.link('keys', id)}>${name}</a><br><span class="mono fine prefix">${prefix}…</span>`,
            'wraps',
          ],
          ['May', permissions],
          ['Expires', expiry],
          ['Used', usage],
          [
            'Actions',
            (key) => [
              html`<a class="button quiet" href=${workspace.link('keys', key.id)}>Change<span class="visually-hidden"> ${key.name}</span></a>`,
              rowAction('Rotate', key.name ?? '', () => rotate(workspace, key)),
              rowAction('Delete', key.name ?? '', () => remove(workspace, key)),
            ],
            'row-actions',
          ],
        ],
      )}`,
    { kind: '', beside: html`<a class="button" href=${workspace.link('keys', 'new')}>New named key</a>` },
  );
