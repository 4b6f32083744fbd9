import { html, nothing, type TemplateResult } from 'lit-html';
import { OPERATIONS, type OperationName } from '../../../client/generated/operations.ts';
import { SignetError } from '../../../client/signet-error.ts';
import { type DescribedCall, describeCall, inputOf, isOperation, type Parameter } from '../parts/try/described-call.ts';
import { messageOf } from '../ui/console-service.ts';
import { agentName, counted, size } from '../ui/format.ts';
import { onPress } from '../ui/handlers.ts';
import { field, form, textIn, typedText } from '../ui/kit/form.ts';
import { badge, section, view } from '../ui/kit/section.ts';
import { confirmed, copy, download } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/**
 * Tries one call of the API. The reference links here, `/console/try?operation=…`. The link names the operation and nothing
 * else, and opening it calls nothing: another site could link here too.
 */

interface Result {
  isReal: boolean;
  status: number;
  /** For the badge. */
  kind: string;
  /** What a person reads of a refusal; empty for a success. */
  problem: string;
  body: unknown;
  requestId: string | null;
}

const INTRO = 'Pick an operation of the API. It is tried first, and changes nothing until you run it for real.';
const KINDS = {
  read: 'It is a read, so it runs at once.',
  tried: 'It is tried first: the service answers as it would, and changes nothing.',
  write: 'It cannot be tried: the button runs it.',
} as const;

async function call(workspace: Workspace, described: DescribedCall, input: object, isReal: boolean): Promise<Result> {
  try {
    const dryRun = !isReal && described.kind === 'tried';
    const { status, body, requestId } = await workspace.service.call(described.name, input as never, {
      retries: 0,
      dryRun,
    });
    return { isReal, status, kind: 'good', problem: '', body, requestId };
  } catch (err) {
    if (!(err instanceof SignetError)) throw err;
    const { status, code, message, details, fields, requestId } = err;
    const body = { error: code, message, ...(details.length > 0 ? { details } : {}), ...fields };
    return { isReal, status, kind: status < 500 ? 'warn' : 'failed', problem: messageOf(err), body, requestId };
  }
}

function control({ name, options, example, isRequired, type }: Parameter): TemplateResult {
  const id = `param-${name}`;
  if (options.length === 0)
    return html`<input id=${id} name=${id} class="mono" value=${example} placeholder=${type} ?required=${isRequired}
      autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${id}-hint">`;
  return html`
    <select id=${id} name=${id} aria-describedby="${id}-hint">
      ${isRequired ? nothing : html`<option value="">Not given</option>`}
      ${options.map((one) => html`<option ?selected=${one === example}>${one}</option>`)}
    </select>`;
}

const placeOf = ({ path }: DescribedCall, { name, isRequired }: Parameter): string =>
  path.includes(`{${name}}`) ? 'In the path.' : isRequired ? 'In the query.' : 'In the query, optional.';

/** Most calls need only these. */
const isFirst = ({ isRequired, example }: Parameter): boolean => isRequired || example !== '';

function fields(described: DescribedCall): TemplateResult {
  const { parameters, body } = described;
  const drawn = (one: Parameter): TemplateResult => {
    const hint = `${placeOf(described, one)} ${one.description.replaceAll('`', '')}`.trim();
    return field(`param-${one.name}`, one.name, control(one), hint, 'narrow');
  };
  const [first, others] = [parameters.filter(isFirst), parameters.filter((one) => !isFirst(one))];
  const rest = counted(others.length, 'more parameter', 'more parameters');
  const given = html`
    ${first.map(drawn)}
    ${others.length === 0 ? nothing : html`<details class="apart"><summary>${rest}</summary>${others.map(drawn)}</details>`}`;
  if (body === null) return given;
  const rows = Math.min(16, Math.max(4, body.example.split('\n').length + 1));
  const json = html`<textarea id="body" name="body" class="mono" rows=${rows} autocomplete="off" autocapitalize="none" spellcheck="false" .value=${body.example}></textarea>`;
  return html`${given} ${field('body', 'Body, as JSON', json)}`;
}

const asText = (body: unknown): string =>
  body instanceof Uint8Array
    ? `${size(body.length)} that are no text`
    : typeof body === 'string'
      ? body
      : JSON.stringify(body, null, 2);

function resultSection({ isReal, status, kind, problem, body, requestId }: Result, isRead: boolean): TemplateResult {
  const said =
    problem !== '' ? problem : isReal || isRead ? 'Done.' : 'This is what the call would answer. Nothing was changed.';
  const text = body === null ? '' : asText(body);
  const bytes = body instanceof Uint8Array ? body : null;
  return section(
    'reply',
    isReal || isRead ? 'Reply' : 'Reply of the dry run',
    html`
      <p role="status">${badge([String(status), kind])} ${said}</p>
      ${text === '' ? html`<p class="fine">The reply has no body.</p>` : html`<pre class="reply" tabindex="0" id="reply-body">${text}</pre>`}
      <p class="actions">
        ${bytes === null ? html`<button type="button" class="button quiet" @click=${() => void copy(text, document.getElementById('reply-body'))}>Copy</button>` : html`<button type="button" class="button quiet" @click=${() => download(bytes as BlobPart, 'reply.bin')}>Download</button>`}
        ${requestId === null ? nothing : html`<span class="fine mono">${requestId}</span>`}
      </p>`,
  );
}

