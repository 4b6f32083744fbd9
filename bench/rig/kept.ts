/**
 * The last run that was kept: `bench/last.json`, which the next table is compared with, and the table in
 * docs/performance.md, which is written from it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Row, ratios, tableOf } from './result.ts';

const LAST = new URL('../last.json', import.meta.url);
const PAGE = new URL('../../docs/performance.md', import.meta.url);
const BEGIN = '<!-- from bench/last.json -->\n';
const PAGES_BEGIN = '<!-- from a run of pages -->\n';
const VERSUS_BEGIN = '<!-- from a run of versus -->\n';
const END = '<!-- to here -->';

interface Kept {
  machine: string;
  rows: Row[];
}

/** The run that was kept, or none. */
export const keptRun = (): Kept =>
  existsSync(LAST) ? (JSON.parse(readFileSync(LAST, 'utf8')) as Kept) : { machine: '', rows: [] };

/** A column with the ratios of the run that was kept. Null if there is none. */
export function lastColumn(): Parameters<typeof tableOf>[1] {
  const kept = new Map(keptRun().rows.map((row) => [row.what, row]));
  if (kept.size === 0) return null;
  return {
    head: 'last',
    of: ({ what }) => {
      const row = kept.get(what);
      return row ? ratios(row).join(', ') : 'new';
    },
  };
}

/**
 * Keeps a run, and writes the table of the page from it. A run of some benchmarks replaces their rows alone.
 * @param all whether every benchmark ran, so that rows of earlier runs go
 */
export function keep({ machine, rows }: Kept, all: boolean): void {
  const fresh = new Map(rows.map((row) => [row.what, row]));
  const old = all ? [] : keptRun().rows;
  const merged = [
    ...old.map((row) => fresh.get(row.what) ?? row),
    ...rows.filter(({ what }) => !old.some((row) => row.what === what)),
  ];
  writeFileSync(LAST, `${JSON.stringify({ machine, rows: merged }, null, 2)}\n`);
  writeTable(BEGIN, machine, tableOf(merged, null));
}

/** Writes the table of a comparison with another version into the page. @param about versions and machine */
export const keepVersus = (about: string, table: string): void => writeTable(VERSUS_BEGIN, about, table);

/** Writes how soon pages can be used: by a table of its own, since it may be run by itself on another machine. */
export const keepPages = (machine: string, rows: readonly Row[]): void =>
  writeTable(PAGES_BEGIN, machine, tableOf(rows, null));

function writeTable(begin: string, about: string, table: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(END, from);
  if (from < begin.length || to < from) throw new Error('docs/performance.md has no place for the table');
  writeFileSync(PAGE, `${page.slice(0, from)}\n${about}.\n\n${table}\n\n${page.slice(to)}`);
}
