import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyWebhook } from '../../src/client/webhook-proof.ts';
import { hosted, type Run } from './command-line.ts';
import { JOB_NAMES, type JobName } from './job-names.ts';
