import { escaped } from '../../api/page-frame.ts';
import { readPage } from './asset-files.ts';
import type { ConsoleEntry, ConsoleTree } from './console-tree.ts';

/** The pages that a script fills. Each shows its frame before the script has come. */

const brand = (size: number): string =>
  `<a class="brand" href="/"><img src="/assets/seal.svg" alt="" width="${size}" height="${size}">Signet</a>`;

const LOADING =
  '<div class="skeleton" role="status"><span class="visually-hidden">Loading</span><i></i><i></i><i></i></div>';

/** As the script draws them, `frame` in `ui/frame.ts` and `card` in `parts/card-part.ts`, so that nothing moves then. */
const FRAMES = {
  desk: `<div class="desk served"><header class="rail">${brand(30)}</header><main id="main">${LOADING}</main></div>`,
  card: `<div class="centred served"><main class="card">${brand(44)}${LOADING}</main></div>`,
} as const;

/** Fills in the addresses of the console's files. All modules load at once, not one import after the other. */
function withFiles(html: string, tree: ConsoleTree, entry: ConsoleEntry): string {
  const { styles, script, modules } = tree.filesOf(entry);
  const lines = [
    ...styles.map((path) => `<link rel="stylesheet" href="${path}">`),
    ...modules.map((path) => `<link rel="modulepreload" href="${path}">`),
    `<script type="module" src="${script}"></script>`,
  ];
  return html.replace('<!-- files -->', lines.join('\n    '));
}

/**
 * A page of the console: the same document, with another entry and title.
 * @param content what the script reads from the document, as HTML
 */
export const consolePage = (
  tree: ConsoleTree,
  entry: Exclude<ConsoleEntry, 'front'>,
  title: string,
  { frame = 'card', content = '' }: { frame?: keyof typeof FRAMES; content?: string } = {},
): string =>
  withFiles(readPage('console'), tree, entry)
    .replace('{title}', `${title} · Signet`)
    .replace('{frame}', FRAMES[frame])
    .replace('{content}', content);

export const frontPage = (tree: ConsoleTree, baseUrl: string): string =>
  withFiles(readPage('landing'), tree, 'front').replace('{base_url}', escaped(baseUrl));
