import { join } from 'node:path';
import { lazy } from '../../base/lazy.ts';
import { feature } from '../../feature.ts';
import { readBuiltTree } from './built-tree.ts';
import { consolePage } from './console-page.ts';
import { readSourceTree } from './source-tree.ts';

/** A built service runs as JavaScript, and has the build of its pages beside it. */
const isBuilt = import.meta.filename.endsWith('.js');

/** Once for all services of a process, of which tests have many, and not before a page is opened. */
const consoleTree = lazy(() => (isBuilt ? readBuiltTree(join(import.meta.dirname, '../web')) : readSourceTree()));

const PLACE = '{content}';

/** The files of the console, for the features that have pages of it. */
export const consoleFeature = feature('console', () => {
  const consent = lazy(() => consolePage(consoleTree(), 'consent', 'Let an application in?', { content: PLACE }));
  return {
    provides: {
      consoleTree,
      /** The page of the consent to an application. `asked`: what it asks for, as HTML. */
      // A function: in a text, `$&` would stand for what is replaced.
      consentPage: (asked: string): string => consent().replace(PLACE, () => asked),
    },
  };
});
