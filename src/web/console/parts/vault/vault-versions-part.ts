import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListVaultVersionsReply } from '../../../../client/generated/operations.ts';
import { time } from '../../ui/format.ts';
import { rowAction } from '../../ui/kit/action.ts';
import { dataTable } from '../../ui/kit/data-table.ts';
import { badge, view } from '../../ui/kit/section.ts';
import { diffLines, type LineChange } from '../../ui/line-diff.ts';
import { ask, confirmed, showOnce, toast } from '../../ui/toast.ts';
import type { View, Workspace } from '../../ui/workspace.ts';
import { openSeed, requireVault } from './open-vault.ts';

/** The versions of a secret: each is opened, compared and restored in the browser. */

type Version = ListVaultVersionsReply['versions'][number];

const OPENED = 'Opened in this browser. Nothing was sent.';

/** What stands beside a secret, readable for the service. Without what the client library keeps there for itself. */
export const described = (metadata: Version['metadata']): string =>
  Object.entries(metadata ?? {})
    .filter(([name]) => !name.startsWith('signet_'))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');

async function show(workspace: Workspace, name: string, version: number): Promise<void> {
  const secret = await requireVault(workspace).getText(name, { version });
  await showOnce(`${name}, version ${version}`, OPENED, secret);
}

const SIGNS = { '-': ['removed', 'Removed: '], '+': ['added', 'Added: '], ' ': ['', ''] } as const;

const changed = ([sign, line]: LineChange): TemplateResult => {
  const [kind, spoken] = SIGNS[sign];
  return html`<span class="line ${kind}"><span class="visually-hidden">${spoken}</span><span aria-hidden="true">${sign}</span> ${line}</span>`;
};

async function compare(workspace: Workspace, name: string, older: number, latest: number): Promise<void> {
  const vault = requireVault(workspace);
  const [before, after] = await Promise.all([
    vault.getText(name, { version: older }),
    vault.getText(name, { version: latest }),
  ]);
  const content =
    before === after
      ? html`<p>Both have the same secret.</p>`
      : html`<pre class="diff" tabindex="0">${diffLines(before, after).map(changed)}</pre>`;
  await ask(
    (close) => html`
      <h2 id="dialog-title">${name}: version ${older} and ${latest}</h2>
      <p>− is version ${older}, + is version ${latest}. ${OPENED}</p>
      ${content}
      <p class="actions"><button type="button" class="button primary" autofocus @click=${() => close('')}>Close</button></p>`,
  );
}

async function restore(workspace: Workspace, name: string, version: number, latest: number): Promise<void> {
  const text = `Version ${version} is stored once more, as the newest one. Nothing is deleted.`;
  if (!(await confirmed(`Restore version ${version} of ${name}?`, text, 'Restore'))) return;
  const stored = await requireVault(workspace).restore(name, version, { ifVersion: latest });
  toast(`Restored as version ${stored.version}.`);
  await workspace.refresh();
}

function about({ version, metadata }: Version, latest: number): TemplateResult {
  const text = described(metadata);
  return html`${version} ${version === latest ? badge(['Current', 'good']) : nothing}
    ${text === '' ? nothing : html`<br><span class="fine">${text}</span>`}`;
}

export async function openVersions(workspace: Workspace, name: string): Promise<View> {
  const { versions } = await workspace.service.listVaultVersions({ key: name });
  const latest = versions[0]?.version ?? 0;
  const actions = ({ version }: Version): unknown =>
    openSeed(workspace) === null
      ? nothing
      : [
          rowAction('Show', `version ${version}`, () => show(workspace, name, version)),
          version === latest
            ? nothing
            : [
                rowAction('Compare', `version ${version}`, () => compare(workspace, name, version, latest)),
                rowAction('Restore', `version ${version}`, () => restore(workspace, name, version, latest)),
              ],
        ];
  return {
    render: () =>
      view(name, { back: ['Vault', workspace.link('vault')] }, [
        openSeed(workspace) === null
          ? html`<p class="intro">The vault is closed. <a href=${workspace.link('vault')}>Open it</a> to see, compare and restore these versions.</p>`
          : nothing,
        dataTable<Version>(versions, '', [
          ['Version', (version) => about(version, latest), 'wraps'],
          ['Stored', ({ stored_at: at }) => time(at)],
          ['Actions', actions, 'row-actions'],
        ]),
      ]),
    onEvent: ({ type }) => (type === 'vault.updated' ? workspace.refresh() : undefined),
  };
}