/** Text of the API description, which marks code. */
const withCode = (text: string): unknown[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

/** Calls that end a key or codes, although their paths do not say so. */
const ENDS: readonly OperationName[] = [
  'activateBackupKey',
  'createRecoveryCodes',
  'generateBackupKey',
  'replacePodKey',
];

/** What goes at once, or cannot be had back, is typed first. */
const mustType = ({ name, method, path }: DescribedCall): boolean =>
  method === 'DELETE' || /rotate|secure|delete/.test(path) || ENDS.includes(name);

class TryView implements View {
  readonly #workspace: Workspace;
  readonly #call: DescribedCall;
  #result: Result | null = null;
  /** Whether what the form holds was tried, and would be done. */
  #isTried = false;

  constructor(workspace: Workspace, described: DescribedCall) {
    [this.#workspace, this.#call] = [workspace, described];
  }

  async #run(form: HTMLFormElement, isReal: boolean): Promise<void> {
    const input = inputOf(this.#call, (name) => (name === 'body' ? typedText(form, name) : textIn(form, name)));
    if (isReal && !(await this.#isConfirmed())) return;
    this.#result = await call(this.#workspace, this.#call, input, isReal);
    this.#isTried = !isReal && this.#result.status < 400;
    this.#workspace.repaint();
    document.getElementById('reply')?.scrollIntoView({ block: 'nearest' });
  }

  #isConfirmed(): Promise<boolean> {
    const { name, summary } = this.#call;
    const { account } = this.#workspace;
    const text = `${summary}, for ${agentName(account.name)} (${account.id}). What it changes is changed.`;
    return confirmed(`Run ${name} for real?`, text, 'Run it for real', mustType(this.#call) ? name : undefined);
  }

  readonly #changed = (): void => {
    if (!this.#isTried) return;
    this.#isTried = false;
    this.#workspace.repaint();
  };

  #buttons(): TemplateResult {
    const { kind } = this.#call;
    const real = onPress(() => this.#run(document.getElementById('try') as HTMLFormElement, true));
    if (kind !== 'tried')
      return html`<button class="button primary">${kind === 'read' ? 'Run it' : 'Run it for real'}</button>`;
    return html`
      <button class="button primary">Try it</button>
      <button type="button" class="button" id="for-real" ?disabled=${!this.#isTried} @click=${real}>Run it for real</button>`;
  }

  render(): TemplateResult {
    const { name, summary, description, method, path, kind } = this.#call;
    const reference = html`<a class="button" href="/docs/api/${name}">Read the reference</a>`;
    return view(summary, { back: ['All operations', this.#workspace.link('try')], beside: reference }, [
      html`<p class="mono"><span class="method">${method}</span> ${path}</p>`,
      description === '' ? nothing : html`<p>${withCode(description)}</p>`,
      form(
        { id: 'try', onInput: this.#changed },
        (of) => this.#run(of, kind === 'write'),
        [html`<p class="fine">${KINDS[kind]}</p>`, fields(this.#call)],
        this.#buttons(),
      ),
      this.#result === null ? nothing : resultSection(this.#result, kind === 'read'),
    ]);
  }
}

/** The list of all operations, to pick one. */
function picker(workspace: Workspace, unknown: string | undefined): View {
  const go = async (of: HTMLFormElement): Promise<void> => {
    const name = textIn(of, 'operation');
    if (!isOperation(name)) throw new Error('There is no operation of this name.');
    workspace.go(workspace.link('try', name));
  };
  const input = html`
    <input id="operation" name="operation" class="mono" list="operations" required autocomplete="off" spellcheck="false" placeholder="sendEmail" value=${unknown ?? ''}>
    <datalist id="operations">${Object.keys(OPERATIONS).map((name) => html`<option value=${name}></option>`)}</datalist>`;
  return {
    render: () =>
      view('Try a call', { intro: INTRO }, [
        unknown === undefined
          ? nothing
          : html`<p role="alert">There is no operation <code>${unknown}</code> that can be called here.</p>`,
        form({ id: 'pick' }, go, field('operation', 'Operation', input, undefined, 'narrow'), 'Open it'),
        html`<p class="fine">The <a href="/docs/api">API reference</a> lists them by subject.</p>`,
      ]),
  };
}

async function open(workspace: Workspace, [name]: readonly string[]): Promise<View> {
  if (!isOperation(name)) return picker(workspace, name);
  return new TryView(workspace, await describeCall(workspace.service, name, workspace.account.addresses[0] ?? null));
}

export const tryPage: Page = { name: 'try', title: 'Try a call', scope: 'account:read', place: 'linked', open };
