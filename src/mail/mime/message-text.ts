import { readLinearly } from './html-text.ts';
import { CappedMime } from './mime-capped.ts';

/**
 * The words of a message inside a message, decoded as those of a mail are: its subject, text and HTML, and its attachments.
 * @param textOf what is read of an attachment
 */
export async function messageText(
  raw: Uint8Array<ArrayBuffer>,
  textOf: (file: { filename: string; contentType: string; content: Uint8Array<ArrayBuffer> }) => Promise<string>,
): Promise<string> {
  const email = await new CappedMime().parse(raw);
  const html = readLinearly(email.html ?? '', raw.length);
  const texts = [email.subject ?? '', email.text ?? '', html.text, html.unseen];
  for (const { filename, mimeType: contentType, content } of email.attachments) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    texts.push(await textOf({ filename: filename ?? '', contentType, content: new Uint8Array(bytes) }));
  }
  return texts.join('\n');
}
