import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetMessageReply } from '../../../../client/generated/operations.ts';
import { onPress } from '../../ui/handlers.ts';
import type { Pictures } from '../../ui/mail/mail-copy.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { type Remote, withRemote } from './mail-pictures.ts';

/** The pictures of a mail that are on other hosts: loaded only when a person asks, because their hosts learn of it. */

interface Opened {
  message: GetMessageReply;
  pictures: Pictures | null;
  remote: Remote | null;
}

export function remotePictures(workspace: Workspace, address: string, open: Opened): TemplateResult | typeof nothing {
  const { message, remote } = open;
  // Like its attachments, the pictures of a mail in the trash come back with it.
  if (remote === null || remote.urls.length === 0 || message.folder === 'trash') return nothing;
  const { urls, hosts, loaded } = remote;
  if (loaded !== null)
    return html`<p class="fine" id="pictures-loaded">${loaded} of ${urls.length} pictures on other hosts were loaded, through this service.</p>`;
  const load = async (): Promise<void> => {
    const before = open.pictures ?? new Map<string, string>();
    const pictures = await withRemote(workspace, address, message.message_id, { urls, pictures: before });
    open.pictures = pictures;
    open.remote = { ...remote, loaded: urls.filter((url) => pictures.has(url)).length };
    workspace.repaint();
  };
  return html`
    <p class="fine">Pictures on other hosts, not loaded: ${urls.length}, from ${hosts.join(', ')}. Loading them tells these hosts that the mail is read, but not by whom.
      <button type="button" class="link" id="load-pictures" @click=${onPress(load)}>Load the pictures</button></p>`;
}
