import { lazy } from '../../base/lazy.ts';
import { feature } from '../../feature.ts';
import { readConsoleTree } from './console-tree.ts';
import { consolePage } from './page-routes.ts';

/** Once for all services of a process, of which tests have many, and not before a page is opened. */
const consoleTree = lazy(readConsoleTree);

const PLACE = '{content}';

/** The files of the console, for the features that have pages of it. */
export const consoleFeature = feature('console', () => {
  const consent = lazy(() => consolePage(consoleTree(), 'consent', 'Allow an application?', PLACE));
  return {
    provides: {
      consoleTree,
      /** The page of the consent to an application. `asked`: what it asks for, as HTML. */
      // A function: in a text, `$&` would stand for what is replaced.
      consentPage: (asked: string): string => consent().replace(PLACE, () => asked),
    },
  };
});
