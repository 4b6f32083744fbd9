import { messageOf } from './console-service.ts';
import { toast } from './toast.ts';

/** Handlers for buttons and forms: busy while they work, and every failure is said. */

async function whileBusy(button: HTMLElement | null, work: () => Promise<void>): Promise<void> {
  if (button?.getAttribute('aria-disabled') === 'true') return;
  // `disabled` would lose the keyboard focus.
  button?.setAttribute('aria-disabled', 'true');
  try {
    await work();
  } finally {
    button?.removeAttribute('aria-disabled');
  }
}

/** For `@click`: further presses are ignored until the work is done. A failure appears as a notice. */
export const onPress = (work: () => Promise<void>) => (event: Event) => {
  const button = event.currentTarget instanceof HTMLElement ? event.currentTarget : null;
  void whileBusy(button, () => work().catch((err) => toast(messageOf(err), { isProblem: true })));
};

/**
 * For `@change` of a list. Every choice is worked on, also while the one before it is: the arrow keys choose each option on
 * their way. The work must look whether its choice still stands.
 */
export const onPick = (work: (picked: HTMLSelectElement) => Promise<void>) => (event: Event) =>
  void work(event.currentTarget as HTMLSelectElement).catch((err) => toast(messageOf(err), { isProblem: true }));

/** Works on a form. A failure appears in its element of class `problem`, which announces it. */
function workOn(
  form: HTMLFormElement,
  button: HTMLElement | null,
  work: (form: HTMLFormElement) => Promise<void>,
): void {
  const problem = form.querySelector('.problem');
  const report = (text: string): void => {
    if (problem) problem.textContent = text;
    else if (text !== '') toast(text, { isProblem: true });
  };
  void whileBusy(button, async () => {
    report('');
    await work(form).catch((err) => report(messageOf(err)));
  });
}

/** For `@submit`. */
export const onSubmit = (work: (form: HTMLFormElement) => Promise<void>) => (event: SubmitEvent) => {
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  workOn(form, event.submitter ?? form.querySelector<HTMLElement>('button:not([type="button"])'), work);
};

/** For `@click` of one of several buttons of a form. Pressing Enter in a field must not press any of them. */
export const onChoose = (work: (form: HTMLFormElement) => Promise<void>) => (event: Event) => {
  const button = event.currentTarget as HTMLButtonElement;
  if (button.form) workOn(button.form, button, work);
};
