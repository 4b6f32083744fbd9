import { html, nothing, type TemplateResult } from 'lit-html';
import { decided } from '../../ui/decide.ts';
import { action } from '../../ui/kit/action.ts';
import { field, form, textIn } from '../../ui/kit/form.ts';
import { type Fact, facts, section, view } from '../../ui/kit/section.ts';
import type { ReadPart } from '../../ui/page-parts.ts';
import { empty } from '../../ui/placeholders.ts';
import { download, showOnce } from '../../ui/toast.ts';
import type { View, Workspace } from '../../ui/workspace.ts';
import type { Scope } from '../keys/scope-labels.ts';
import { appleProfile, type Door, type Doors, readDoors } from './mail-program-doors.ts';

/** A key for a mail program that reads and sends the mail of one address, and where the program connects. */

const TITLE = 'Use a mail program';

const SECURITY = { SSL: 'TLS', STARTTLS: 'STARTTLS', plain: 'None. It connects on this machine only' };

const rowsOf = (door: Door, address: string): Fact[] => [
  ['Server', html`<span class="mono">${door.host}</span>`],
  ['Port', html`<span class="mono">${door.port}</span>`],
  ['Security', SECURITY[door.security]],
  ['User name', html`<span class="mono">${address}</span>`],
];

const READING = 'To read mail (IMAP)';
const SENDING = 'To send mail (SMTP)';

/** Beside the key, to type all of it into a program now. */
const besideKey = ({ imap, submission }: Doors, address: string): TemplateResult => html`
  ${imap === null ? nothing : html`<h3 class="apart">${READING}</h3>${facts(rowsOf(imap, address))}`}
  ${submission === null ? nothing : html`<h3 class="apart">${SENDING}</h3>${facts(rowsOf(submission, address))}`}`;

const doorSection = (id: string, title: string, door: Door | null, address: string, off: string): TemplateResult =>
  section(
    id,
    title,
    door === null
      ? html`<p>${off}</p>`
      : facts([...rowsOf(door, address), ['Password', 'The key that you create here']]),
  );

const NO_READING = 'Mail programs cannot read mail here: IMAP is off.';
const NO_SENDING = 'Mail programs cannot send mail here: submission is off.';

const settings = ({ imap, submission }: Doors, address: string): TemplateResult => html`
  <div class="columns apart">
    ${doorSection('door-imap', READING, imap, address, NO_READING)}
    ${doorSection('door-submission', SENDING, submission, address, NO_SENDING)}
  </div>`;

async function create(workspace: Workspace, address: string, doors: Doors, of: HTMLFormElement): Promise<void> {
  const [name, codes] = [textIn(of, 'name'), textIn(of, 'codes')];
  const { scopes: own } = workspace.account;
  const wanted: Scope[] = [
    'mail:read',
    'mail:send',
    'mail:manage',
    ...(codes === 'yes' ? (['mail:codes'] as const) : []),
  ];
  const scopes = wanted.filter((scope) => own.includes(scope));
  const key = { name, scopes, addresses: [address] };
  const { api_key: secret } = await decided(workspace, workspace.account.id, (service) => service.createNamedKey(key));
  const text =
    'Type it into the mail program as the password, now. It cannot be shown again. Under Keys you can delete it.';
  await showOnce(`The password of “${name}”`, text, secret, 'signet-mail-program-key.txt', {
    more: besideKey(doors, address),
  });
  of.reset();
}

const keyForm = (workspace: Workspace, address: string, doors: Doors): TemplateResult =>
  form(
    { id: 'mail-program', kind: 'sheet stack', title: 'A key for the program' },
    (of) => create(workspace, address, doors, of),
    html`
      <p>It reads, sends, marks and deletes the mail of ${address}, and can do nothing else.</p>
      ${field(
        'program-name',
        'Name',
        html`<input id="program-name" name="name" required maxlength="100" autocomplete="off" aria-describedby="program-name-hint">`,
        'Which program, and where, such as “Thunderbird on the laptop”.',
        'narrow',
      )}
      <fieldset>
        <legend>May the program also see codes and login links?</legend>
        <p class="fine">They open other accounts: whoever has the device can use them.</p>
        <label class="check"><input type="radio" name="codes" value="yes" required> Yes. It shows every mail as it came</label>
        <label class="check"><input type="radio" name="codes" value="no"> No. Where a mail may have them, it shows the text with •••, without files</label>
      </fieldset>`,
    'Create the key',
  );

/** Apple's programs take both settings from one file. */
const appleSheet = ({ imap, submission }: Doors, address: string): TemplateResult | typeof nothing => {
  if (imap === null || submission === null) return nothing;
  const save = async (): Promise<void> => download(appleProfile(address, imap, submission), `${address}.mobileconfig`);
  return section(
    'apple-profile',
    'iPhone, iPad or Mac',
    html`
      <p>Open this file on the device. It has these settings and no password: the device asks for the key.</p>
      ${action('Download the profile', save)}`,
  );
};

const shown = (workspace: Workspace, address: string, doors: Doors): TemplateResult =>
  doors.imap === null && doors.submission === null
    ? empty('Mail programs cannot connect to this service: IMAP and submission are off.')
    : html`${keyForm(workspace, address, doors)} ${settings(doors, address)} ${appleSheet(doors, address)}`;

export const mayMakeKeys = ({ account }: Workspace): boolean => account.scopes.includes('account:manage');

/** The page of an address. */
export async function openMailProgram(workspace: Workspace, address: string, read: ReadPart): Promise<View> {
  const back = ['Settings', workspace.link('settings')] as const;
  const bar = (why: string): View => ({ render: () => view(TITLE, { back }, empty(why)) });
  if (!mayMakeKeys(workspace)) return bar('This key may not create keys.');
  if (!workspace.account.addresses.includes(address)) return bar('This address is not claimed.');
  const doors = await read('Mail programs', readDoors);
  const intro = `Read and send the mail of ${address} with Thunderbird, Apple Mail, Outlook or any other program.`;
  return {
    render: () =>
      view(
        TITLE,
        { back, intro },
        doors.show((found) => shown(workspace, address, found)),
      ),
  };
}
