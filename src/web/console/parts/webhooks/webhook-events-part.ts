import { html, type TemplateResult } from 'lit-html';
import type { CreateEventWebhookInput } from '../../../../client/generated/operations.ts';
import { chosenIn } from '../../ui/kit/form.ts';
import { EVENT_TITLES } from '../home/activity-part.ts';

/** The choice of event types: all that the service knows, narrowed as a person types. */

export type EventType = NonNullable<CreateEventWebhookInput['events']>[number];

const TYPES = Object.keys(EVENT_TITLES) as EventType[];

/** What a webhook listens to. */
export const eventsText = ({ events }: { events: readonly string[] }): string =>
  TYPES.every((type) => events.includes(type)) ? `all ${TYPES.length} event types` : events.join(', ');

const counts = (chosen: number, shown: number): string => `${chosen} chosen, ${shown} of ${TYPES.length} shown`;

const boxesIn = (form: HTMLElement): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('input[name="event"]'),
];

/** The types that are chosen, also those that the search hides. @throws with a text for people when none is */
export function chosenEvents(form: HTMLFormElement): EventType[] {
  const chosen = chosenIn(form, 'event') as EventType[];
  if (chosen.length === 0) throw new Error('Choose at least one event type.');
  return chosen;
}

/** Shows the types that have all the words typed, and says how many are shown and chosen. */
export function showEvents(form: HTMLElement): void {
  const typed = form.querySelector<HTMLInputElement>('#find-event')?.value ?? '';
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const boxes = boxesIn(form);
  let shown = 0;
  for (const box of boxes) {
    const text = `${box.value} ${EVENT_TITLES[box.value as EventType]}`.toLowerCase();
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

/** @param first the types that are chosen at first */
export const eventPicker = (first: readonly EventType[]): TemplateResult => html`
  <fieldset class="event-choice">
    <legend>Event types</legend>
    <input id="find-event" type="search" aria-label="Find an event type" placeholder="Find an event type"
      autocomplete="off" spellcheck="false" aria-describedby="event-count" @input=${again} @keydown=${keepForm}>
    <p class="actions">
      <button type="button" class="button quiet" @click=${check(true)}>Choose all shown</button>
      <button type="button" class="button quiet" @click=${check(false)}>Clear</button>
    </p>
    <p class="fine" role="status" id="event-count" .textContent=${counts(first.length, TYPES.length)}></p>
    <div class="event-types" @change=${again}>
      ${TYPES.map(
        (type) => html`
          <label class="check"><input type="checkbox" name="event" value=${type} ?checked=${first.includes(type)}>
            <span>${EVENT_TITLES[type]}<br><span class="mono fine">${type}</span></span></label>`,
      )}
    </div>
  </fieldset>`;
