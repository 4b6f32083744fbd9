/**
 * Rewrites what is made from the endpoint table, openapi.json and the client's operations:
 * `sh bin/node docs/generate-openapi.ts`.
 */
import { writeFileSync } from 'node:fs';
import { clientSource } from '../test/contract/client-source.ts';
import { documentText } from '../test/contract/contract-document.ts';
import { startTestApp } from '../test/support/harness.ts';

const t = await startTestApp('sqlite');
writeFileSync(new URL('openapi.json', import.meta.url), documentText(t.app.endpoints));
writeFileSync(new URL('../src/client/operations.ts', import.meta.url), clientSource(t.app.endpoints));
await t.stop();
