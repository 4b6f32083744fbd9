import { html, nothing } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import type { ViewConfirmationReply } from '../../../../client/generated/operations.ts';
import { hasCode, messageOf, serviceFor } from '../../ui/console-service.ts';
import { answered } from '../../ui/decide.ts';
import { time } from '../../ui/format.ts';
import { facts } from '../../ui/kit/section.ts';
import { askerFacts } from '../charge-part.ts';
import { youngOperator } from '../young-operator-part.ts';
import { type Asked, questionView } from './link-question.ts';

/** `/confirm#token=…`, from the mail that asks for the consent of an address. */

/** What the agent proposes is shown, and chosen only if it leaves the decision with the person. */
const authorityField = (proposed: ViewConfirmationReply['authority']) => {
  const option = (value: 'operator' | 'account', label: string) => html`
    <label class="check"><input type="radio" name="authority" value=${value} id="authority-${value}"
      .checked=${value === 'operator'}> <span>${label}</span></label>`;
  return html`
    <fieldset id="authority">
      <legend>Must you approve spending and changes?</legend>
      ${option('operator', 'Yes. Only an operator approves charges above a limit, raises limits and changes addresses.')} ${option('account', `No. The agent may do this too.${proposed === 'account' ? ' The agent asks for this.' : ''}`)}
    </fieldset>`;
};

const PERSON = {
  confirmed: {
    title: 'Confirmed',
    why: 'You can log in with your address at any time. You can close this page.',
    leadsOn: true,
  },
  refused: { title: 'Noted', why: 'This account cannot name your address again. You can close this page.' },
};
const ROLES = {
  email: { title: 'Is this your agent?', why: 'You may then log in to its account with your address.' },
  recovery: { title: 'Is this your agent?', why: 'You may then log in to its account when its keys are lost.' },
  operator: {
    title: 'Are you the operator of this agent?',
    why: 'You then get its requests for spending and for credentials, and decide about them.',
  },
};

function asked(person: ViewConfirmationReply, token: string): Asked {
  const { role, agent } = person;
  const choice = (decision: 'confirm' | 'refuse', label: string) => ({
    id: decision,
    label,
    async decide(form: HTMLFormElement) {
      const authority = new FormData(form).get('authority') === 'operator' ? 'operator' : 'account';
      const answer = { decision, ...(role === 'operator' ? ({ authority } as const) : {}) };
      const { status } = await answered(
        () => serviceFor(null).confirmPerson({ token, ...answer }),
        (own) => own.confirmPerson({ id: person.id, ...answer }),
      );
      return { ...PERSON[status], at: new Date(systemNow()).toISOString() };
    },
  });
  const { title, why } = ROLES[role];
  return {
    title,
    body: html`<p id="meaning">${why}</p>${role === 'operator' ? youngOperator(person) : nothing}
      ${facts([...askerFacts(agent), ['Your address', person.address], ['Named', time(person.named_at)]])}`,
    fields: role === 'operator' ? authorityField(person.authority) : html``,
    choices: [choice('confirm', 'Confirm'), choice('refuse', 'This is not my agent')],
    fine: 'If this is not your agent, the account cannot name your address again.',
  };
}

const INVALID_CONFIRMATION = {
  title: 'This link is not valid',
  why: 'It may be used or too old, or a newer email replaced it. Log in to see what waits for you.',
};

export const confirmLink = questionView({
  title: 'Confirm your address',
  read(fragment) {
    const [, token] = /^#token=([0-9A-Za-z]{1,64})$/.exec(fragment) ?? [];
    if (token === undefined) return null;
    return serviceFor(null)
      .viewConfirmation({ token })
      .then((person) => asked(person, token));
  },
  endOf(err) {
    if (hasCode(err, 'invalid_token')) return INVALID_CONFIRMATION;
    if (hasCode(err, 'operator_limit')) return { title: 'Three operators already', why: messageOf(err) };
    if (hasCode(err, 'operator_required')) return { title: 'Ask an operator', why: messageOf(err) };
    return null;
  },
});
