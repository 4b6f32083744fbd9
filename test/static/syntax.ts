import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/async';
import { createVirtualFileSystem } from 'typescript/unstable/fs';

/** Source text by path relative to the repository, `src/base/ids.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** Reads the project's own sources. @throws Error if there are none, so that no rule passes on an empty list */
export function readSources(pattern: string): Sources {
  const cwd = path.join(import.meta.dirname, '../..');
  const paths = globSync(pattern, { cwd });
  if (paths.length === 0) throw new Error(`no file matches ${pattern}`);
  return new Map(paths.sort().map((name) => [name, readFileSync(path.join(cwd, name), 'utf8')]));
}

// A project in memory, so that a test can parse sources that are not on disk.
const root = '/memory';
const project = `${root}/tsconfig.json`;
const compilerOptions = { noLib: true, noResolve: true, types: [], allowImportingTsExtensions: true, noEmit: true };

/**
 * Parses with the compiler that checks the project, 0.3 s for 200 files. Its syntax tree is marked unstable upstream.
 * We pin the version, and only this file starts it.
 * @throws {Error} with the first file that is not TypeScript, because half a tree could pass rules that it should fail
 */
export async function parse(sources: Sources): Promise<ReadonlyMap<string, SourceFile>> {
  const disk: Record<string, string> = { [project]: JSON.stringify({ compilerOptions, include: ['**/*.ts'] }) };
  for (const [name, text] of sources) disk[`${root}/${name}`] = text;
  const api = new API({ cwd: root, fs: createVirtualFileSystem(disk) });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [project] });
    const program = snapshot.getProject(project)?.program;
    const error = (await program?.getSyntacticDiagnostics())?.[0];
    if (error) throw new Error(`${error.fileName?.slice(root.length + 1)} does not parse: ${error.text}`);
    const read = async (name: string): Promise<[string, SourceFile]> => {
      const file = await program?.getSourceFile(`${root}/${name}`);
      if (!file) throw new Error(`${name} is not in the program`);
      return [name, file];
    };
    return new Map(await Promise.all([...sources.keys()].map(read)));
  } finally {
    await api.close();
  }
}

/** Every node below `node`, parents first. */
export function descendants(node: Node): Node[] {
  const found: Node[] = [];
  const visit = (child: Node): void => {
    found.push(child);
    child.forEachChild(visit);
  };
  node.forEachChild(visit);
  return found;
}

/** 1-based line of a position. */
export const lineAt = (node: Node, position: number): number =>
  node.getSourceFile().getLineAndCharacterOfPosition(position).line + 1;

/** Resolves an import: `./ids.ts` in `src/base/page.ts` is `src/base/ids.ts`. Undefined for a package. */
export const resolveImport = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : undefined;
