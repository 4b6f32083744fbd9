import { isCallExpression, isIdentifier, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import { descendants, lineAt } from './syntax.ts';

export interface MeasuredFunction {
  name: string;
  line: number;
  /** From the first to the last line, without the bodies of functions in it and descriptors in `endpoint({…})`. */
  lines: number;
  /** With the functions in it. In a test file, where they are tests, the same as `lines`. */
  linesWithNested: number;
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

/** Measures every function, alone and together with those in it. Descriptors in `endpoint({…})` are data and do not count. */
export function functionsIn(file: SourceFile, path: string): MeasuredFunction[] {
  const isTest = path.endsWith('.test.ts');
  const functions = descendants(file).filter(isFunction);
  return functions.map((node) => {
    const name = nameOf(node);
    const without = (parts: readonly Node[]): number =>
      1 + linesSpanned(node) - parts.reduce((sum, part) => sum + linesSpanned(part), 0);
    const lines = without(outermostParts(node, true));
    const linesWithNested = isTest ? lines : without(outermostParts(node, false));
    return { name, line: lineAt(file, node.getStart(file)), lines, linesWithNested };
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

/** The parts of a function that do not count: descriptors, and the bodies of functions in it if they count alone. */
function outermostParts(node: Node, functionsToo: boolean): Node[] {
  const parts: Node[] = [];
  const visit = (child: Node): void => {
    if (functionsToo && isFunction(child)) parts.push((child as Node & { body?: Node }).body ?? child);
    else if (isCallExpression(child) && isIdentifier(child.expression) && child.expression.text === 'endpoint')
      parts.push(child);
    else child.forEachChild(visit);
  };
  node.forEachChild(visit);
  return parts;
}
