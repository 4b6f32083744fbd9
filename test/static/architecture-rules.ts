import { basename, dirname } from 'node:path';
import { type Found, readSources, type SourceSummary } from './architecture-sources.ts';
import type { Sources } from './syntax.ts';

export interface Violation {
  rule: string;
  path: string;
  line: number;
  message: string;
}

type Rule = (files: readonly SourceSummary[]) => Iterable<Violation>;

const MAX_FILE_LINES = 500;
/** A longer file needs one noun that covers all it exports. */
const LONG_FILE_LINES = 300;
const LONG_FILES_SHARE = 0.15;
/** The tables to which one must add. */
const GROWING_TABLES =
  /^src\/(api\/(limits|errors|events)|api\/metering\/(tier|fixed)-limits|config\/environment)\.ts$/;
const MAX_FUNCTION_LINES = 60;
const MAX_LINES_WITH_NESTED = 150;
const MAX_FOLDER_FILES = 25;
const MAX_DEPTH = 5;
/** Written by `npm run generate`. */
const GENERATED_FILES = /^src\/client\/generated\/|^src\/cli\/agent\/operation-table\.ts$/;
const MIGRATIONS = /^src\/db\/migrations\//;

/** Names without a meaning. `index` only as the whole name: a search index is a thing. */
const EMPTY_NAMES = /\/index\.ts$|[/.-](utils?|helpers?|common|misc)(?=[/.-])|-(rules|data)\.ts$/;
/** Names that browsers load, in a folder that is called the same. */
const ENTRY_NAMES = ['src/client/client.ts', 'src/web/console/entries/console.ts'];

type Allowed = readonly string[] | 'all';

// Which place may import which. A place is a room, one of five files at the top, or a kind of file in a feature
// (`src/features/money/charge-routes.ts` is `routes`); `own` is the same feature, `other` another one.
const ROOMS: Record<string, Allowed> = {
  base: ['base'],
  api: ['base', 'api'],
  config: ['base', 'api', 'config', 'mail/address'],
  db: ['base', 'api', 'db'],
  workers: ['base', 'workers'],
  'mail/address': ['base', 'api', 'mail/address'],
  // What a reader of HTML sees. Browsers have it too.
  'mail/look': ['mail/look'],
  mail: ['base', 'api', 'workers', 'mail/address', 'mail/look', 'mail'],
  jobs: ['base', 'api', 'db', 'jobs'],
  events: ['base', 'api', 'db', 'events'],
  http: ['base', 'api', 'mail/address', 'http'],
  // An independent library: it runs without the rest of this project.
  client: ['client'],
  // What describes the API to people and programs.
  apidocs: ['base', 'api', 'http', 'client', 'apidocs', 'feature'],
  'web/site': ['base', 'api', 'http', 'client', 'apidocs', 'web/site', 'feature'],
  // The console runs in browsers. The client is its only way to the service. A page knows no other page.
  'web/console/ui': ['client', 'mail/look', 'web/console/ui'],
  'web/console/parts': ['client', 'web/console/ui', 'web/console/parts'],
  'web/console/pages': ['client', 'web/console/ui', 'web/console/parts'],
  'web/console/entries': ['client', 'web/console/ui', 'web/console/parts', 'web/console/pages', 'web/console/entries'],
  cli: ['base', 'api', 'cli'],
  // The agents' commands start without the service.
  'cli/agent': ['base', 'client', 'cli', 'cli/agent'],
  'cli/admin': 'all',
};
const FILES: Record<string, Allowed> = {
  // The types of what a feature gets and provides. Types only.
  feature: ['base', 'api', 'config', 'http', 'jobs', 'mail', 'mail/address', 'events'],
  features: ['feature', 'own feature', 'other feature', 'apidocs', 'web/site'],
  // The master key, and what is sealed by it.
  secrets: ['base', 'api', 'config', 'db', 'feature'],
  app: 'all',
  main: 'all',
};

/** Lowest first: a wing imports only itself and those before it. */
const WINGS = ['service', 'account', 'money', 'identity', 'mail', 'record', 'vault', 'calendar', 'mcp', 'top'];
/** Wings that are the folder of their only feature. */
const FEATURE_WINGS = ['money', 'calendar', 'mcp'];

