import { html, nothing, type TemplateResult } from 'lit-html';
import { serviceFor } from '../../ui/console-service.ts';
import { onPress } from '../../ui/handlers.ts';

/** Shows what waiting for a code is: the new agent mails itself one, and waits for it as a program would. */

type Step = { at: 'start' } | { at: 'waiting' } | { at: 'found'; code: string } | { at: 'late' };

/** The mailbox is new: every mail in it counts, also one that was faster than the call that waits. */
const EVER = new Date(0).toISOString();

let step: Step = { at: 'start' };

/** Six digits, as sign-up mails have them. */
const someCode = (): string => String(100_000 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 900_000));

async function show(session: () => Promise<string>, address: string, repaint: () => void): Promise<void> {
  const go = (next: Step): void => {
    step = next;
    repaint();
  };
  go({ at: 'waiting' });
  try {
    const service = serviceFor(await session());
    const text = `Your verification code is ${someCode()}.`;
    await service.sendEmail({ from: address, to: [address], subject: 'Your code', text });
    const found = (await service.email.waitForCode({ after: EVER }))?.code ?? null;
    go(found === null ? { at: 'late' } : { at: 'found', code: found });
  } catch (err) {
    go({ at: 'start' });
    throw err;
  }
}

/** @param session opens one for the agent */
export function codeDemo(session: () => Promise<string>, address: string, repaint: () => void): TemplateResult {
  return html`
    <h3>See it wait for a code</h3>
    <p>Your agent mails itself a code, and waits for it with one call, as a program would.</p>
    ${
      step.at === 'found'
        ? html`<p class="code-chip" role="status"><span>Code</span> <code id="demo-code">${step.code}</code></p>`
        : html`
            <p role="status">${step.at === 'waiting' ? 'Waiting for the mail' : step.at === 'late' ? 'No mail within a minute. Try again.' : nothing}</p>
            <p class="actions">
              <button type="button" class="button" id="try-code" aria-disabled=${step.at === 'waiting' ? 'true' : nothing}
                @click=${onPress(() => show(session, address, repaint))}>Send it a code</button>
            </p>`
    }`;
}
