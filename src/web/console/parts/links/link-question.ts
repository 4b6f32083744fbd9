import { html, nothing, type TemplateResult } from 'lit-html';
import { hasCode, messageOf } from '../../ui/console-service.ts';
import { time } from '../../ui/format.ts';
import { onChoose } from '../../ui/handlers.ts';
import { textIn } from '../../ui/kit/form.ts';
import { loading } from '../../ui/placeholders.ts';
import { card } from '../card-part.ts';

/**
 * A page that a mailed link opens, and on which a person decides once. A mail scanner that fetches the link gets the page
 * and never sends its fragment. A scanner that runs the page only sees the question: deciding takes the press of a button.
 */

/** A page outside the frame of the console. */
export interface LinkView {
  /** The title of the document. */
  title: string;
  /** Starts, with the fragment as it is now. @param repaint draws again; also moves the focus to an element */
  start(repaint: (focus?: string) => void): void;
  render(): TemplateResult;
}

/** How it ended. */
export interface Outcome {
  title: string;
  why: string;
  /** ISO 8601. */
  at?: string | null;
  /** Whether to offer the login. */
  leadsOn?: boolean;
}

export interface Choice {
  id: string;
  label: string;
  decide(form: HTMLFormElement): Promise<Outcome>;
}

/** What the page shows until the decision. */
export interface Asked {
  title: string;
  body: TemplateResult;
  fields: TemplateResult;
  choices: readonly [Choice, Choice];
  /** What the choices mean. */
  fine: string;
}

export interface LinkQuestion {
  title: string;
  /** Reads the question of a link. @returns how it ended, if it did; null for a link that was cut off */
  read(fragment: string): Promise<Asked | Outcome> | null;
  /** Failures that end the page in another way. */
  endOf(err: unknown): Outcome | null;
}

/** How a link is shown whose decision this page does not know. */
export const DECIDED_BEFORE = { title: 'Decided', why: 'This was decided before.' };

type State = { asked: Asked } | { outcome: Outcome; again?: () => void } | null;

/** An optional reason, kept with the decision. */
export const reasonField = html`
  <label for="reason">Reason (optional)</label>
  <input id="reason" name="reason" maxlength="1000" autocomplete="off">`;

export const reasonIn = (form: HTMLFormElement): string | undefined => textIn(form, 'reason') || undefined;

export const outcomeView = (
  { title, why, at = null, leadsOn = false }: Outcome,
  action: TemplateResult | typeof nothing = nothing,
) => html`
  <section id="done">
    <h1 id="done-title" tabindex="-1">${title}</h1>
    <p id="done-why">${why}</p>
    ${at === null ? nothing : html`<p class="fine">${time(at)}</p>`}
    ${leadsOn ? html`<p class="actions"><a class="button" href="/login">Log in</a></p>` : nothing}
    ${action}
  </section>`;

const question = ({ title, body, fields, choices: [yes, no], fine }: Asked, press: (choice: Choice) => unknown) => html`
  <section id="asking">
    <h1 id="asking-title" tabindex="-1">${title}</h1>
    ${body}
    <form id="form" @submit=${(event: Event) => event.preventDefault()}>
      ${fields}
      <p class="problem" id="problem" role="alert"></p>
      <p class="actions">
        <button type="button" class="button decide" id=${yes.id} @click=${press(yes)}>${yes.label}</button>
        <button type="button" class="button" id=${no.id} @click=${press(no)}>${no.label}</button>
      </p>
    </form>
    <p class="fine">${fine}</p>
  </section>`;

const EXPIRED = { title: 'Expired', why: 'The time to decide is over. The agent can ask again.' };
const INVALID = {
  title: 'This link is not valid',
  why: 'Your email app may have cut it off, or the account now has another operator.',
};

/** How a failure ends any such page; null for one that does not. */
export function commonEnd(err: unknown, expired: Outcome = EXPIRED, invalid: Outcome = INVALID): Outcome | null {
  if (hasCode(err, 'expired')) return expired;
  if (hasCode(err, 'already_resolved')) return { title: 'Already decided', why: messageOf(err) };
  if (hasCode(err, 'invalid_token')) return invalid;
  return null;
}

const INCOMPLETE = {
  title: 'This link is incomplete',
  why: 'Your email app may have cut it off. Open the link from the email again.',
};

/** The page of a question. */
export function questionView({ title, read, endOf }: LinkQuestion): LinkView {
  let state: State = null;
  let repaint: (focus?: string) => void = () => {};
  const end = (outcome: Outcome, again?: () => void): void => {
    state = { outcome, ...(again ? { again } : {}) };
    repaint('done-title');
  };
  const press = ({ decide }: Choice) =>
    onChoose(async (form) => {
      try {
        end(await decide(form));
      } catch (err) {
        const ended = endOf(err) ?? commonEnd(err);
        if (ended === null) throw err;
        end(ended);
      }
    });
  const load = async (): Promise<void> => {
    const reading = read(location.hash);
    state = null;
    if (reading === null) return end(INCOMPLETE);
    repaint();
    try {
      const found = await reading;
      if (!('choices' in found)) return end(found);
      state = { asked: found };
      repaint('asking-title');
    } catch (err) {
      const ended = endOf(err) ?? commonEnd(err);
      if (ended) end(ended);
      else end({ title: 'This did not load', why: messageOf(err) }, () => void load());
    }
  };
  return {
    title,
    start(paint) {
      repaint = paint;
      void load();
    },
    render() {
      if (state === null)
        return card(html`<h1>${title}</h1>${loading()}<p class="fine">Opening this page does not decide anything.</p>`);
      if ('asked' in state) return card(question(state.asked, press), 'roomy');
      const { outcome, again } = state;
      const retry = again
        ? html`<p><button type="button" class="button" @click=${again}>Try again</button></p>`
        : nothing;
      return card(outcomeView(outcome, retry));
    },
  };
}
