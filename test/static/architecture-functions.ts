import {
  isCallExpression,
  isIdentifier,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { descendants, lineAt } from './syntax.ts';

export interface MeasuredFunction {
  name: string;
  line: number;
  /** Counted as architecture says: everything, or for a factory only what is its own. */
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

/** Functions at the top level whose work is to hold other functions. */
const FACTORY = /^create[A-Z]|(Rules|Routes|Store)$/;

/**
 * Measures every function. A factory, and in a test file every function (`describe` holds tests as a factory holds
 * methods), is charged only for its own lines: not for the bodies of the functions in it, which are measured by
 * themselves, nor for the descriptor in `endpoint({…})`, which is data.
 */
export function functionsIn(file: SourceFile, isTest: boolean): MeasuredFunction[] {
  const functions = descendants(file).filter(isFunction);
  return functions.map((node) => {
    const name = nameOf(node);
    const holdsOthers = isTest || (isTopLevel(node) && FACTORY.test(name));
    const held = holdsOthers ? outermostParts(node) : [];
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

function isTopLevel(node: Node): boolean {
  // const f = () => …: declaration, list of declarations, statement, file.
  const statement = isVariableDeclaration(node.parent) ? node.parent.parent.parent : node;
  return statement.parent.kind === SyntaxKind.SourceFile;
}

/** The bodies of functions, and descriptors, that are in `node` but in no other such part. */
function outermostParts(node: Node): Node[] {
  const parts: Node[] = [];
  const visit = (child: Node): void => {
    if (isFunction(child)) parts.push((child as Node & { body?: Node }).body ?? child);
    else if (isCallExpression(child) && isIdentifier(child.expression) && child.expression.text === 'endpoint')
      parts.push(child);
    else child.forEachChild(visit);
  };
  node.forEachChild(visit);
  return parts;
}
