import { html, nothing, render, type TemplateResult } from 'lit-html';
import { messageOf } from './console-service.ts';

/** Notices, questions, and secrets that are shown once. */

const NOTICE_MS = 6000;
/** With a way to undo, there must be time to press it. */
const UNDO_MS = 12_000;

interface Notice {
  isProblem?: boolean;
  /** Offers to take back what was done. */
  undo?: () => Promise<void>;
  /** How long that is possible. */
  forMs?: number;
}

let fading: ReturnType<typeof setTimeout> | undefined;
/** Takes back what the notice that is shown tells of. */
let undoing: (() => Promise<void>) | null = null;

/** Shows a text for a moment. Screen readers announce it. */
export function toast(
  text: string,
  { isProblem = false, undo, forMs = undo ? UNDO_MS : NOTICE_MS }: Notice = {},
): void {
  clearTimeout(fading);
  const close = (): void => {
    undoing = null;
    paint(nothing);
  };
  const take = async (): Promise<void> => {
    close();
    await undo?.().then(
      () => toast('Undone.'),
      (err) => toast(messageOf(err), { isProblem: true }),
    );
  };
  const button = undo ? html`<button type="button" class="link" @click=${take}>Undo</button>` : nothing;
  undoing = undo ? take : null;
  paint(html`<span>${text}</span> ${button}`, isProblem);
  fading = setTimeout(close, forMs);
}

/** Presses the button of the notice. @returns false when none is shown that has one */
export function undoToast(): boolean {
  const undo = undoing;
  void undo?.();
  return undo !== null;
}

function paint(content: TemplateResult | typeof nothing, isProblem = false): void {
  const root = document.getElementById('notices');
  // An open dialog makes the rest of the page inert, and its notices unreadable.
  const place = document.querySelector<HTMLElement>('dialog[open] .notices') ?? root;
  if (!place) return;
  const shown = content === nothing ? '' : ' shown';
  render(
    html`<p id="status" class="toast${shown}${isProblem ? ' bad' : ''}" role="status" aria-live="polite">${content}</p>`,
    place,
  );
}

/** Makes the live region before there is anything to announce: screen readers miss what comes with its region. */
export const prepareToasts = (): void => paint(nothing);

/** Browsers allow copying only on HTTPS and localhost. Elsewhere the text is selected. */
export async function copy(text: string, shownIn?: Element | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied.');
  } catch {
    if (shownIn) globalThis.getSelection()?.selectAllChildren(shownIn);
    toast('Selected. Copy it with your keyboard.');
  }
}

/** Saves a text as a file of the visitor's device. */
export function download(content: BlobPart, filename: string): void {
  // Never the sender's type: an attachment must not open as a page of this origin.
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const stay = (event: Event): void => {
  if (!(event instanceof KeyboardEvent) || event.key === 'Escape') event.preventDefault();
};

/** Leaves it to the buttons of a dialog to close it. @returns what takes that back */
export function lock(dialog: HTMLDialogElement): () => void {
  dialog.setAttribute('closedby', 'none');
  dialog.addEventListener('cancel', stay);
  // Browsers without `closedby` close the dialog at the second Escape, even if `cancel` was prevented.
  dialog.addEventListener('keydown', stay);
  return () => {
    dialog.removeAttribute('closedby');
    dialog.removeEventListener('cancel', stay);
    dialog.removeEventListener('keydown', stay);
  };
}

/**
 * Opens a dialog. @param content gets a function that closes it with a value
 * @returns the value; empty when it was dismissed
 */
export function ask(
  content: (close: (value: string) => void) => TemplateResult,
  options: { isLocked?: boolean; label?: string; name?: string } = {},
): Promise<string> {
  const dialog = document.createElement('dialog');
  if (options.name) dialog.className = options.name;
  if (options.label) dialog.setAttribute('aria-label', options.label);
  else dialog.setAttribute('aria-labelledby', 'dialog-title');
  if (options.isLocked) lock(dialog);
  const close = (value: string): void => dialog.close(value);
  render(html`${content(close)}<div class="notices"></div>`, dialog);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}

/**
 * Asks before something that cannot be undone. What can be undone offers that in its notice instead.
 * @param typed what a person must type first, for what cannot be undone and costs much
 */
export async function confirmed(
  title: string,
  text: string | TemplateResult,
  action: string,
  typed?: string,
): Promise<boolean> {
  const answer = await ask((close) => {
    const submit = (event: SubmitEvent): void => {
      event.preventDefault();
      const given = new FormData(event.currentTarget as HTMLFormElement).get('typed');
      if (typed === undefined || given === typed) close('yes');
    };
    return html`
      <form @submit=${submit}>
        <h2 id="dialog-title">${title}</h2>
        <p>${text}</p>
        ${
          typed === undefined
            ? nothing
            : html`<label for="typed">To confirm, type <code>${typed}</code></label>
                <input id="typed" name="typed" class="mono" autocomplete="off" required>`
        }
        <p class="actions">
          <button class="button primary">${action}</button>
          <button type="button" class="button" autofocus @click=${() => close('')}>Cancel</button>
        </p>
      </form>`;
  });
  return answer === 'yes';
}

interface Besides {
  /** Further secrets that belong to it, each with what it is for. The file has them too. */
  others?: readonly (readonly [string, string])[];
  /** Below the buttons: the focus on them must not move the secret out of sight. */
  more?: TemplateResult | undefined;
}

/** Shows a secret once. Only its button closes the dialog, because the secret cannot be shown again. */
export async function showOnce(
  title: string,
  text: string,
  secret: string,
  filename?: string,
  { others = [], more }: Besides = {},
): Promise<void> {
  const file = [secret, ...others.map(([name, other]) => `${name} ${other}`)].join('\n');
  const copyIt = (): Promise<void> => copy(secret, document.querySelector('dialog .secret'));
  await ask(
    (close) => html`
      <h2 id="dialog-title">${title}</h2>
      <p>${text}</p>
      <code class="secret" tabindex="0">${secret}</code>
      ${others.map(([name, other]) => html`<p>${name}</p><code class="secret" tabindex="0">${other}</code>`)}
      <p class="actions">
        <button type="button" class="button primary" autofocus @click=${copyIt}>Copy</button>
        ${
          filename === undefined
            ? nothing
            : html`<button type="button" class="button" @click=${() => download(`${file}\n`, filename)}>
                Download
              </button>`
        }
        <button type="button" class="button" @click=${() => close('kept')}>I saved it</button>
      </p>
      ${more}`,
    { isLocked: true },
  );
}
