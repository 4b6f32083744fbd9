import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';

/** `7 min 3 s`. */
function wallTime(): string {
  // Since the runner's process started.
  const seconds = Math.round(performance.now() / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Node's own report, with the time of the whole run before the summary. A run without any test fails; Node calls it a
 * success.
 */
// biome-ignore lint/style/noDefaultExport: the form Node's test runner loads.
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let executed = 0;
  async function* counted(): AsyncGenerator<TestEvent> {
    for await (const event of source) {
      // The summary of one file. The summary of all files counts a file without tests as a test.
      if (event.type === 'test:summary' && event.data.file)
        executed += event.data.counts.tests - event.data.counts.skipped;
      // The first line of the summary.
      if (event.type === 'test:diagnostic' && event.data.nesting === 0 && /^tests \d+$/.test(event.data.message))
        yield { ...event, data: { ...event.data, message: `whole run: ${wallTime()}` } };
      yield event;
    }
  }
  yield* Readable.from(counted()).pipe(new spec());
  if (executed > 0) return;
  process.exitCode = 1;
  yield 'FAILED: no test was executed\n';
}
