/** Rewrites openapi.json from the endpoint table: `sh bin/node docs/generate-openapi.ts`. */
import { writeFileSync } from 'node:fs';
import { documentText } from '../test/contract-document.ts';
import { startTestApp } from '../test/harness.ts';

const t = await startTestApp('sqlite');
writeFileSync(new URL('openapi.json', import.meta.url), documentText(t.app.endpoints));
await t.stop();
