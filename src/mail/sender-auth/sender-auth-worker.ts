/** The thread that checks senders, many messages at a time: they mostly wait for the DNS. The main thread looks up. */

import { serveTasks } from '../../workers/worker-task.ts';
import { evaluateSender } from './sender-auth-evaluate.ts';
import type { DnsQuestion, DnsRecords, SenderAuthResults, SenderSession } from './sender-auth-result.ts';

serveTasks<SenderSession, SenderAuthResults, DnsQuestion, DnsRecords>('many', async (raw, session, ask) => ({
  reply: await evaluateSender(Buffer.from(raw), session, (name, type) => ask({ name, type })),
}));
