const LINE_BYTES_MAX = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** In the place of a line of more than 16 MiB. */
export const TOO_LONG = Symbol('too long');

/**
 * The lines of a stream, without their ends. Only a line feed ends one: JSON may hold U+2028 and U+2029, which
 * `node:readline` takes for ends of lines.
 */
export async function* linesOf(input: NodeJS.ReadableStream): AsyncGenerator<string | typeof TOO_LONG> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > LINE_BYTES_MAX) parts = [];
    else parts.push(part);
  };
  const take = (): string | typeof TOO_LONG => {
    const line = size > LINE_BYTES_MAX ? TOO_LONG : Buffer.concat(parts).toString('utf8');
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      add(bytes.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(bytes.subarray(start));
  }
  if (size > 0) yield take();
}
