import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';

/** Node's own report. A run that executed no test fails, which Node calls a success. */
// biome-ignore lint/style/noDefaultExport: the form Node's test runner loads.
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let executed = 0;
  async function* counted(): AsyncGenerator<TestEvent> {
    for await (const event of source) {
      // Of one file; the summary of all counts a file without tests as a test.
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
