import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { type Api, type TestApp, tokenIn } from './harness.ts';
import { readableMail } from './readable-mail.ts';

/** A service, in this process or its own, with the mails that it kept. */
export interface Place {
  baseUrl: string;
  api(key?: string): Api;
  mails(): Promise<string[]>;
}

export const placeOf = (t: TestApp): Place => ({ baseUrl: t.baseUrl, api: t.api, mails: t.outboxMails });

/** @param dataDir of a service in its own process, which sends its mails by itself */
export const placeOfProcess = ({ baseUrl, api }: Pick<Place, 'baseUrl' | 'api'>, dataDir: string): Place => ({
  baseUrl,
  api,
  mails: async () => {
    const folder = join(dataDir, 'outbox');
    // The folder is made with the first mail.
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    return names.map((name) => readFileSync(join(folder, name), 'utf8'));
  },
});

export interface OperatedAgent {
  id: string;
  key: string;
  address: string;
}

let people = 0;

/** Makes agents with addresses, and their operator, who confirmed each of them and is logged in. */
export async function operate(
  place: Place,
  names: readonly string[],
): Promise<{ agents: OperatedAgent[]; session: string }> {
  const email = `operator-${people++}@example.org`;
  const mailWith = (...parts: string[]): Promise<string> =>
    eventually(async () =>
      (await place.mails()).map(readableMail).find((mail) => parts.every((part) => mail.includes(part))),
    );
  const agents: OperatedAgent[] = [];
  for (const name of names) {
    const { api_key: key, account_id: id } = (await place.api().post('/v1/auth/keys', { name })).body;
    const api = place.api(key);
    const { address } = (await api.post('/v1/email/claim', { address: name })).body;
    await api.post('/v1/account/operator-email', { email });
    const token = tokenIn(await mailWith(`To: ${email}`, id, '/confirm#token='));
    await place.api().post('/v1/people/confirm', { token, decision: 'confirm' });
    agents.push({ id, key, address });
  }
  await place.api().post('/v1/auth/login', { email });
  const link = tokenIn(await mailWith(`To: ${email}`, '/login#token='));
  const opened = await place.api().get(`/v1/auth/verify?token=${link}`);
  const session = opened.headers.get('location')?.split('#session=')[1];
  if (!session) throw new Error(`no session: ${opened.text}`);
  return { agents, session };
}
