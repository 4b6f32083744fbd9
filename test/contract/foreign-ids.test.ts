import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { NAMED_HOST } from '../../test/support/passkeys.ts';
import { onEngines } from '../support/harness.ts';
import { send, type WireReply } from './contract-client.ts';
import { nameOf, type Sample, sampleOf, wireOf } from './sample-requests.ts';
import { inbox } from './samples/sample.ts';

/** Where the specification has 403 for what is another account's: inboxes, sending, and everything of an email webhook. */
const isForbidden = ({ path }: Endpoint, name: string): boolean =>
  (path.startsWith('/v1/inbox/{address}') && name === 'address') ||
  (path.startsWith('/v1/email/webhooks/{id}') && name === 'id');

/** What is told of every agent to everyone, by its id. */
const PUBLIC = new Set(['getTrust', 'submitFinding', 'listFindings', 'getTrackRecord']);

/** Entries that the caller names, each account in its room: writing one makes it. */
const OWN_NAMES = new Set(['putVaultEntry']);

type Params = Record<string, string>;

/** The parameters of a path, as the endpoint names them. */
function paramsOf({ path }: Endpoint, sample: Sample): Params {
  const pattern = path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(sample.path.split('?')[0] as string);
  return { ...found?.groups };
}

/** A value of the same form that names nothing. */
function missing(value: string): string {
  const [name = '', domain] = decodeURIComponent(value).split('@');
  if (domain !== undefined) return encodeURIComponent(`missing-${name}@${domain}`);
  return name.length > 10 ? name.slice(0, -10) + [...name.slice(-10)].reverse().join('') : `${name}0`;
}

/** A reply without what names the call, the id that was asked for, and how much is left of a limit. */
function shownOf({ status, headers, body }: WireReply, params: Params): string {
  const { date: _, 'x-request-id': id = '', ...others } = headers;
  const kept = Object.entries(others).filter(
    ([name]) => !/^(?:x-)?ratelimit|^retry-after$|^content-length$/.test(name),
  );
  let text = JSON.stringify([status, Object.fromEntries(kept), body]).replaceAll(String(id), 'REQUEST');
  for (const value of Object.values(params))
    for (const form of [value, decodeURIComponent(value)]) text = text.replaceAll(form, 'ID');
  return text;
}

onEngines('any', 'ids of other accounts', NAMED_HOST, (suite) => {
  it('are answered like ids that do not exist, byte for byte, at every endpoint; 403 only where the specification has it', async () => {
    const { t } = suite;
    const isAsked = ({ path, auth, operation }: Endpoint): boolean =>
      path.includes('{') && auth !== 'none' && auth !== 'optional' && !PUBLIC.has(operation);
    const asked = t.app.endpoints.filter(isAsked);
    assert.ok(asked.length > 55, `${asked.length}`);
    const found: string[] = [];
    let compared = 0;
    for (const endpoint of asked) {
      const other = await sampleOf(endpoint, t);
      const sample = await sampleOf(endpoint, t);
      const [theirs, mine] = [paramsOf(endpoint, other), paramsOf(endpoint, sample)];
      // The path of an inbox claims a free address, so the sample has one.
      if (endpoint.operation === 'getInbox') theirs.address = encodeURIComponent((await inbox(t)).address);
      const [own, strange] = [sample, other].map(({ path }) => path.split('?')[1] ?? '');
      const queries = strange?.includes('address=') ? [own, strange] : [own];
      const call = (params: Params, query = ''): Promise<WireReply> => {
        const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] as string);
        return send(t.baseUrl, { ...wireOf(endpoint, sample), path: query === '' ? path : `${path}?${query}` });
      };
      for (const name of Object.keys(mine)) {
        // A number counts in what has an id. A name that both chose is in the room of each.
        if (/^\d+$/.test(mine[name] as string) || mine[name] === theirs[name] || OWN_NAMES.has(endpoint.operation))
          continue;
        const foreign = { ...mine, [name]: theirs[name] as string };
        const none = { ...mine, [name]: missing(theirs[name] as string) };
        // With the caller's address in the query, and with that of the other account.
        for (const query of queries) {
          const reply = await call(foreign, query);
          const isOwn = query === own;
          const what = `${nameOf(endpoint)} by ${name}${isOwn ? '' : ', with the address of the other account'}`;
          const answers = isForbidden(endpoint, name) || !isOwn ? [403, 404] : [404];
          if (!answers.includes(reply.status)) found.push(`${what}: ${reply.status} ${JSON.stringify(reply.body)}`);
          if (isForbidden(endpoint, name)) continue;
          const [shown, expected] = [shownOf(reply, foreign), shownOf(await call(none, query), none)];
          if (shown !== expected) found.push(`${what}\n  ${shown}\n  ${expected}`);
          compared += 1;
        }
      }
    }
    assert.deepEqual(found, []);
    assert.ok(compared > 60, `${compared}`);
  });
});
