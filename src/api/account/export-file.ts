import type { Reader } from '../transaction.ts';

/** A file of an export. Its content is read while it is sent, a page at a time. */
export interface ExportFile {
  /** Its path in the archive, such as `vault_versions.json`. */
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/** What a feature adds to the export of an account. Never a secret, and never the hash of one. */
export interface ExportPart {
  /** The tables that it exports. A test compares them with the schema. */
  tables: readonly string[];
  /** The JSON Schemas of its JSON files, by name. */
  schemas: Readonly<Record<string, object>>;
  files(reader: Reader, accountId: string): Promise<readonly ExportFile[]>;
}

/** Writes a JSON array, an item on each line, as its items come in. */
export async function* jsonArray(items: AsyncIterable<object> | Iterable<object>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let isFirst = true;
  for await (const item of items) {
    yield encoder.encode(`${isFirst ? '[\n' : ',\n'}${JSON.stringify(item)}`);
    isFirst = false;
  }
  yield encoder.encode(isFirst ? '[]\n' : '\n]\n');
}

/** The schema of a file that holds an array of such items. */
export const arrayOf = (properties: Readonly<Record<string, object>>): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'array',
  items: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});
