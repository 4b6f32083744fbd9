import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetMessageReply, GetThreadReply } from '../../../../client/generated/operations.ts';
import { size, time } from '../../ui/format.ts';
import { onPress } from '../../ui/handlers.ts';
import { action, copyable } from '../../ui/kit/action.ts';
import type { Pictures } from '../../ui/mail/mail-copy.ts';
import { mailFrame, SAFE_NOTE } from '../../ui/mail/mail-frame.ts';
import { confirmed, copy, download, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { labelBar } from './mail-label-part.ts';
import { moveButtons } from './mail-list-part.ts';
import { picturesOf, type Remote, remoteOf } from './mail-pictures.ts';
import { remotePictures } from './mail-remote-part.ts';

/** One message: who sent it and whether that is proven, its code, links, text, HTML, attachments, and its conversation. */

export interface OpenMessage {
  message: GetMessageReply;
  thread: GetThreadReply | null;
  /** Whether the HTML part is shown. */
  isHtml: boolean;
  /** The pictures of the HTML part, once it was shown. */
  pictures: Pictures | null;
  /** The pictures of other hosts, once the HTML was shown. */
  remote: Remote | null;
}

export interface MessagePlace {
  /** The address that received it. */
  address: string;
  folder: string;
  /** What is open is a conversation, as its list shows it. */
  isThread: boolean;
  /** The list, and what is done with the message. */
  link(action?: string): string;
}

export async function readMessage(
  workspace: Workspace,
  { address, folder }: Pick<MessagePlace, 'address' | 'folder'>,
  id: string,
): Promise<OpenMessage> {
  const message = await workspace.service.getMessage({
    id,
    address,
    include: 'hidden',
    ...(folder === 'trash' ? { folder } : {}),
  });
  const { thread_id: thread } = message;
  return {
    message,
    thread: thread === null ? null : await workspace.service.getThread({ id: thread }).catch(() => null),
    isHtml: false,
    pictures: null,
    remote: null,
  };
}

function proof({ method, spf, dkim, dmarc, verified_from: isProven }: GetMessageReply['auth']): TemplateResult {
  if (method === 'internal') return html`<span class="badge good">From an agent of this service</span>`;
  const results = `SPF ${spf ?? 'none'}, DKIM ${dkim ?? 'none'}, DMARC ${dmarc ?? 'none'}`;
  return html`<span class="badge ${isProven ? 'good' : 'warn'}" title=${results}>${isProven ? 'Sender verified' : 'Sender not verified'}</span>`;
}

const VERDICTS = { suspicious: 'Suspicious', dangerous: 'Dangerous' };

function warning({ safety }: GetMessageReply): TemplateResult | typeof nothing {
  if (safety === null || safety.verdict === 'clean') return nothing;
  const list = [...new Set(safety.signals.map(({ name }) => name.replaceAll('_', ' ')))].join(', ');
  return html`<p class="banner ${safety.verdict === 'dangerous' ? 'danger' : ''}"><strong>${VERDICTS[safety.verdict]}.</strong> Signs: ${list}. Do not follow its links or instructions without checking.</p>`;
}

function codeChip({ code }: GetMessageReply): TemplateResult | typeof nothing {
  if (code === null) return nothing;
  const { code: found, sender, candidates } = code;
  if (found === null) return html`<p class="fine">Several codes fit: ${candidates.join(', ')}</p>`;
  return html`
    <p class="code-chip">
      <span>Code</span> ${copyable('code', found)}
      <span class="fine">from ${sender.domain}</span>
    </p>`;
}

type MailLink = NonNullable<GetMessageReply['links']>[number];

/** Shows where a link leads before it opens. Only web addresses open, without a way back to this page. */
async function follow({ url, host, mismatch }: MailLink): Promise<void> {
  if (!/^https?:\/\//i.test(url)) return copy(url);
  const isWanted = await confirmed(
    `Open ${host}?`,
    html`The link leads to ${url}${mismatch ? html`<br><strong>Its text names another host than its target.</strong>` : nothing}`,
    `Open ${host}`,
  );
  if (isWanted) globalThis.open(url, '_blank', 'noopener,noreferrer');
}

const links = ({ links: all }: GetMessageReply): TemplateResult | typeof nothing =>
  all === null || all.length === 0
    ? nothing
    : html`
        <section class="message-links" aria-labelledby="links">
          <h3 id="links">Links</h3>
          <ul>${all.map(
            (one) =>
              html`<li><button type="button" class="link" @click=${onPress(() => follow(one))}>${one.text || one.url}</button> <span class="fine">${one.host}</span></li>`,
          )}</ul>
        </section>`;

/** What a person would see, and below it what the sender hides from a reader. */
const plainText = ({
  text,
  body,
  hidden_text: hidden,
  hidden_text_chars: chars,
}: GetMessageReply): TemplateResult => html`
  <div class="message-text">${(text ?? body) || '(no text)'}</div>
  ${hidden ? html`<div class="unseen"><strong>Hidden by the sender</strong><div class="message-text">${hidden}${chars !== null && chars > hidden.length ? ' …' : ''}</div></div>` : nothing}`;

function content(workspace: Workspace, address: string, open: OpenMessage): TemplateResult {
  const { message } = open;
  if (message.e2e_encrypted)
    return html`<p class="sealed">This message is encrypted. Only the agent with the key of this address can read it.</p>`;
  const flip = async (): Promise<void> => {
    open.pictures ??= await picturesOf(workspace, address, message);
    open.remote ??= remoteOf(message);
    open.isHtml = !open.isHtml;
    workspace.repaint();
  };
  const { html: markup } = message;
  return html`
    ${open.isHtml && markup !== null ? frameOf(message.message_id, markup, open.pictures ?? NONE) : plainText(message)}
    ${
      markup === null
        ? nothing
        : html`<p class="fine"><button type="button" class="link" aria-expanded=${open.isHtml} @click=${onPress(flip)}>${open.isHtml ? 'Show the plain text' : 'Show the HTML part'}</button> ${SAFE_NOTE}</p>${open.isHtml ? remotePictures(workspace, address, open) : nothing}`
    }`;
}

const NONE: Pictures = new Map();

/** The frame is made once for a message: making it again would lose its scroll position with every change of the page. */
let framed: { id: string; pictures: Pictures; frame: HTMLIFrameElement } | null = null;

function frameOf(id: string, markup: string, pictures: Pictures): HTMLIFrameElement {
  if (framed?.id !== id || framed.pictures !== pictures) framed = { id, pictures, frame: mailFrame(markup, pictures) };
  return framed.frame;
}

function files(
  workspace: Workspace,
  address: string,
  { message_id: id, attachments }: GetMessageReply,
): TemplateResult | typeof nothing {
  if (attachments.length === 0) return nothing;
  const rows = attachments.map((file, n) => {
    const name = file.filename ?? `attachment-${n + 1}`;
    const save = async (): Promise<void> =>
      download((await workspace.service.getAttachment({ id, address, n })) as BlobPart, name);
    return html`<li><button type="button" class="link" @click=${onPress(save)}>${name}</button> ${size(file.size)}</li>`;
  });
  return html`<ul class="files" aria-label="Attachments">${rows}</ul>`;
}

function conversation({ message, thread }: OpenMessage): TemplateResult | typeof nothing {
  const others = (thread?.messages ?? []).filter(
    (one) => one.direction === 'sent' || one.message_id !== message.message_id,
  );
  if (others.length === 0) return nothing;
  return html`
    <section aria-labelledby="thread">
      <h3 id="thread">Conversation</h3>
      ${others.map(
        (one) => html`
          <details class="thread-part">
            <summary>${one.direction === 'sent' ? `You, to ${one.to.join(', ')}` : (one.from_name ?? one.from)}
              · ${time(one.direction === 'sent' ? one.queued_at : one.received_at, 'short')} <span class="fine">${one.snippet}</span></summary>
            <div class="message-text">${one.text ?? one.snippet}</div>
          </details>`,
      )}
    </section>`;
}

/** The policy names whom an account never hears from again. */
async function block(workspace: Workspace, sender: string): Promise<void> {
  const { inbound } = await workspace.service.getMailPolicy({});
  const change = (list: string[]) => workspace.service.setMailPolicy({ inbound: { block: list } });
  await change([...new Set([...inbound.block, sender.toLowerCase()])]);
  toast(`${sender} is blocked. Its mail is rejected.`, { undo: async () => void (await change(inbound.block)) });
}

function tools(workspace: Workspace, at: MessagePlace, { message, thread }: OpenMessage): TemplateResult {
  const { message_id: id, read, starred, archived } = message;
  const isThread = at.isThread && thread !== null;
  const row = {
    id: isThread ? thread.thread_id : id,
    isThread,
    address: at.address,
    isArchived: archived,
    isStarred: starred,
    isUnread: !read,
  };
  return html`
    <div class="actions message-tools">
      ${
        at.folder === 'trash'
          ? nothing
          : html`
              <a class="button primary" href=${at.link('reply')}>Reply</a>
              <a class="button" href=${at.link('reply-all')}>Reply all</a>
              ${message.e2e_encrypted ? nothing : html`<a class="button" href=${at.link('forward')}>Forward</a>`}`
      }
      ${moveButtons(workspace, at.folder, () => [row], {
        // What stays in its place stays open.
        after: (move) => (move === 'star' || move === 'unstar' ? workspace.refresh() : workspace.go(at.link())),
        entries: action('Block sender', () => block(workspace, message.from), { kind: 'quiet' }),
        isOne: true,
      })}
    </div>`;
}

export function messageView(workspace: Workspace, at: MessagePlace, open: OpenMessage): TemplateResult {
  const { message } = open;
  const sender = message.from_name ? `${message.from_name} <${message.from}>` : message.from;
  return html`
    <article class="message">
      <header class="message-head">
        <a class="back" href=${at.link()}>← All messages</a>
        <h2 tabindex="-1" data-focus>${message.subject || '(no subject)'}</h2>
        <p class="message-from">${sender} ${proof(message.auth)}</p>
        <p class="fine">to ${message.to}${message.cc.length > 0 ? `, cc ${message.cc.join(', ')}` : ''} · ${time(message.received_at)}</p>
      </header>
      ${tools(workspace, at, open)} ${labelBar(workspace, at.address, open)} ${warning(message)} ${codeChip(message)} ${content(workspace, at.address, open)}
      ${message.problem ? html`<p class="fine">Part of this message is not shown: ${message.problem}.</p>` : nothing}
      ${files(workspace, at.address, message)} ${links(message)} ${conversation(open)}
    </article>`;
}
