import { appendFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** A failure as it happens, whose file is noted for `run.ts`. Node's own report waits for the files before it, and for the end with the reason. */
function failureOf(event: TestEvent): string {
  if (event.type !== 'test:complete' || event.data.details.passed) return '';
  const { name, file, line, todo, details } = event.data;
  const error = details.error as (Error & { failureType?: string }) | undefined;
  if (todo !== undefined || error?.failureType === 'subtestsFailed') return '';
  if (process.env.SIGNET_TEST_FAILED) appendFileSync(process.env.SIGNET_TEST_FAILED, `${file}\n`);
  return `\nFAILED ${file}:${line} ${name}\n${inspect(error?.cause ?? error)}\n\n`;
}

/** Node's own report, with each failure at once. A run without any test fails; Node calls it a success. */
// biome-ignore lint/style/noDefaultExport: the form Node's test runner loads.
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let executed = 0;
  async function* counted(): AsyncGenerator<TestEvent> {
    for await (const event of source) {
      process.stdout.write(failureOf(event));
      // The summary of one file. The summary of all files counts a file without tests as a test.
      if (event.type === 'test:summary' && event.data.file)
        executed += event.data.counts.tests - event.data.counts.skipped;
      yield event;
    }
  }
  yield* Readable.from(counted()).pipe(new spec());
  if (executed > 0) return;
  process.exitCode = 1;
  yield 'FAILED: no test was executed\n';
}
