import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListAccountKeysReply } from '../../../../client/generated/operations.ts';
import { decided } from '../../ui/decide.ts';
import { fill, fullTime, time } from '../../ui/format.ts';
import { pressing } from '../../ui/handlers.ts';
import { empty } from '../../ui/placeholders.ts';
import { ask, confirmed, say, showOnce } from '../../ui/toast.ts';
import type { Desk } from '../../ui/workspace.ts';
import { words } from '../../words/console-words.ts';

/** The named keys of an agent: what each may do, and how it is rotated and deleted. */

export type Key = ListAccountKeysReply['keys'][number];

/** Asks how long the former text of a key stays valid. @returns seconds; null to change nothing */
async function askGrace(name: string): Promise<number | null> {
  const { rotateTitle, rotateWhy, rotate, grace, graces } = words.namedKeys;
  const answer = await ask(
    (close) => html`
      <form @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        close((document.getElementById('grace') as HTMLSelectElement).value);
      }}>
        <h2 id="dialog-title">${fill(rotateTitle, { name })}</h2>
        <p>${rotateWhy}</p>
        <label for="grace">${grace}</label>
        <select id="grace">${Object.entries(graces).map(([seconds, text]) => html`<option value=${seconds}>${text}</option>`)}</select>
        <p class="actions">
          <button class="button primary">${rotate}</button>
          <button type="button" class="button" autofocus @click=${() => close('')}>${words.notices.cancel}</button>
        </p>
      </form>`,
  );
  return answer === '' ? null : Number(answer);
}

async function rotate(desk: Desk, { id, name }: Key): Promise<void> {
  const seconds = await askGrace(name ?? '');
  if (seconds === null) return;
  const made = await decided(desk, desk.account.id, (service) =>
    service.rotateNamedKey({ id, grace_seconds: seconds }),
  );
  const { rotated, store, until } = words.namedKeys;
  await showOnce({
    title: fill(rotated, { name: name ?? '' }),
    text: seconds === 0 ? store : `${store} ${fill(until, { date: fullTime(made.previous_valid_until) })}`,
    secret: made.api_key,
    filename: 'signet-named-key.txt',
  });
  await desk.refresh();
}

async function remove(desk: Desk, { id, name }: Key): Promise<void> {
  const { removeAsk, removeWhy: text, remove: action, removed } = words.namedKeys;
  if (!(await confirmed({ title: fill(removeAsk, { name: name ?? '' }), text, action }))) return;
  await desk.service.deleteNamedKey({ id });
  say(removed);
  await desk.refresh();
}

const scopeWords: Readonly<Record<string, string>> = words.namedKeys.scopes;

function row(desk: Desk, key: Key): TemplateResult {
  const [, mayLabel = '', expiresLabel = '', usedLabel = '', actionsLabel = ''] = words.namedKeys.columns;
  const { namedKeys } = words;
  const button = (label: string, work: () => Promise<void>): TemplateResult =>
    html`<button type="button" class="button quiet" aria-label=${`${label} ${key.name ?? ''}`} @click=${pressing(work)}>${label}</button>`;
  return html`
    <tr>
      <th scope="row" class="wraps">${key.name}<br><span class="mono fine">${key.key_prefix}…</span></th>
      <td data-label=${mayLabel}>
        <details><summary>${key.scopes.length === 1 ? (scopeWords[key.scopes[0] ?? ''] ?? key.scopes[0]) : fill(namedKeys.permissions, { n: key.scopes.length })}</summary>
          <ul class="plain">${key.scopes.map((scope) => html`<li>${scopeWords[scope] ?? scope}</li>`)}</ul>
        </details>
        ${key.addresses ? html`<span class="mono fine">${key.addresses.join(', ')}</span>` : nothing}
      </td>
      <td data-label=${expiresLabel}>
        ${key.status === 'expired' ? html`<span class="badge failed">${namedKeys.expired}</span>` : key.expires_at === null ? namedKeys.never : time(key.expires_at)}
      </td>
      <td data-label=${usedLabel}>${key.last_used_at === null ? namedKeys.notUsed : time(key.last_used_at)}</td>
      <td data-label=${actionsLabel} class="row-actions">
        ${button(namedKeys.rotate, () => rotate(desk, key))} ${button(namedKeys.remove, () => remove(desk, key))}
      </td>
    </tr>`;
}

/** @param keys all keys of the account; the others are left out */
export function namedKeySection(desk: Desk, keys: readonly Key[]): TemplateResult {
  const { namedKeys } = words;
  const named = keys.filter(({ kind }) => kind === 'named');
  return html`
    <section aria-labelledby="named-keys">
      <div class="heading">
        <h2 id="named-keys">${namedKeys.title}</h2>
        <a class="button" href=${desk.link('keys', 'new')}>${namedKeys.add}</a>
      </div>
      <p class="intro">${namedKeys.intro}</p>
      ${
        named.length === 0
          ? empty(namedKeys.none)
          : html`<table class="sheet">
              <thead><tr>${namedKeys.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
              <tbody>${named.map((key) => row(desk, key))}</tbody>
            </table>`
      }
    </section>`;
}
