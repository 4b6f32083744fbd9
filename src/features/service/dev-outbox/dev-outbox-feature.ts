import { join } from 'node:path';
import { type FeatureContext, feature } from '../../../feature.ts';
import { MimeParser } from '../../../mail/reading/mime-parser.ts';
import { devOutboxRoutes } from './dev-outbox-routes.ts';
import { KeptMails } from './kept-mails.ts';

/** The mails of a development server in a browser. Servers that send mail have no such pages. */
export const devOutboxFeature = feature('dev-outbox', ({ config, overrides }: FeatureContext) => {
  const keepsMail = config.development && config.delivery === 'file';
  const parser = new MimeParser({ deadlineMs: overrides.readingMs });
  return {
    pages: keepsMail ? devOutboxRoutes(new KeptMails(join(config.dataDir, 'outbox'), parser)) : [],
    stop: () => parser.close(),
    provides: { keepsMail },
  };
});
