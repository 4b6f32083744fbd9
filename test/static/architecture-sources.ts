import {
  type CallExpression,
  isCallExpression,
  isElementAccessExpression,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isInterfaceDeclaration,
  isLiteralTypeNode,
  isNamedImports,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isSpreadAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
  type NoSubstitutionTemplateLiteral,
  type SourceFile,
  type StringLiteral,
  SyntaxKind,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast';
import { functionsIn, type MeasuredFunction } from './architecture-functions.ts';
import { descendants, lineAt, parse, resolveImport, type Sources } from './syntax.ts';

/** Something that a rule can refuse, and its line. */
export interface Found {
  name: string;
  line: number;
}

/** What the rules need to know about a file. They never see its text. */
export interface SourceSummary {
  path: string;
  lines: number;
  /** `name` is the specifier as written; `target` is its repository path, absent for a package. */
  imports: (Found & { target: string | undefined })[];
  /** Values re-exported from another module. */
  reexports: Found[];
  /** Tables named in queries. */
  tables: Found[];
  /** `process.env` in any spelling. */
  environment: Found[];
  /** Reads of the machine's clock. */
  clock: Found[];
  /** The type `any`. */
  any: Found[];
  /** Members of an object that are spread from a literal, which only saves lines: `...{ a, b },`. */
  spread: Found[];
  /** Declared types of what a feature, or a part of it, gets from others. */
  needs: Found[];
  functions: MeasuredFunction[];
}

const QUERIES =
  /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto|using|(inner|left|right|full|cross)Join(Lateral)?)$/;

export async function readSources(sources: Sources): Promise<SourceSummary[]> {
  return [...(await parse(sources))].map(([path, file]) => summarize(path, file));
}

function summarize(path: string, file: SourceFile): SourceSummary {
  const summary: SourceSummary = {
    path,
    lines: file.text.split('\n').length - (file.text.endsWith('\n') ? 1 : 0),
    imports: [],
    reexports: [],
    tables: [],
    environment: [],
    clock: [],
    any: [],
    spread: [],
    needs: [],
    functions: functionsIn(file, path),
  };
  const nodes = descendants(file);
  const sqlTags = new Set(['sql', ...nodes.flatMap(localNameOfSql)]);
  for (const node of nodes) {
    const found = (name: string): Found => ({ name, line: lineAt(file, node.getStart(file)) });
    const specifier = specifierOf(node);
    if (specifier !== undefined) summary.imports.push({ ...found(specifier), target: resolveImport(path, specifier) });
    if (isExportDeclaration(node) && node.moduleSpecifier && !node.isTypeOnly)
      summary.reexports.push(found(node.getText(file)));
    if (isSpreadAssignment(node) && isObjectLiteralExpression(node.expression)) summary.spread.push(found('...{}'));
    if (isInterfaceDeclaration(node) && !node.heritageClauses && /(Deps|Ports)$/.test(node.name.text))
      summary.needs.push(found(node.name.text));
    if (node.kind === SyntaxKind.AnyKeyword) summary.any.push(found('any'));
    if (readsEnvironment(node)) summary.environment.push(found('process.env'));
    const clock = clockRead(node);
    if (clock) summary.clock.push(found(clock));
    for (const table of tablesNamedBy(node, sqlTags)) summary.tables.push(found(table));
  }
  // A common table expression has a name like a table, but belongs to its statement.
  const local = new Set(nodes.flatMap(commonTableExpressions));
  summary.tables = summary.tables.filter(({ name }) => !local.has(name));
  return summary;
}

/** Of `import … from`, `export … from`, `import('…')` and the type `import('…').T`. */
function specifierOf(node: Node): string | undefined {
  let specifier: Node | undefined;
  if (isImportDeclaration(node) || isExportDeclaration(node)) specifier = node.moduleSpecifier;
  else if (isImportTypeNode(node) && isLiteralTypeNode(node.argument)) specifier = node.argument.literal;
  else if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) specifier = node.arguments[0];
  return specifier && isText(specifier) ? specifier.text : undefined;
}

function readsEnvironment(node: Node): boolean {
  if (isPropertyAccessExpression(node)) return isNamed(node.expression, 'process') && node.name.text === 'env';
  if (isElementAccessExpression(node)) return isNamed(node.expression, 'process');
  if (isVariableDeclaration(node)) return node.initializer !== undefined && isNamed(node.initializer, 'process');
  return isImportDeclaration(node) && /^(node:)?process$/.test(specifierOf(node) ?? '');
}

