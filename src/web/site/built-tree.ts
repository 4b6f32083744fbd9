import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { compressedDocument } from '../../http/pipeline/static-document.ts';
import { type ConsoleEntry, type ConsoleTree, FILE_TYPES, type PageFiles } from './console-tree.ts';

/** What `npm run build` writes about the files of `dist/web`, into `tree.json` beside them. */
export interface BuiltTree {
  hash: string;
  /** The names of all files. Each is there as it is, and as brotli (`.br`) and gzip (`.gz`). */
  files: string[];
  pages: Record<ConsoleEntry, PageFiles>;
}

/** Reads all files at once: a later build may take their place while the process runs. */
export function readBuiltTree(folder: string): ConsoleTree {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const { hash, files, pages }: BuiltTree = JSON.parse(read('tree.json').toString());
  const documents = new Map(
    files.map((name) => {
      const [br, gzip] = [read(`${name}.br`), read(`${name}.gz`)];
      const type = FILE_TYPES[extname(name)] ?? '';
      return [name, compressedDocument(read(name), type, { br: () => br, gzip: () => gzip })];
    }),
  );
  const at = (name: string): string => `/assets/${hash}/console/${name}`;
  return {
    hash,
    filesOf(entry) {
      const { styles, script, modules } = pages[entry];
      return { styles: styles.map(at), script: at(script), modules: modules.map(at) };
    },
    file: (of, name) => (of === 'console' ? documents.get(name) : undefined),
  };
}
