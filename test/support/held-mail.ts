import assert from 'node:assert/strict';
import { confirmOperator, createAgent, openSession, type TestAgent } from './agents.ts';
import type { Api, ApiReply, TestApp } from './harness.ts';

export const REVIEWS = '/v1/email/reviews';

export interface HeldAgent extends TestAgent {
  /** A session of its operator. */
  operator: Api;
  /** The address of its operator. */
  boss: string;
}

/** Makes an agent whose mail an operator sees first. */
export async function createHeldAgent(t: TestApp, outbound: object = { hold: 'always' }): Promise<HeldAgent> {
  const agent = await createAgent(t);
  const boss = `boss-${agent.accountId}@example.org`;
  await confirmOperator(t, agent, boss);
  const operator = await openSession(t, boss);
  const set = await operator.put('/v1/email/policy', { outbound });
  assert.equal(set.status, 200, set.text);
  return { ...agent, operator, boss };
}

export const sendTo = (
  { api, address }: Pick<TestAgent, 'api' | 'address'>,
  to: string | string[],
  more: object = {},
): Promise<ApiReply> => api.post('/v1/email/send', { from: address, to, subject: 'Offer', text: 'Dear Bob', ...more });

/** Sends a mail that is held. @returns the id of its review */
export async function holdMail(agent: TestAgent, to: string | string[], more: object = {}): Promise<string> {
  const { status, body, text } = await sendTo(agent, to, more);
  assert.equal(status, 202, text);
  return body.review_id;
}

/** Approves as the operator. @returns the decided review */
export async function approveMail({ operator }: HeldAgent, id: string, given: object = {}) {
  const { status, body, text } = await operator.post(`${REVIEWS}/${id}/approve`, given);
  assert.equal(status, 200, text);
  return body;
}
