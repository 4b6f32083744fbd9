import { readFileSync } from 'node:fs';
import { PACKAGE_NAME } from '../../src/client/package-name.ts';

/** The JavaScript of the pages in `docs/`, for the tests that run it. */

/** The blocks of a page in a language, oldest first. @param page its path below the root of the repository */
export const programsOf = (page: string, language = 'js'): string[] => {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
};

type Names = Readonly<Record<string, unknown>>;

interface Program {
  /** What the page takes as known, by name. */
  given?: Names;
  /** Modules in place of those that the program imports. */
  modules?: Readonly<Record<string, Names>>;
  /** The names that the caller wants to look at. */
  wanted?: readonly string[];
}

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<Names>;

/** Runs a program of a page in this process. @returns what the names of `wanted` stand for at its end */
export function runProgram(code: string, { given = {}, modules = {}, wanted = [] }: Program): Promise<Names> {
  const body = code.replace(
    /^import \{([^}]*)\} from '([^']+)';.*$/gm,
    (_, names: string, from: string) => `const {${names.replaceAll(' as ', ': ')}} = await load('${from}');`,
  );
  const load = (name: string): Promise<Names> | Names =>
    modules[name] ?? (name === PACKAGE_NAME ? import('../../src/client/client.ts') : import(name));
  const run = new AsyncFunction('load', ...Object.keys(given), `${body}\nreturn { ${wanted.join(', ')} };`);
  return run(load, ...Object.values(given));
}
