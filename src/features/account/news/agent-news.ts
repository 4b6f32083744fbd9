import type { AccountNotification } from '../../../api/account/removal-notices.ts';
import type { EventData } from '../../../api/events.ts';
import { usdc } from '../../../base/usdc.ts';

/** What people are told of an agent that is no login, asks for no decision, and is not about who has access. */
export const AGENT_NEWS = {
  'sending.paused': ({ sent, bad, resumes_at }: EventData['sending.paused'], accountId: string) => ({
    subject: 'Sending of mail is paused',
    text: `\
Account ${accountId} sends no mail to other services until ${resumes_at}.

Of its last ${sent} mails, ${bad} came back because the address does not exist, or were reported as spam. A service that
goes on like this is soon refused everywhere. Mail inside this service goes on, and so does mail that comes in.

Look at the list of addresses with GET /v1/email/suppressions, and at what the agent sends.
`,
  }),
  'storage.filling': ({ percent }: EventData['storage.filling'], accountId: string) => ({
    subject: percent < 100 ? 'The storage of an agent is filling up' : 'The storage of an agent is full',
    text: `\
The storage of account ${accountId} is ${percent < 100 ? `${percent} percent full` : 'full: mail to it is put off'}. Delete mail
or vault entries that are not needed, or set how long addresses keep their mail.
`,
  }),
  'budget.limit_reached': (data: EventData['budget.limit_reached'], accountId: string) => ({
    subject: 'A spending cap is used up',
    text: `\
Account ${accountId} has used up ${data.limit_set_by === 'platform' ? 'its platform’s' : 'its'} ${data.period} cap of ${usdc(data.limit_usdc)} USDC. It starts again at ${data.resets_at}.
`,
  }),
} satisfies { [T in keyof EventData]?: (data: EventData[T], accountId: string) => AccountNotification };
