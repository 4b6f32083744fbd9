import { html } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import type { ViewConfirmationReply } from '../../../../client/generated/operations.ts';
import { hasCode, messageOf, serviceFor } from '../../ui/console-service.ts';
import { answered } from '../../ui/decide.ts';
import { time } from '../../ui/format.ts';
import { words } from '../../words/console-words.ts';
import { facts } from '../card-part.ts';
import { askerFacts } from '../charge-part.ts';
import { type Asked, questionView } from './link-question.ts';

/** `/confirm#token=…`, from the mail that asks for the consent of an address. */

const authorityField = (proposed: ViewConfirmationReply['authority']) => {
  const option = (value: 'operator' | 'account', label: string) => html`
    <label class="check"><input type="radio" name="authority" value=${value} id="authority-${value}"
      .checked=${value === (proposed === 'operator' ? 'operator' : 'account')}> <span>${label}</span></label>`;
  return html`
    <fieldset id="authority">
      <legend>${words.decide.authority}</legend>
      ${option('operator', words.decide.authorityYes)} ${option('account', words.decide.authorityNo)}
    </fieldset>`;
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
      return { ...words.decide.person[status], at: new Date(systemNow()).toISOString() };
    },
  });
  const { title, why } = words.decide.roles[role];
  return {
    title,
    body: html`<p id="meaning">${why}</p>
      ${facts([...askerFacts(agent), [words.decide.yours, person.address], [words.decide.named, time(person.named_at)]])}`,
    fields: role === 'operator' ? authorityField(person.authority) : html``,
    choices: [choice('confirm', words.home.confirmYes), choice('refuse', words.decide.notMine)],
    fine: words.decide.personMeans,
  };
}

export const confirmLink = questionView({
  title: words.decide.confirmTitle,
  read(fragment) {
    const [, token] = /^#token=([0-9A-Za-z]{1,64})$/.exec(fragment) ?? [];
    if (token === undefined) return null;
    return serviceFor(null)
      .viewConfirmation({ token })
      .then((person) => asked(person, token));
  },
  endOf(err) {
    if (hasCode(err, 'invalid_token')) return words.decide.invalidConfirmation;
    if (hasCode(err, 'operator_limit')) return { title: words.decide.threeOperators, why: messageOf(err) };
    if (hasCode(err, 'operator_required')) return { title: words.decide.askOperator, why: messageOf(err) };
    return null;
  },
});
