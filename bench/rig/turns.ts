import type { Measured } from './load.ts';
import { median, milliseconds, perSecond, type Row } from './result.ts';

/** One of the servers that are compared. */
export interface Side {
  name: string;
  measure(seconds: number): Promise<Measured>;
}

export interface Turns {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

export const show = ({ perSecond: rate, cpuMicros, p50Ms, p99Ms }: Measured): string =>
  `${perSecond(rate)}, ${cpuMicros.toFixed(0)} µs of processor time, p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}`;

/** The median of each figure, so that one round on a busy machine does not decide. */
export const middle = (runs: readonly Measured[]): Measured => {
  const of = (name: keyof Measured): number => median(runs.map((run) => run[name]));
  return { perSecond: of('perSecond'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), cpuMicros: of('cpuMicros') };
};

export interface Compared {
  name: string;
  ours: Measured;
  /** Null if ours was measured alone. */
  peer: Measured | null;
  /** Medians of the ratios of neighbouring rounds, because both sides of a round had the same load on the machine. */
  ratio: number | null;
  perCpu: number | null;
}

/** Measures ours and each peer alternately, so that other load of the machine affects all. */
export async function inTurns(
  ours: Side,
  peers: readonly Side[],
  { rounds, seconds, warmUpSeconds }: Turns,
  say: (line: string) => void,
): Promise<Compared[]> {
  const sides = [ours, ...peers];
  const runs = sides.map((): Measured[] => []);
  for (const side of sides) await side.measure(warmUpSeconds);
  for (let round = 1; round <= rounds; round++) {
    for (const [n, side] of sides.entries()) {
      const measured = await side.measure(seconds);
      (runs[n] as Measured[]).push(measured);
      say(`round ${round}, ${side.name}: ${show(measured)}`);
    }
  }
  const [own = [], ...theirs] = runs;
  if (peers.length === 0) return [{ name: '', ours: middle(own), peer: null, ratio: null, perCpu: null }];
  return peers.map(({ name }, i) => {
    const pairs = own.map((run, n) => [run, theirs[i]?.[n] as Measured] as const);
    return {
      name,
      ours: middle(own),
      peer: middle(theirs[i] as Measured[]),
      ratio: median(pairs.map(([mine, their]) => mine.perSecond / their.perSecond)),
      perCpu: median(pairs.map(([mine, their]) => their.cpuMicros / mine.cpuMicros)),
    };
  });
}

/** A line of the table. */
export const rowOf = (what: string, { ours, peer, ratio, perCpu }: Compared, aim: string): Row => ({
  what,
  ours: show(ours),
  peer: peer && show(peer),
  ratio,
  perCpu,
  aim,
});
