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
const GROWING_TABLES = /^src\/kernel\/((tier-|fixed-)?limits|errors|events|environment)\.ts$/;
const MAX_FUNCTION_LINES = 60;
/** Made from the endpoint table by tools/. */
const GENERATED_FILES = ['src/client/operations.ts', 'src/client/methods.ts'];

/** Names without a meaning. `index` only as the whole name: a search index is a thing. */
const EMPTY_NAMES = /\/index\.ts$|[/.-](utils?|helpers?|common|misc)(?=[/.-])/;

type Allowed = readonly string[] | 'all';

// Which place may import which. A place is a folder, one of three files at the top, or a role in a feature
// (`src/features/budgets/charge-rules.ts` is `rules`); `own` is the same feature, `other` another one.
const FOLDERS: Record<string, Allowed> = {
  kernel: ['kernel'],
  db: ['kernel', 'db'],
  mail: ['kernel', 'mail'],
  http: ['kernel', 'http'],
  push: ['kernel', 'push', 'db'],
  jobs: ['kernel', 'jobs', 'db'],
  // An independent library: it runs without the rest of this project.
  client: ['client'],
  cli: ['kernel', 'http', 'client', 'cli'],
  // The documentation as web pages.
  docsite: ['kernel', 'http', 'client', 'docsite', 'feature'],
  dashboard: ['kernel', 'http', 'client', 'dashboard', 'feature'],
  // Runs in browsers. The client is its only way to the service.
  console: ['client', 'console'],
  // A page knows no other page. The list of pages knows them all, and only the entry knows the list.
  'console page': ['client', 'console'],
  'console pages': ['client', 'console', 'console page'],
  'console entry': ['client', 'console', 'console page', 'console pages'],
};
const FILES: Record<string, Allowed> = {
  config: ['kernel', 'config-keys', 'config-mail'],
  'config-keys': ['kernel'],
  'config-mail': ['kernel'],
  // The types of what a feature gets and provides. Types only.
  feature: ['kernel', 'config', 'http', 'jobs', 'mail', 'push'],
  features: ['feature', 'own feature', 'other feature', 'dashboard', 'docsite'],
  // The master key, and what is sealed by it.
  secrets: ['kernel', 'config', 'db', 'feature', 'mail'],
  app: 'all',
  // What the administrator's commands open, and copies of the database.
  'command-context': 'all',
  backups: 'all',
  // What the administrator's commands do.
  administration: 'all',
  'administration-mail': 'all',
  main: 'all',
};
const ROLES: Record<string, Allowed> = {
  // Composes a feature: everything of its own except SQL, and the types of what other features provide.
  feature: [
    ...['kernel', 'config', 'feature', 'http', 'db', 'mail', 'push', 'jobs'],
    ...['data', 'rules', 'routes', 'client', 'job', 'mailer', 'page', 'server', 'policy'].map((role) => `own ${role}`),
    ...['other data', 'other rules', 'other mailer'],
  ],
  data: ['kernel', 'own data'],
  store: ['kernel', 'db', 'own data'],
  // Talks to another service and knows only what it sends.
  client: ['kernel', 'own data'],
  // Decides from its arguments: no storage, no network.
  policy: ['kernel', 'own policy', 'own data', 'other data'],
  rules: [
    ...['kernel', 'db', 'jobs', 'mail', 'push'],
    ...['own store', 'own client', 'own policy', 'own rules', 'own data'],
    ...['other rules', 'other data', 'other mailer'],
  ],
  job: [
    'kernel',
    'db',
    'mail',
    'push',
    'own store',
    'own client',
    'own rules',
    'own data',
    'other rules',
    'other data',
  ],
  mailer: ['kernel', 'mail', 'own store', 'own rules', 'own data', 'other rules', 'other data', 'other mailer'],
  server: ['kernel', 'mail', 'own rules', 'own data', 'other rules', 'other data'],
  page: ['kernel', 'own rules', 'own data'],
  routes: ['kernel', 'http', 'own rules', 'own page', 'own data', 'other data'],
};
/** Files with only data, named after their content. */
const DATA_ROLES = ['data', 'table', 'schema'];

