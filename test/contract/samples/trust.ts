import { by, expect, type Prepare } from './sample.ts';

export const TELEMETRY = {
  event: 'tool.finished',
  agent_id: 'acc_other',
  timestamp: '2026-01-14T12:00:00Z',
  action_type: 'tool_call',
  outcome: 'success',
};

/** Observations, telemetry and trust. */
export const trustSamples: Record<string, Prepare> = {
  submitTelemetry: async () => ({ body: { ...TELEMETRY, axiom_hash: 'a'.repeat(64), context_ref: 'run 7' } }),
  getTrust: async (t) => {
    const account = await t.createAccount();
    return { ...by(account), path: `/v1/trust/${account.accountId}` };
  },
  getObservation: async (t) => {
    const account = await t.createAccount();
    const made = await expect(
      201,
      account.api.post('/v1/observations', { topic: 'a', content: 'b', display_name: 'c' }),
    );
    return { ...by(account), path: `/v1/observations/${made.body.id}` };
  },
};
