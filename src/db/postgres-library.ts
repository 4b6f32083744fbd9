import { createRequire } from 'node:module';
import type pg from 'pg';
import { lazy } from '../base/lazy.ts';

const require = createRequire(import.meta.url);

/** The driver. A service on SQLite does without. */
export const postgresLibrary = lazy(() => require('pg') as typeof pg);
