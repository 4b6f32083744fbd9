import type { Service } from '../../test/process/service.ts';
import { runLoad } from './load.ts';
import { median, milliseconds, type Row } from './result.ts';

/** The sizes of the data that are compared. */
export const SMALL = 1000;
export const LARGE = 1_000_000;

const CONNECTIONS = 8;
const SECONDS = 1;
const ROUNDS = 5;

interface Call<Side> {
  what: string;
  /** @returns the bytes of the next request on a connection */
  nextOf(side: Side): (connection: number) => Buffer;
}

/** Measures each call at both sizes alternately. @returns the ratio of their median costs */
export async function compareSizes<Side extends { service: Service }>(
  calls: readonly Call<Side>[],
  small: Side,
  large: Side,
  say: (line: string) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, nextOf } of calls) {
    const cost = async (side: Side): Promise<number> => {
      const port = side.service.httpPort;
      const load = { port, connections: CONNECTIONS, seconds: SECONDS, next: nextOf(side) };
      return (1000 * CONNECTIONS) / (await runLoad(load)).perSecond;
    };
    await cost(small);
    await cost(large);
    const runs: { few: number; many: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) runs.push({ few: await cost(small), many: await cost(large) });
    const ours = milliseconds(median(runs.map(({ many }) => many)));
    const peer = milliseconds(median(runs.map(({ few }) => few)));
    say(`${what}: ${ours} / ${peer}`);
    rows.push({ what, ours, peer, ratio: median(runs.map(({ few, many }) => many / few)), aim: '<= 1.25 x' });
  }
  return rows;
}
