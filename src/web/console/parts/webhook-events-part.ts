import { html, type TemplateResult } from 'lit-html';
import type { CreateEventWebhookInput } from '../../../client/generated/operations.ts';
import { fill } from '../ui/format.ts';
import { words } from '../words/console-words.ts';

/** The choice of event types: all that the service knows, narrowed as a person types. */

type EventType = CreateEventWebhookInput['events'][number];

const TITLES: Readonly<Record<EventType, string>> = words.activity.titles;
const TYPES = Object.keys(TITLES) as EventType[];

const counts = (chosen: number, shown: number): string =>
  fill(words.webhooks.shownEvents, { chosen, shown, all: TYPES.length });

const boxesIn = (form: HTMLElement): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('input[name="event"]'),
];

/** The types that are chosen, also those that the search hides. @throws with a text for people when none is */
export function chosenEvents(form: HTMLFormElement): EventType[] {
  const chosen = new FormData(form).getAll('event').map(String) as EventType[];
  if (chosen.length === 0) throw new Error(words.webhooks.chooseEvent);
  return chosen;
}

/** Shows the types that have all the words typed, and says how many are shown and chosen. */
export function showEvents(form: HTMLElement): void {
  const typed = form.querySelector<HTMLInputElement>('#find-event')?.value ?? '';
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const boxes = boxesIn(form);
  let shown = 0;
  for (const box of boxes) {
    const text = `${box.value} ${TITLES[box.value as EventType]}`.toLowerCase();
    const isShown = wanted.every((word) => text.includes(word));
    if (isShown) shown += 1;
    (box.parentElement as HTMLElement).hidden = !isShown;
  }
  const chosen = boxes.filter(({ checked }) => checked).length;
  const count = form.querySelector('#event-count');
  if (count) count.textContent = counts(chosen, shown);
}

const again = (event: Event): void => {
  const form = (event.currentTarget as HTMLElement).closest('form');
  if (form) showEvents(form);
};

/** Enter in the search would send the form. */
const keepForm = (event: KeyboardEvent): void => {
  if (event.key === 'Enter') event.preventDefault();
};

/** Checks the boxes that are shown, or clears all. */
const check = (isChosen: boolean) => (event: Event) => {
  const form = (event.currentTarget as HTMLElement).closest('form');
  if (!form) return;
  for (const box of boxesIn(form)) if (!isChosen || !box.parentElement?.hidden) box.checked = isChosen;
  showEvents(form);
};

/** @param first the type that is chosen at first */
export const eventPicker = (first: EventType): TemplateResult => html`
  <fieldset class="event-choice">
    <legend>${words.webhooks.events}</legend>
    <input id="find-event" type="search" aria-label=${words.webhooks.findEvent} placeholder=${words.webhooks.findEvent}
      autocomplete="off" spellcheck="false" aria-describedby="event-count" @input=${again} @keydown=${keepForm}>
    <p class="actions">
      <button type="button" class="button quiet" @click=${check(true)}>${words.webhooks.chooseShown}</button>
      <button type="button" class="button quiet" @click=${check(false)}>${words.namedKeys.clear}</button>
    </p>
    <p class="fine" role="status" id="event-count" .textContent=${counts(1, TYPES.length)}></p>
    <div class="event-types" @change=${again}>
      ${TYPES.map(
        (type) => html`
          <label class="check"><input type="checkbox" name="event" value=${type} ?checked=${type === first}>
            <span>${TITLES[type]}<br><span class="mono fine">${type}</span></span></label>`,
      )}
    </div>
  </fieldset>`;