function clockRead(node: Node): string | undefined {
  if (isNewExpression(node) && isNamed(node.expression, 'Date') && !node.arguments?.length) return 'new Date()';
  if (isCallExpression(node) && isNamed(node.expression, 'Date')) return 'Date()';
  if (!isPropertyAccessExpression(node) || !isIdentifier(node.expression)) return undefined;
  const read = `${node.expression.text}.${node.name.text}`;
  return ['Date.now', 'performance.now', 'process.hrtime'].includes(read) ? read : undefined;
}

const isText = (node: Node): node is StringLiteral | NoSubstitutionTemplateLiteral =>
  isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node);

const isNamed = (node: Node, name: string): boolean => isIdentifier(node) && node.text === name;

function tablesNamedBy(node: Node, sqlTags: ReadonlySet<string>): string[] {
  if (isTaggedTemplateExpression(node)) {
    return isIdentifier(node.tag) && sqlTags.has(node.tag.text) ? tablesInSql(textOf(node)) : [];
  }
  if (!isCallExpression(node)) return [];
  if (!isPropertyAccessExpression(node.expression)) return [];
  const method = node.expression.name.text;
  const onSqlTag = isIdentifier(node.expression.expression) && sqlTags.has(node.expression.expression.text);
  if (onSqlTag && method === 'raw') return stringsOf(node).flatMap(tablesInSql);
  if (QUERIES.test(method) || (onSqlTag && method === 'table')) return stringsOf(node).map(withoutAlias);
  return [];
}

/** The first argument's strings: `'a'`, or `['a', 'b as c']`. */
function stringsOf(call: CallExpression): string[] {
  const first = call.arguments[0];
  if (!first) return [];
  if (isText(first)) return [first.text];
  if (first.kind !== SyntaxKind.ArrayLiteralExpression) return [];
  return descendants(first)
    .filter(isStringLiteral)
    .map((literal) => literal.text);
}

const withoutAlias = (table: string): string => table.trim().split(/\s+/)[0] ?? table;

/** The text of the template, with a mark that is not a word for each value. */
function textOf({ template }: TaggedTemplateExpression): string {
  if (isText(template)) return template.text;
  if (!isTemplateExpression(template)) return '';
  return [template.head.text, ...template.templateSpans.map((span) => span.literal.text)].join(' ? ');
}

function tablesInSql(sql: string): string[] {
  const text = sql
    .toLowerCase()
    .replaceAll(/--.*$/gm, ' ')
    .replaceAll(/'[^']*'/g, "''")
    // `from`, `update` and `join` that do not introduce a table.
    .replaceAll(/\b(extract|substring|trim|overlay)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\bdistinct\s+from\b|\b(do|on|for|for no key)\s+update\b/g, ' ');
  const local = new Set(
    [...text.matchAll(/\b(\w+)\s*(?:\([^()]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(/g)].map(([, name]) => name),
  );
  const named = [
    // A parenthesis after `from x` makes it a function, after `into x` a list of columns.
    ...text.matchAll(/\b(?:from|join)\s+(?:only\s+|lateral\s+)?"?([a-z_]\w*)\b"?(?!\s*\()/g),
    ...text.matchAll(/\b(?:into|update)\s+"?([a-z_]\w*)"?/g),
  ].map(([, name]) => name ?? '');
  return named.filter((name) => !local.has(name) && !['select', 'lateral', 'only', 'set', 'values'].includes(name));
}

/** Names given by the query builder's `.with('due', …)`. */
function commonTableExpressions(node: Node): string[] {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
  return /^with(Recursive)?$/.test(node.expression.name.text)
    ? stringsOf(node).map((name) => name.replace(/\(.*/s, '').trim())
    : [];
}

/** `import { sql as raw } from 'kysely'` makes `raw` a tag. */
function localNameOfSql(node: Node): string[] {
  if (!isImportDeclaration(node) || specifierOf(node) !== 'kysely') return [];
  const bindings = node.importClause?.namedBindings;
  if (!bindings || !isNamedImports(bindings)) return [];
  return bindings.elements.filter((e) => (e.propertyName ?? e.name).text === 'sql').map((e) => e.name.text);
}
