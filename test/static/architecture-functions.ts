import { isCallExpression, isIdentifier, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { descendants, lineAt } from './syntax.ts';

export interface MeasuredFunction {
  name: string;
  line: number;
  /** From the first to the last line, with everything nested in it except descriptors in `endpoint({…})`. */
  lines: number;
}

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);

/**
 * Measures every function together with its nested functions, so that a closure cannot avoid the limit. Descriptors in
 * `endpoint({…})` are data and do not count. In a test file nested functions, such as the tests in `describe`, count
 * only by themselves.
 */
export function functionsIn(file: SourceFile, path: string): MeasuredFunction[] {
  const isTest = path.endsWith('.test.ts');
  const functions = descendants(file).filter(isFunction);
  return functions.map((node) => {
    const name = nameOf(node);
    const held = outermostParts(node, isTest);
    const lines = 1 + linesSpanned(node) - held.reduce((sum, part) => sum + linesSpanned(part), 0);
    return { name, line: lineAt(file, node.getStart(file)), lines };
  });
}

const isFunction = (node: Node): boolean => FUNCTIONS.has(node.kind);

/** Line breaks between a node's first and last character. */
const linesSpanned = (node: Node): number => lineAt(node, node.end) - lineAt(node, node.getStart(node.getSourceFile()));

function nameOf(node: Node): string {
  const own = (node as Node & { name?: Node }).name;
  const parent = node.parent as Node & { name?: Node };
  const named =
    own ??
    (parent.kind === SyntaxKind.VariableDeclaration || parent.kind === SyntaxKind.PropertyAssignment
      ? parent.name
      : undefined);
  return named?.getText(node.getSourceFile()) ?? (node.kind === SyntaxKind.Constructor ? 'constructor' : '(anonymous)');
}

/** The parts of a function that do not count: descriptors, and in a test file the bodies of nested functions. */
function outermostParts(node: Node, isTest: boolean): Node[] {
  const parts: Node[] = [];
  const visit = (child: Node): void => {
    if (isTest && isFunction(child)) parts.push((child as Node & { body?: Node }).body ?? child);
    else if (isCallExpression(child) && isIdentifier(child.expression) && child.expression.text === 'endpoint')
      parts.push(child);
    else child.forEachChild(visit);
  };
  node.forEachChild(visit);
  return parts;
}
