import { html, nothing, type TemplateResult } from 'lit-html';
import type { AuditEntry } from '../../../../client/audit-chain.ts';
import { time, usdc } from '../../ui/format.ts';
import { copyable } from '../../ui/kit/action.ts';
import { dataTable } from '../../ui/kit/data-table.ts';
import { badge, facts, type State, section, view } from '../../ui/kit/section.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** An entry of the audit log: who did what to which thing. */

export const RESULTS = { success: 'Done', refused: 'Refused', dry_run: 'Tried' };

const ROLES = {
  email: 'Account email',
  operator: 'Operator',
  recovery: 'Recovery email',
  vault_recovery: 'Vault recovery',
};
const KINDS = { administrator: 'Administrator', anonymous: 'Without a login', service: 'The service' };
/** Of what was not written yet when the entry was. */
const NOT_RECORDED = html`<span class="fine">Not recorded</span>`;

/** A person by role and address, a key by its name, a delegate with all through whom it acts. */
export function doer({ actor, act = [], address }: AuditEntry): TemplateResult {
  const two = (who: string, what: string | undefined) => html`${who}<br><span class="mono fine">${what}</span>`;
  if (actor === 'session' || actor === 'anonymous') return NOT_RECORDED;
  if (typeof actor === 'string') return html`<span class="mono">${actor}</span>`;
  const { kind, id, name, prefix, role = 'email' } = actor;
  if (kind === 'person') return two(ROLES[role], address ?? id);
  if (kind === 'key') return two(`Key ${name}`, `${prefix}…`);
  if (kind === 'client') return two('Application', name);
  if (kind === 'delegate') return two('Delegate', act.join(' for '));
  return html`${KINDS[kind]}`;
}

export const resultOf = ({ result, status }: AuditEntry): State => [
  `${RESULTS[result]} ${status}`,
  result === 'success' ? 'good' : 'warn',
];

/** What was done, in words; of an old entry, only the name of the action. */
export const wordsOf = ({ summary, action }: AuditEntry): string => summary ?? action;

/** The pages on which things are shown. */
const PAGES: Readonly<Record<string, (id: string) => string[]>> = {
  address: (id) => ['mail', id],
  approval: () => ['money'],
  budget: () => ['money'],
  charge: () => ['money'],
  calendar: () => ['calendar'],
  calendar_event: () => ['calendar'],
  delegation: () => ['identity'],
  domain: () => ['domains'],
  grant: () => ['keys'],
  key: () => ['keys'],
  mail_policy: () => ['settings'],
  person: () => ['settings'],
  pod: () => ['pods'],
  policy: () => ['settings', 'ways'],
  profile: () => ['identity'],
  sent_mail: (id) => ['outbox', id],
  signing_key: () => ['identity'],
  vault_entry: () => ['vault'],
  webhook: (id) => ['webhooks', id],
};

const KIND_NAMES: Readonly<Record<string, string>> = { sent_mail: 'sent mail', vault_entry: 'secret', stack: 'domain' };

function whichOf({ link }: Workspace, { target }: AuditEntry): TemplateResult | null {
  if (!target) return null;
  const parts = PAGES[target.kind]?.(target.id);
  const name = html`<span class="mono">${target.id}</span>`;
  const [page = '', ...more] = parts ?? [];
  return html`${KIND_NAMES[target.kind] ?? target.kind.replaceAll('_', ' ')}<br>${parts ? html`<a href=${link(page, ...more)}>${name}</a>` : name}`;
}

type Values = NonNullable<AuditEntry['before']>;

/** What the settings that the log keeps are called. */
const NAMES: Readonly<Record<string, string>> = {
  'caps.daily.limit_usdc': 'Daily cap',
  'caps.weekly.limit_usdc': 'Weekly cap',
  'caps.monthly.limit_usdc': 'Monthly cap',
  'settings.on_limit': 'Over a limit',
  'settings.single_tx_limit_cents': 'Largest charge',
  'settings.authority': 'Who decides',
  requestsShare: 'Share of requests',
};

const nameOf = (path: string): string => {
  const text = NAMES[path] ?? path.replace(/\.length$/, ' entries').replaceAll(/[._]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

function shownValue(path: string, value: Values[string] | undefined): unknown {
  if (value === undefined || value === null) return html`<span class="fine">none</span>`;
  if (typeof value === 'number' && /usdc|cents/.test(path)) return usdc(value);
  return Array.isArray(value) ? value.join(', ') || 'none' : String(value).replaceAll('_', ' ');
}

function changes({ before, after }: AuditEntry): TemplateResult | typeof nothing {
  const paths = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (paths.length === 0) return nothing;
  return section(
    'changes',
    'What changed',
    dataTable(
      paths,
      '',
      [
        ['What', (path: string) => nameOf(path)],
        ['Before', (path: string) => shownValue(path, before?.[path])],
        ['After', (path: string) => shownValue(path, after?.[path])],
      ],
      'values',
    ),
  );
}

const fromWhere = ({ network }: AuditEntry): TemplateResult | null => {
  if (network === undefined) return null;
  return network === null
    ? html`<span class="fine">No longer kept: networks go after 30 days</span>`
    : html`<span class="mono">${network}</span>`;
};

export const entryView = (workspace: Workspace, entry: AuditEntry): TemplateResult => {
  const { summary, action, at, request_id: request, seq, hash, prev_hash: previous, count } = entry;
  const { link } = workspace;
  const isRequest = request.startsWith('req_');
  return view(wordsOf(entry), { back: ['Audit log', link('audit')], beside: badge(resultOf(entry)) }, [
    section('entry', 'Who, what, which', [
      facts([
        ['By', doer(entry)],
        ['What', summary === undefined ? NOT_RECORDED : summary],
        ['Which', whichOf(workspace, entry) ?? html`<span class="fine">nothing that has an id</span>`],
        ['When', html`${time(at)}<br><span class="fine">${at}</span>`],
        ['How many', count === undefined ? null : String(count)],
        ['Action', html`<span class="mono">${action}</span>`],
        ['From', fromWhere(entry)],
        [
          'Request',
          isRequest
            ? html`<a class="mono" href=${link('requests', request)}>${request}</a>`
            : html`<span class="mono">${request}</span>`,
        ],
      ]),
    ]),
    changes(entry),
    section('chain', 'In the chain', [
      facts([
        ['Number', String(seq)],
        ['Hash', html`<span class="mono">${hash}</span>`],
        ['Follows', html`<span class="mono">${previous}</span>`],
        ['Id', copyable('entry-id', entry.id)],
      ]),
    ]),
  ]);
};