const KINDS: Record<string, Allowed> = {
  // Composes a feature: everything of its own except SQL, and the types of what other features provide.
  feature: [
    ...['base', 'api', 'config', 'feature', 'http', 'db', 'mail', 'mail/address', 'events', 'jobs', 'workers'],
    ...['data', 'logic', 'routes', 'client', 'job', 'mailer', 'page'].map((kind) => `own ${kind}`),
    ...['other data', 'other logic', 'other mailer'],
  ],
  // Schemas, and the columns of tables.
  data: ['base', 'api', 'db', 'mail', 'mail/address', 'own data', 'own pure logic', 'other data'],
  store: ['base', 'api', 'db', 'mail', 'own data', 'own pure logic'],
  // Talks to another service and knows only what it sends.
  client: ['base', 'api', 'own data'],
  // Decides, free of HTTP.
  logic: [
    ...['base', 'api', 'db', 'jobs', 'mail', 'mail/address', 'events', 'workers'],
    ...['own store', 'own client', 'own logic', 'own data', 'other logic', 'other data', 'other mailer'],
  ],
  job: [
    ...['base', 'api', 'db', 'jobs', 'mail', 'mail/address', 'events'],
    ...['own store', 'own client', 'own logic', 'own data', 'other logic', 'other data'],
  ],
  mailer: [
    ...['base', 'api', 'jobs', 'mail', 'mail/address'],
    ...['own store', 'own logic', 'own data', 'other logic', 'other data', 'other mailer'],
  ],
  page: ['base', 'api', 'own logic', 'own data'],
  routes: ['base', 'api', 'http', 'mail/address', 'own logic', 'own page', 'own data', 'other data'],
};
/** Endings of files with only data. */
const DATA_ENDINGS = ['table', 'schema'];

/** Features that are several programs, with needs of their own. */
const SEVERAL_THINGS = ['top/admin'];

