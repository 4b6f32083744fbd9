import {
  isCallExpression,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNamedExports,
  isNamedImports,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTypeAliasDeclaration,
  isVariableStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { descendants, lineAt, parse, resolveImport, type Sources } from './syntax.ts';

/**
 * Entry points: started by hand, by a script or by the test runner, or found by number; and the client library, for
 * other projects; and types of packages that have none.
 */
const ENTRY =
  /^src\/main\.ts$|^src\/db\/migrations\/|^src\/client\/|^src\/web\/console\/entries\/(admin|consent|console|front|links)\.ts$|\.test\.ts$|^test\/(run|tour)\.ts$|^test\/process\/console-picture\.ts$|^tools\/(generate|measure)\.ts$|^(bench|bin)\/|\.d\.ts$/;
const TEST = /^(test|bench|tools)\/|\.test\.ts$/;

/** Every export of a file: a namespace import, or its path in a string, can reach all of them. */
const EVERYTHING = '*';

interface Export {
  name: string;
  line: number;
  /** Used where it is declared. */
  usedAtHome: boolean;
  isType: boolean;
}

interface Module {
  path: string;
  exports: Export[];
  /** Used names, by the file or package that exports them. */
  uses: { from: string; name: string; onlyType?: boolean }[];
}

/**
 * Finds files and exports that nothing uses. The linter finds unused locals: an export that becomes a local shows up
 * there next. An export that only tests use is dead too, except if its own file uses it.
 *
 * `dependencies` must be the packages that `src` imports. A package too many is dead weight; a missing one breaks an
 * installation without the development packages. A package of which `src` imports only types is needed by nobody who
 * runs the code.
 */
export async function deadCode(sources: Sources, dependencies: readonly string[]): Promise<string[]> {
  const modules = [...(await parse(sources))].map(([path, file]) => readModule(path, file, sources));
  return [...unreached(modules), ...dependencyFaults(modules, dependencies)];
}

function* unreached(modules: readonly Module[]): Generator<string> {
  const users = new Map<string, string[]>();
  for (const { path, uses } of modules) {
    for (const { from, name } of uses) {
      for (const key of [from, `${from} ${name}`]) users.set(key, [...(users.get(key) ?? []), path]);
    }
  }
  for (const { path, exports } of modules.filter((module) => !ENTRY.test(module.path))) {
    const onlyTests = (by: readonly string[]): boolean =>
      !TEST.test(path) && by.length > 0 && by.every((user) => TEST.test(user));
    const importers = users.get(path) ?? [];
    if (importers.length === 0) yield `${path}: no file imports it`;
    else if (onlyTests(importers)) yield `${path}: only tests import it`;
    else {
      for (const { name, line, isType, usedAtHome } of exports) {
        const by = [name, EVERYTHING].flatMap((used) => users.get(`${path} ${used}`) ?? []);
        if (by.length === 0 && !(isType && usedAtHome)) yield `${path}:${line} ${name}: no other file imports it`;
        if (onlyTests(by) && !usedAtHome) yield `${path}:${line} ${name}: only tests use it`;
      }
    }
  }
}

function* dependencyFaults(modules: readonly Module[], dependencies: readonly string[]): Generator<string> {
  const production = modules.filter(({ path }) => path.startsWith('src/') && !TEST.test(path));
  const uses = production.flatMap((module) => module.uses).filter(({ onlyType }) => !onlyType);
  const imported = new Set(uses.flatMap(({ from }) => packageOf(from) ?? []));
  for (const name of dependencies) if (!imported.has(name)) yield `package.json: no file in src imports ${name}`;
  for (const name of imported) if (!dependencies.includes(name)) yield `package.json: src imports ${name}`;
}

/** The package of a specifier: `@x402/core` for `@x402/core/server`. None for our own paths and `node:` modules. */
const packageOf = (from: string): string | undefined =>
  /^(?!src\/|node:|package\.json$)((@[^/]+\/)?[^/]+)/.exec(from)?.[1];

function readModule(path: string, file: SourceFile, sources: Sources): Module {
  const nodes = descendants(file);
  const mentions = new Map<string, number>();
  for (const node of nodes) if (isIdentifier(node)) mentions.set(node.text, (mentions.get(node.text) ?? 0) + 1);
  const exports = file.statements.flatMap((statement) =>
    exportedNames(statement).map((name) => ({
      name,
      line: lineAt(file, statement.getStart(file)),
      usedAtHome: (mentions.get(name) ?? 0) > 1,
      isType: isInterfaceDeclaration(statement) || isTypeAliasDeclaration(statement),
    })),
  );
  return { path, exports, uses: nodes.flatMap((node) => usesOf(path, node, sources)) };
}

/** The names of a declaration with `export`, or of `export { a, b as c }`. */
function exportedNames(statement: Node): string[] {
  if (isExportDeclaration(statement)) {
    const clause = statement.exportClause;
    return clause && isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : [];
  }
  const declaration = statement as Node & { modifiers?: readonly Node[]; name?: Node };
  if (!declaration.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword)) return [];
  if (!isVariableStatement(statement))
    return declaration.name && isIdentifier(declaration.name) ? [declaration.name.text] : [];
  return statement.declarationList.declarations.flatMap(({ name }) =>
    (isIdentifier(name) ? [name] : descendants(name).filter(isIdentifier)).map(({ text }) => text),
  );
}

/** `import(…)` or `require(…)`. */
const isLoading = (called: Node): boolean =>
  called.kind === SyntaxKind.ImportKeyword || (isIdentifier(called) && called.text === 'require');

function usesOf(path: string, node: Node, sources: Sources): Module['uses'] {
  if (isImportDeclaration(node) || isExportDeclaration(node)) {
    const specifier = node.moduleSpecifier;
    if (!specifier || !isStringLiteral(specifier)) return [];
    const from = resolveImport(path, specifier.text) ?? specifier.text;
    const onlyType = isImportDeclaration(node) && node.importClause?.phaseModifier === SyntaxKind.TypeKeyword;
    return importedNames(node).map((name) => ({ from, name, onlyType }));
  }
  if (!isStringLiteral(node) && !isNoSubstitutionTemplateLiteral(node)) return [];
  // A file named in a string is imported at run time or started as a worker.
  const parent = node.parent;
  if (isCallExpression(parent) && isLoading(parent.expression) && !node.text.startsWith('.'))
    return [{ from: node.text, name: EVERYTHING }];
  const from = isImportDeclaration(parent) || isExportDeclaration(parent) ? undefined : resolveImport(path, node.text);
  return from && sources.has(from) ? [{ from, name: EVERYTHING }] : [];
}

function importedNames(node: Node): string[] {
  if (isExportDeclaration(node)) {
    const clause = node.exportClause;
    if (!clause || !isNamedExports(clause)) return [EVERYTHING];
    return clause.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
  }
  if (!isImportDeclaration(node)) return [];
  const bindings = node.importClause?.namedBindings;
  const names =
    bindings && isNamedImports(bindings)
      ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
      : [];
  return names.length > 0 ? names : [EVERYTHING];
}
