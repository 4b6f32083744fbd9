import { lazy } from '../../base/lazy.ts';
import { PAGE_HEADERS } from '../../http/pipeline/page-headers.ts';
import { documentReply, type StaticDocument } from '../../http/pipeline/static-document.ts';
import { consolePage } from './console-page.ts';
import type { ConsoleTree } from './console-tree.ts';

const IN_TREE = /^\/assets\/([0-9a-f]{16})\/([a-z]+)\/([\w.-]+)$/;
const ASSET = /^\/assets\/([\w.-]+)$/;

/**
 * The pages for the service's operator, for the server of `ADMIN_PORT`: the page, the modules of the console and the assets
 * that it names, and nothing else.
 */
export function createAdminSite(tree: () => ConsoleTree, assetNamed: (name: string) => StaticDocument | undefined) {
  const html = lazy(() => consolePage(tree(), 'admin', 'Service'));
  return {
    /** @returns null: there is no such file */
    file(path: string, header: (name: string) => string | undefined) {
      if (path === '/' || path === '/admin')
        return { status: 200, headers: { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' }, body: html() };
      const [, hash, folder = '', name = ''] = IN_TREE.exec(path) ?? [];
      const module = hash === tree().hash ? tree().file(folder, name) : undefined;
      if (module) return documentReply(module, header);
      const asset = assetNamed(ASSET.exec(path)?.[1] ?? '');
      if (!asset) return null;
      const { status, headers, body } = documentReply(asset, header);
      return { status, headers: { ...headers, 'x-content-type-options': 'nosniff' }, body };
    },
  };
}