/** Packages that only one folder may import, so that they can be replaced. */
const PACKAGES: readonly { name: RegExp; users: RegExp }[] = [
  { name: /^(fastify$|fastify\/|@fastify\/)/, users: /^src\/http\// },
  { name: /^(kysely$|kysely\/)/, users: /^src\/db\/|-store\.ts$/ },
  { name: /^(pg$|pg[-/]|node:sqlite$)/, users: /^src\/db\// },
  // Browsers have neither packages nor Node's modules.
  { name: /^[^.]/, users: /^src\/(?!client\/)/ },
  { name: /^(?!\.|lit-html($|\/))/, users: /^src\/(?!web\/console\/)/ },
];

/** Files that may contain SQL: stores, the two layers with their own tables, and the database itself. */
const QUERY_FILES = /-store\.ts$|^src\/(db|jobs|events)\//;

interface Place {
  place: string;
  allowed: Allowed;
  /** Such as `mail/outbox`. */
  feature?: string;
}

/** The place of a file. Undefined if the design has no place for it. */
function placeOf(path: string): Place | undefined {
  const [, ...folders] = path.split('/').slice(0, -1);
  if (folders.length === 0) return lookUp(FILES, path.replace(/^src\/|\.ts$/g, ''));
  if (folders[0] === 'features') return featurePlace(path, folders);
  for (let depth = folders.length; depth > 0; depth--) {
    const found = lookUp(ROOMS, folders.slice(0, depth).join('/'));
    if (found) return found;
  }
  return undefined;
}

/** A feature is a folder of a wing, or a wing. It may have rooms, without rooms in them. */
function featurePlace(path: string, folders: readonly string[]): Place | undefined {
  const [, wing = '', feature] = folders;
  const isWing = FEATURE_WINGS.includes(wing);
  if (!WINGS.includes(wing) || folders.length > (isWing ? 3 : 4) || !(isWing || feature)) return undefined;
  const ending = /-([a-z]+)\.ts$/.exec(path)?.[1] ?? '';
  const kind = DATA_ENDINGS.includes(ending) ? 'data' : Object.hasOwn(KINDS, ending) ? ending : 'logic';
  const found = lookUp(KINDS, kind);
  return found && { ...found, feature: isWing ? wing : `${wing}/${feature}` };
}

function lookUp(table: Record<string, Allowed>, place: string): Place | undefined {
  const allowed = Object.hasOwn(table, place) ? table[place] : undefined;
  return allowed && { place, allowed };
}

/** What logic may import that a store may import. */
const PURE = ['base', 'api', 'mail/address', 'data'];

/** Tells whether logic needs no storage, network or mail: all that it imports is of the kind, or data. */
function pureLogic(files: readonly SourceSummary[]): (path: string) => boolean {
  const known = new Map(files.map((file) => [file.path, file]));
  const results = new Map<string, boolean>();
  const isPure = (path: string): boolean => {
    const seen = results.get(path);
    if (seen !== undefined) return seen;
    // Circles are refused elsewhere.
    results.set(path, true);
    const pure = (known.get(path)?.imports ?? []).every(({ target }) => {
      const place = target === undefined ? undefined : placeOf(target)?.place;
      return target === undefined || PURE.includes(place ?? '') || (place === 'logic' && isPure(target));
    });
    results.set(path, pure);
    return pure;
  };
  return isPure;
}

/** Tests may import anything. The rules on size, names and the clock apply to them too. */
const production = (files: readonly SourceSummary[]): SourceSummary[] =>
  files.filter(({ path }) => !path.endsWith('.test.ts'));

const violation = (rule: string, file: SourceSummary, line: number, message: string): Violation => ({
  rule,
  path: file.path,
  line,
  message,
});

function* places(files: readonly SourceSummary[]): Generator<Violation> {
  const known = `rooms: ${Object.keys(ROOMS)}; wings of features: ${WINGS}`;
  for (const file of production(files)) {
    if (!placeOf(file.path)) yield violation('place', file, 1, `the design has no such place (${known})`);
  }
}

function* imports(files: readonly SourceSummary[]): Generator<Violation> {
  const isPure = pureLogic(files);
  for (const file of production(files)) {
    const from = placeOf(file.path);
    for (const { target, line } of file.imports) {
      if (!from || target === undefined) continue;
      const to = target.startsWith('src/') ? placeOf(target) : undefined;
      const relation = to?.feature
        ? `${to.feature === from.feature ? 'own' : 'other'} ${to.place}`
        : (to?.place ?? 'this');
      // The version of the software is in package.json, the only file outside src that src uses.
      const isVersion = target === 'package.json' && file.path === 'src/base/version.ts';
      const allowed =
        from.allowed === 'all'
          ? to || target === 'package.json'
          : from.allowed.includes(relation) ||
            (relation === 'own logic' && from.allowed.includes('own pure logic') && isPure(target));
      if (!allowed && !isVersion)
        yield violation('import', file, line, `${from.place} may not import ${relation}: ${target}`);
      else if (to?.feature && from.feature && wingOf(to.feature) > wingOf(from.feature))
        yield violation('wing', file, line, `${from.feature} may not import a wing above it: ${target}`);
    }
  }
}

const wingOf = (feature: string): number => WINGS.indexOf(feature.replace(/\/.*/, ''));

function* packages(files: readonly SourceSummary[]): Generator<Violation> {
  for (const file of production(files)) {
    for (const { name, line } of file.imports) {
      const refused = PACKAGES.some((rule) => rule.name.test(name) && !rule.users.test(file.path));
      if (refused) yield violation('package', file, line, `${name} is not for this folder`);
    }
  }
}

/** Depth-first search of the graph of features. Reports a cycle at the import that closes it. */
function* featureCycles(files: readonly SourceSummary[]): Generator<Violation> {
  const edges = production(files).flatMap((file) =>
    file.imports.flatMap(({ target, line }) => {
      const from = placeOf(file.path)?.feature;
      const to = target && placeOf(target)?.feature;
      return from && to && from !== to ? [{ from, to, file, line }] : [];
    }),
  );
  const finished = new Set<string>();
  function* visit(feature: string, visited: readonly string[]): Generator<Violation> {
    if (finished.has(feature)) return;
    for (const { to, file, line } of edges.filter(({ from }) => from === feature)) {
      const cycle = visited.slice(visited.indexOf(to));
      if (visited.includes(to)) yield violation('feature-cycle', file, line, [...cycle, to].join(' -> '));
      else yield* visit(to, [...visited, to]);
    }
    finished.add(feature);
  }
  for (const { from } of edges) yield* visit(from, [from]);
}

/** Depth-first search of the imports of files, types included. Reports the whole cycle at the import that closes it. */
function* circles(files: readonly SourceSummary[]): Generator<Violation> {
  const known = new Map(production(files).map((file) => [file.path, file]));
  const finished = new Set<string>();
  function* visit(file: SourceSummary, path: readonly string[]): Generator<Violation> {
    if (finished.has(file.path)) return;
    for (const { target = '', line } of file.imports) {
      const next = known.get(target);
      if (!next) continue;
      const circle = path.slice(path.indexOf(target));
      if (path.includes(target)) yield violation('circle', file, line, [...circle, target].join(' -> '));
      else yield* visit(next, [...path, target]);
    }
    finished.add(file.path);
  }
  for (const file of known.values()) yield* visit(file, [file.path]);
}

function* tables(files: readonly SourceSummary[]): Generator<Violation> {
  const owners = new Map<string, string>();
  for (const file of production(files)) {
    if (file.path.startsWith('src/db/')) continue;
    for (const { name, line } of file.tables) {
      const owner = owners.get(name) ?? file.path;
      owners.set(name, owner);
      if (!QUERY_FILES.test(file.path)) yield violation('table', file, line, `${name} is named outside a store`);
      else if (owner !== file.path) yield violation('table', file, line, `${name} is named in ${owner} already`);
    }
  }
}

function* fileLines(files: readonly SourceSummary[]): Generator<Violation> {
  const bounded = files.filter(({ path }) => !GENERATED_FILES.test(path) && !GROWING_TABLES.test(path));
  for (const file of bounded) {
    if (file.lines > MAX_FILE_LINES)
      yield violation('file-lines', file, 1, `${file.lines} lines, at most ${MAX_FILE_LINES}`);
  }
  const sources = production(bounded);
  const long = sources.filter(({ lines }) => lines > LONG_FILE_LINES);
  if (long.length <= LONG_FILES_SHARE * sources.length) return;
  const rule = `at most ${LONG_FILES_SHARE * 100} % of files may have over ${LONG_FILE_LINES} lines`;
  for (const file of long) yield violation('file-lines', file, 1, `${file.lines} lines; ${rule}`);
}

function* functionLines(files: readonly SourceSummary[]): Generator<Violation> {
  for (const file of files) {
    for (const { name, line, lines, linesWithNested } of file.functions) {
      const message =
        lines > MAX_FUNCTION_LINES
          ? `${name} has ${lines} lines, at most ${MAX_FUNCTION_LINES}`
          : `${name} has ${linesWithNested} lines with the functions in it, at most ${MAX_LINES_WITH_NESTED}`;
      if (lines > MAX_FUNCTION_LINES || linesWithNested > MAX_LINES_WITH_NESTED)
        yield violation('function-lines', file, line, message);
    }
  }
}

function* folders(files: readonly SourceSummary[]): Generator<Violation> {
  const counted = production(files).filter(({ path }) => !GENERATED_FILES.test(path) && !MIGRATIONS.test(path));
  for (const [folder, inIt] of Map.groupBy(counted, ({ path }) => dirname(path))) {
    const [first] = inIt;
    const message = `${folder} has ${inIt.length} files, at most ${MAX_FOLDER_FILES}: make rooms`;
    if (first && inIt.length > MAX_FOLDER_FILES) yield violation('folder', first, 1, message);
  }
}

function* names(files: readonly SourceSummary[]): Generator<Violation> {
  const first = new Map<string, string>();
  for (const file of files) {
    const folders = dirname(file.path).split('/').slice(1);
    const name = basename(file.path).replace(/\.(test\.|d\.)?ts$/, '');
    if (EMPTY_NAMES.test(file.path)) yield violation('name', file, 1, 'says nothing of what is in it');
    if (folders.length > MAX_DEPTH) yield violation('name', file, 1, `is more than ${MAX_DEPTH} folders below src`);
    const path = ENTRY_NAMES.includes(file.path) || file.path.endsWith('.test.ts') ? folders : [...folders, name];
    if (new Set(path).size < path.length) yield violation('name', file, 1, 'has a name twice in its path');
    const other = first.get(basename(file.path));
    if (other !== undefined) yield violation('name', file, 1, `is called like ${other}`);
    first.set(basename(file.path), file.path);
  }
}

/** What a feature needs of others is told once; its parts pick from it. */
function* needs(files: readonly SourceSummary[]): Generator<Violation> {
  const first = new Map<string, string>();
  for (const file of production(files)) {
    const feature = placeOf(file.path)?.feature;
    for (const { name, line } of file.needs) {
      if (feature === undefined || SEVERAL_THINGS.includes(feature)) continue;
      const other = first.get(feature);
      if (other !== undefined)
        yield violation('needs', file, line, `${name}: ${feature} tells what it needs in ${other}`);
      first.set(feature, name);
    }
  }
}

/** Rules about single files. */
const onlyIn = (rule: string, owners: readonly string[], pick: (file: SourceSummary) => readonly Found[]): Rule =>
  function* (files) {
    for (const file of files) {
      if (owners.includes(file.path)) continue;
      for (const { name, line } of pick(file))
        yield violation(rule, file, line, `${name}: ${owners.length > 0 ? `only in ${owners}` : 'nowhere'}`);
    }
  };

const RULES: readonly Rule[] = [
  places,
  imports,
  packages,
  featureCycles,
  circles,
  tables,
  fileLines,
  folders,
  functionLines,
  names,
  needs,
  // A library has one entry point.
  onlyIn('barrel', ['src/client/client.ts'], (file) => file.reexports),
  onlyIn('any', [], (file) => file.any),
  onlyIn('spread', [], (file) => file.spread),
  // The agents' commands start without the configuration of the service.
  onlyIn(
    'environment',
    ['src/config/service-config.ts', 'src/cli/agent/agent-environment.ts'],
    (file) => file.environment,
  ),
  onlyIn('clock', ['src/base/clock.ts', 'src/client/client-clock.ts'], (file) => file.clock),
];

/** Finds every violation of the design in these sources (paths like `src/base/ids.ts`). */
export async function architectureViolations(sources: Sources): Promise<Violation[]> {
  const files = await readSources(sources);
  return RULES.flatMap((rule) => [...rule(files)]);
}
