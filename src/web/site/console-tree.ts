import type { StaticDocument } from '../../http/pipeline/static-document.ts';

/** The files of the console, which come from its sources or from a build. */

/** What a page loads first: a module of `src/web/console/entries`. */
export type ConsoleEntry = 'admin' | 'consent' | 'console' | 'front' | 'links';

/** The addresses of what a page loads at once, so that it does not wait for one import after the other. */
export interface PageFiles {
  styles: string[];
  script: string;
  /** All that the script imports. */
  modules: string[];
}

export interface ConsoleTree {
  /** A hash of all files. It is part of every address, so that a browser never mixes two versions. */
  hash: string;
  filesOf(entry: ConsoleEntry): PageFiles;
  file(folder: string, name: string): StaticDocument | undefined;
}

export const FILE_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The styles of a page of the console and of the front page, in their order. */
export const PAGE_STYLES = {
  console: ['signet.css', 'frame.css', 'kit.css', 'pages.css'],
  front: ['signet.css', 'front.css'],
} as const;

/** Which of them an entry has. */
export const stylesOf = (entry: ConsoleEntry): keyof typeof PAGE_STYLES => (entry === 'front' ? 'front' : 'console');