/** Packages that only one folder may import, so that they can be replaced. */
const PACKAGES: readonly { name: RegExp; users: RegExp }[] = [
  { name: /^(fastify$|fastify\/|@fastify\/)/, users: /^src\/http\// },
  { name: /^(kysely$|kysely\/)/, users: /^src\/db\/|-store\.ts$/ },
  { name: /^(pg$|pg[-/]|node:sqlite$)/, users: /^src\/db\// },
  // Browsers have neither packages nor Node's modules.
  { name: /^[^.]/, users: /^src\/(?!client\/)/ },
  { name: /^(?!\.|lit-html($|\/))/, users: /^src\/(?!console\/)/ },
];

/** Files that may contain SQL: stores, the two layers with their own tables, and the database itself. */
const QUERY_FILES = /-store\.ts$|^src\/(db|jobs|push)\//;

interface Place {
  place: string;
  allowed: Allowed;
  feature?: string;
}

/** The place of a file. Undefined if the design has no place for it. */
function placeOf(path: string): Place | undefined {
  const parts = path.split('/');
  const [, folder = '', feature = ''] = parts;
  if (parts.length === 2) return lookUp(FILES, folder.replace(/\.ts$/, ''));
  if (folder === 'console') return lookUp(FOLDERS, `console${consoleRole(feature)}`);
  if (folder !== 'features') return lookUp(FOLDERS, folder);
  const role = /-([a-z]+)\.ts$/.exec(parts[3] ?? '')?.[1] ?? '';
  const found = parts.length === 4 ? lookUp(ROLES, DATA_ROLES.includes(role) ? 'data' : role) : undefined;
  return found && { ...found, feature };
}

function consoleRole(name: string): string {
  if (name.endsWith('-page.ts')) return ' page';
  return name === 'pages.ts' ? ' pages' : /^(console|front|links|admin)\.ts$/.test(name) ? ' entry' : '';
}

function lookUp(table: Record<string, Allowed>, place: string): Place | undefined {
  const allowed = Object.hasOwn(table, place) ? table[place] : undefined;
  return allowed && { place, allowed };
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
  const roles = new Set([...Object.keys(ROLES), ...DATA_ROLES]);
  const known = `folders: ${Object.keys(FOLDERS)}; endings in features/*: ${[...roles].map((role) => `-${role}.ts`)}`;
  for (const file of production(files)) {
    if (!placeOf(file.path)) yield violation('place', file, 1, `the design has no such place (${known})`);
  }
}

function* imports(files: readonly SourceSummary[]): Generator<Violation> {
  for (const file of production(files)) {
    const from = placeOf(file.path);
    for (const { target, line } of file.imports) {
      if (!from || target === undefined) continue;
      const to = target.startsWith('src/') ? placeOf(target) : undefined;
      const relation = to?.feature ? `${to.feature === from.feature ? 'own' : 'other'} ${to.place}` : to?.place;
      // The version of the software is in package.json, the only file outside src that src uses.
      const isVersion = target === 'package.json' && file.path === 'src/kernel/version.ts';
      const allowed = from.allowed === 'all' ? to || target === 'package.json' : from.allowed.includes(relation ?? '');
      if (!allowed && !isVersion)
        yield violation('import', file, line, `${from.place} may not import ${relation ?? 'this'}: ${target}`);
    }
  }
}

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
  for (const file of files) {
    if (GENERATED_FILES.includes(file.path) || GROWING_TABLES.test(file.path)) continue;
    if (file.lines > MAX_FILE_LINES)
      yield violation('file-lines', file, 1, `${file.lines} lines, at most ${MAX_FILE_LINES}`);
  }
  const sources = files.filter(({ path }) => !path.endsWith('.test.ts'));
  const long = sources.filter(({ lines }) => lines > LONG_FILE_LINES);
  if (long.length <= LONG_FILES_SHARE * sources.length) return;
  const rule = `at most ${LONG_FILES_SHARE * 100} % of files may have over ${LONG_FILE_LINES} lines`;
  for (const file of long) yield violation('file-lines', file, 1, `${file.lines} lines; ${rule}`);
}

function* functionLines(files: readonly SourceSummary[]): Generator<Violation> {
  for (const file of files) {
    for (const { name, line, lines } of file.functions) {
      const message = `${name} has ${lines} lines, at most ${MAX_FUNCTION_LINES}`;
      if (lines > MAX_FUNCTION_LINES) yield violation('function-lines', file, line, message);
    }
  }
}

function* names(files: readonly SourceSummary[]): Generator<Violation> {
  for (const file of files) {
    if (EMPTY_NAMES.test(file.path)) yield violation('name', file, 1, 'says nothing of what is in it');
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
  functionLines,
  names,
  // A library has one entry point.
  onlyIn('barrel', ['src/client/client.ts'], (file) => file.reexports),
  onlyIn('any', [], (file) => file.any),
  // The agents' commands start without the configuration of the service.
  onlyIn('environment', ['src/config.ts', 'src/cli/agent-environment.ts'], (file) => file.environment),
  onlyIn('clock', ['src/kernel/clock.ts', 'src/client/clock.ts'], (file) => file.clock),
];

/** Finds every violation of the design in these sources (paths like `src/kernel/ids.ts`). */
export async function architectureViolations(sources: Sources): Promise<Violation[]> {
  const files = await readSources(sources);
  return RULES.flatMap((rule) => [...rule(files)]);
}
