import type { Endpoint, Reply } from '../api/endpoint.ts';
import { ApiError } from '../api/errors.ts';
import { lazy } from '../base/lazy.ts';
import { nearestWord } from '../base/nearest-word.ts';
import { documentReply, type StaticDocument, staticDocument } from '../http/pipeline/static-document.ts';
import { type Document, type DocumentSources, documentSources, listDocuments } from './documents.ts';

type DocumentReply = Reply<200, Buffer> | Reply<304, null>;

/** The documents as they are sent. Each is made once, when it is first asked for. */
export class ServedDocuments {
  readonly sources: () => DocumentSources;
  readonly #documents = lazy(() => listDocuments(this.sources()));
  readonly #sent = new Map<string, StaticDocument>();

  /** @param endpoints all endpoints of the service */
  constructor(endpoints: () => readonly Endpoint[], baseUrl: () => string) {
    this.sources = lazy(() => documentSources(endpoints(), baseUrl()));
  }

  /** @param path one of {@link listDocuments} */
  async reply(path: string, header: (name: string) => string | undefined): Promise<DocumentReply> {
    let document = this.#sent.get(path);
    if (!document) {
      const { type, make } = this.#documents().get(path) as Document;
      document = staticDocument(await make(), type);
      this.#sent.set(path, document);
    }
    return documentReply(document, header) as DocumentReply;
  }
}

/** @throws ApiError `not_found` with the known name that is most like it */
export function requireName(
  kind: 'job' | 'operation' | 'page' | 'tag',
  given: string,
  known: readonly string[],
): string {
  const isMeant = (name: string) => (kind === 'tag' ? name.toLowerCase() === given.toLowerCase() : name === given);
  const found = known.find(isMeant);
  if (found !== undefined) return found;
  const suggestion = nearestWord(given, known);
  const message = `There is no ${kind} of this name. Did you mean ${suggestion}?`;
  throw new ApiError('not_found', { message, fields: { suggestion } });
}
