import { html, nothing, type TemplateResult } from 'lit-html';
import type { RegisterReply } from '../../../../client/generated/operations.ts';
import { hasCode, serviceFor } from '../../ui/console-service.ts';
import { answered } from '../../ui/decide.ts';
import { form, textIn } from '../../ui/kit/form.ts';
import { ask, lock, showOnce, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { makeAgent } from '../front/new-agent.ts';

/** An operator makes an agent: its account and address, with the operator named and confirmed. */

const field = (id: string, label: string, hint: string, isRequired: boolean): TemplateResult => html`
  <label for=${id}>${label}</label>
  <input id=${id} name=${id} maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="${id}-hint"
    ?required=${isRequired}>
  <p class="fine" id="${id}-hint">${hint}</p>`;

/** Asks for a name, and makes the account. @returns null when the person gave up */
async function registered(needsInvite: boolean): Promise<RegisterReply | null> {
  let made: RegisterReply | null = null;
  let wantsInvite = false;
  let isMaking = false;
  await ask((close) => {
    const create = async (filled: HTMLFormElement): Promise<void> => {
      const given = { name: textIn(filled, 'new-name'), invite: textIn(filled, 'new-invite') || undefined };
      // The key comes once: closed meanwhile, the dialog would lose it.
      const release = lock(filled.closest('dialog') as HTMLDialogElement);
      isMaking = true;
      try {
        made = await makeAgent(given);
      } catch (err) {
        if (needsInvite || !hasCode(err, 'invite_required')) throw err;
        wantsInvite = true;
      } finally {
        release();
        isMaking = false;
      }
      close('made');
    };
    return html`
      <h2 id="dialog-title">Create an agent</h2>
      <p>It gets an account, an address and an API key. You are its operator.</p>
      ${form(
        { kind: '' },
        create,
        [
          field('new-name', 'Name', 'Its address is made from it, such as “research”.', true),
          needsInvite
            ? field('new-invite', 'Invite', 'This service asks for one. Its administrator gives it to you.', true)
            : nothing,
        ],
        html`<button class="button primary">Create</button>
          <button type="button" class="button" @click=${() => isMaking || close('')}>Cancel</button>`,
      )}`;
  });
  return wantsInvite ? registered(true) : made;
}

/** Names the person as the agent's operator, and confirms it in the session that is open. */
async function takeOver(workspace: Workspace, { account_id: accountId, api_key: key }: RegisterReply): Promise<void> {
  const { service } = workspace;
  const { address } = await service.getOperatorSettings({});
  await serviceFor(key).setOperatorEmail({ email: address });
  const role = (await service.listOperatorAgents({ limit: 1 })).waiting.find(
    (waiting) => waiting.account_id === accountId && waiting.role === 'operator',
  );
  if (role === undefined) return;
  const answer = { id: role.id, decision: 'confirm' as const };
  await answered(
    () => service.confirmPerson(answer),
    (own) => own.confirmPerson(answer),
  );
}

/** Makes an agent that answers to the person. Its key is shown once, whatever else works. */
export async function addAgent(workspace: Workspace): Promise<void> {
  const made = await registered(false);
  if (made === null) return;
  const problem = await takeOver(workspace, made).then(
    () => null,
    (err) => err,
  );
  const text = `Its address is ${made.email}. Give it this API key now: it is shown once, and the service stores only its hash.`;
  await showOnce('Your agent is ready', text, made.api_key, 'signet-key.txt');
  await workspace.refresh();
  if (problem === null) toast(`${made.email} is yours.`);
  else toast('The agent is made. Confirm that you are its operator: the mail is on its way.', { isProblem: true });
}
