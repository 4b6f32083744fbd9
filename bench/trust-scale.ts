import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Service } from '../test/process/service.ts';
import { httpRequest } from './rig/load.ts';
import type { Bench, Row } from './rig/result.ts';
import { compareSizes, LARGE, SMALL } from './rig/sizes.ts';
import { withService } from './rig/with-service.ts';

const TOPICS = 10;

/**
 * An account with `count` observations, half of them shared, on {@link TOPICS} topics, written directly into the
 * database.
 */
function fill(dataDir: string, accountId: string, count: number): void {
  const db = new DatabaseSync(join(dataDir, 'signet.db'));
  db.exec('PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE');
  const rows = `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${count})`;
  const topic = `'topic ' || (i % ${TOPICS})`;
  db.prepare(
    `insert into observations ${rows}
     select 'obs_' || printf('%026d', i), ?, null, ${topic}, 'seen', (i / ${TOPICS}) % 2, i from n`,
  ).run(accountId);
  db.prepare(
    `insert into observation_topics
     select account_id, topic, sum(1 - shared), sum(shared), max(created_at) from observations group by account_id, topic`,
  ).run();
  db.exec(`insert into shared_topics
     select topic, 0, count(*), max(created_at) from observations where shared = 1 group by topic`);
  db.exec(`insert into trust_inputs
     select account_id, count(*), sum(shared), ${TOPICS}, 0, max(created_at) from observations group by account_id`);
  db.exec('COMMIT');
  db.close();
}

interface Side {
  service: Service;
  key: string;
  accountId: string;
}

async function prepare(service: Service, dataDir: string, count: number): Promise<Side> {
  const { api_key: key, account_id: accountId } = (await service.api().post('/v1/auth/keys', {})).body;
  fill(dataDir, accountId, count);
  return { service, key, accountId };
}

const CALLS = {
  'trust profile': ({ key, accountId }: Side) => httpRequest('GET', `/v1/trust/${accountId}`, key),
  'observation list': ({ key }: Side) => httpRequest('GET', '/v1/observations', key),
  'list of a topic': ({ key }: Side) => httpRequest('GET', '/v1/observations?topic=topic%207', key),
  topics: ({ key }: Side) => httpRequest('GET', '/v1/observations/topics', key),
  'new observation': ({ key }: Side) =>
    httpRequest('POST', '/v1/observations', key, { topic: 'topic 7', content: 'seen', shared: true }),
};

const compare = (small: Side, large: Side, say: (line: string) => void): Promise<Row[]> =>
  compareSizes(
    Object.entries(CALLS).map(([what, request]) => ({
      what: `${what}: at a million / at a thousand`,
      nextOf: (side: Side) => {
        const bytes = request(side);
        return () => bytes;
      },
    })),
    small,
    large,
    say,
  );

export const bench: Bench = {
  question: `What do trust, topics and lists cost at ${LARGE} observations, against ${SMALL}?`,
  run: (say) =>
    withService({}, async (few, fewDir) =>
      withService({}, async (many, manyDir) => {
        const small = await prepare(few, fewDir, SMALL);
        const large = await prepare(many, manyDir, LARGE);
        return compare(small, large, say);
      }),
    ),
};
