import { systemNow } from '../../../../client/client-clock.ts';
import type { GetDraftReply } from '../../../../client/generated/operations.ts';
import { hasCode, isSignedOut, isUnreachable, messageOf, refusedFields } from '../../ui/console-service.ts';
import { clockTime } from '../../ui/format.ts';
import { forgetText, type KeptText, keepsText, keepText, type Typed, writing } from '../../ui/kept-text.ts';
import { linkTo } from '../../ui/route.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { type Composed, entriesOf, inReplyTo, placeOf, startOf } from './mail-answer.ts';
import { type AttachedFile, chosenFile, FILES_MAX_BYTES, passedOnFiles } from './mail-attached.ts';
import { serviceClock } from './mail-leaving.ts';

/** A mail that is being written: where what is typed is kept, and as which draft. */

const KEEP_AFTER_MS = 300;
const SAVE_AFTER_MS = 2000;
/** When the service is away, and when it refuses. */
const AGAIN_MS = 5000;
const LATER_MS = 60_000;

/** What the service answers when the drafts of the account, or its storage, are full. */
const isFull = (err: unknown): boolean => hasCode(err, 'limit_reached', 'storage_full');

function fullText(err: unknown): string {
  if (hasCode(err, 'storage_full')) return 'The storage of this account is full.';
  const { used, max } = refusedFields(err, 'limit_reached').limit as { used: number; max: number };
  return `Your drafts are full (${used} of ${max}). Delete one to make room.`;
}

type Status = { kind: 'none' | 'kept' | 'saved' | 'problem'; text: string };

/** The texts that are being written, by account and place. Those that no draft holds stay until their page opens again. */
const open = new Map<string, Composer>();

export class Composer {
  readonly composed: Composed;
  fields: Typed;
  /** Those that the draft has, by name, as long as none is chosen here. */
  heldFiles: string[] = [];
  files: AttachedFile[] = [];
  status: Status = { kind: 'none', text: '' };
  /** Whether what was typed before was found again. */
  isRestored = false;
  /** When the draft leaves by itself, ISO 8601. */
  sendAt: string | null = null;
  draftId: string | null = null;
  #draftAt: string | null = null;
  /** Whether drafts are full, so that the mail can only leave at once. */
  isFull = false;
  /** Whether the fields Cc and Bcc show although they are empty. */
  areCopiesShown = false;
  workspace: Workspace;
  place: string;
  #isShown = false;
  #isDone = false;
  #areFilesNew = false;
  /** Counts the changes, and which of them a draft holds. */
  #revision = 0;
  #saved = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #saving: ReturnType<typeof setTimeout> | undefined;
  /** See {@link serviceClock}. */
  #clock: (ms: number) => string = () => '';

  constructor(workspace: Workspace, composed: Composed, kept: KeptText | null) {
    [this.workspace, this.composed] = [workspace, composed];
    this.place = kept?.place ?? placeOf(composed);
    this.fields = startOf(composed, workspace.account.addresses);
    if (composed.how === 'draft') this.#take(composed.draft);
    if (composed.how === 'forward') {
      this.files = passedOnFiles(workspace, composed.address, composed.answered);
      this.#areFilesNew = this.files.length > 0;
    }
    if (kept) this.#restore(kept);
  }

  get isNew(): boolean {
    return this.#revision > this.#saved;
  }

  get #name(): string {
    return `${this.workspace.account.id} ${this.place}`;
  }

  #register(): void {
    open.set(this.#name, this);
    writing.add(this);
  }

  #unregister(): void {
    open.delete(this.#name);
    writing.delete(this);
  }

  #restore(kept: KeptText): void {
    const { from, to, cc, bcc, subject, text } = kept;
    const message = 'answered' in this.composed ? this.composed.answered.message_id : null;
    // An answer to another message of the conversation, or to all instead of one, has its own recipients.
    const isSame = kept.how === this.composed.how && kept.message === message;
    this.fields =
      isSame || this.composed.how === 'draft' ? { from, to, cc, bcc, subject, text } : { ...this.fields, text };
    [this.draftId, this.#draftAt] = [kept.draftId, kept.draftAt];
    this.isRestored = true;
    if (!kept.isSaved || !isSame) this.#revision = 1;
    if (!kept.isSaved) this.status = { kind: 'kept', text: 'Kept in this browser' };
  }

  #take(draft: GetDraftReply): void {
    [this.draftId, this.#draftAt] = [draft.draft_id, draft.updated_at];
    this.sendAt = draft.status === 'scheduled' ? draft.send_at : null;
    this.heldFiles = (draft.attachments ?? []).map(({ filename }) => filename);
    this.#clock = serviceClock(draft.updated_at);
  }

  /** The time of the service in so many milliseconds. Only after {@link save}. */
  serviceTimeIn(ms: number): string {
    return this.#clock(ms);
  }

  /** Resolves when nothing is being saved. */
  async settled(): Promise<void> {
    clearTimeout(this.#saving);
    await this.#queue;
  }

  /** For the form: called when it appears, and when it goes. */
  readonly shown = (form?: Element): void => {
    this.#isShown = form !== undefined;
    const listen = this.#isShown ? globalThis.addEventListener : globalThis.removeEventListener;
    listen.call(globalThis, 'pagehide', this.#keepNow);
    listen.call(globalThis, 'beforeunload', this.#warn as EventListener);
    listen.call(globalThis, 'online', this.#saveSoon);
    if (form === undefined) {
      this.#leave();
      return;
    }
    this.#register();
    // An answer begins above what it quotes.
    queueMicrotask(() => form.querySelector('textarea')?.setSelectionRange(0, 0));
    if (this.isNew) this.#saveSoon();
  };

  /** Takes what the form says. */
  readonly typed = (event: Event): void => {
    const control = event.target as HTMLInputElement;
    if (!(control.name in this.fields)) return;
    this.change({ [control.name]: control.value });
  };

  change(fields: Partial<Typed>): void {
    this.fields = { ...this.fields, ...fields };
    this.#changed();
  }

  addFiles(chosen: Iterable<File>): void {
    const files = [...this.files, ...[...chosen].map(chosenFile)];
    if (files.reduce((sum, { size }) => sum + size, 0) > FILES_MAX_BYTES)
      throw new Error('The attachments are larger than 25 MB together.');
    this.#setFiles(files);
  }

  removeFile(file: AttachedFile): void {
    this.#setFiles(this.files.filter((one) => one !== file));
  }

  /** Takes away the files that the draft has. */
  removeHeld(): void {
    this.heldFiles = [];
    this.#setFiles([]);
  }

  #setFiles(files: AttachedFile[]): void {
    this.files = files;
    this.#areFilesNew = true;
    this.#changed();
    this.workspace.repaint();
  }

  #changed(): void {
    this.#revision += 1;
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(this.#keepNow, KEEP_AFTER_MS);
    this.#saveSoon();
  }

  readonly #saveSoon = (): void => this.#saveIn(this.isFull ? LATER_MS : SAVE_AFTER_MS);

  #saveIn(ms: number): void {
    clearTimeout(this.#saving);
    if (!this.#isDone) this.#saving = setTimeout(() => void this.save().catch(this.failed), ms);
  }

  /** Writes it into the storage of this browser. */
  readonly #keepNow = (): boolean => {
    clearTimeout(this.#keeping);
    if (this.#isDone || (this.#revision === 0 && this.draftId === null)) return keepsText();
    const { composed, place, draftId } = this;
    // The draft has it, and opens by its own address.
    if (!this.isNew && place.startsWith('draft ')) {
      forgetText(this.workspace.account.id, place);
      return true;
    }
    const message = 'answered' in composed ? composed.answered.message_id : null;
    const about = {
      account: this.workspace.account.id,
      place,
      how: composed.how,
      message,
      draftId,
      draftAt: this.#draftAt,
    };
    const isKept = keepText({ ...this.fields, ...about, isSaved: !this.isNew, at: systemNow() });
    if (this.isNew && this.status.kind !== 'problem')
      this.#say(isKept ? { kind: 'kept', text: 'Kept in this browser' } : { kind: 'none', text: '' });
    return isKept;
  };

  /** The browser asks before it closes what is kept nowhere. */
  readonly #warn = (event: BeforeUnloadEvent): void => {
    if (this.isNew && (!this.#keepNow() || this.#areFilesNew)) event.preventDefault();
  };

  #say(status: Status): void {
    if (status.kind === this.status.kind && status.text === this.status.text) return;
    this.status = status;
    if (this.#isShown) this.workspace.repaint();
  }

  /** What the draft says, as the API takes it. */
  async body() {
    const { from, to, cc, bcc, subject, text } = this.fields;
    return {
      from,
      to: entriesOf(to),
      cc: entriesOf(cc),
      bcc: entriesOf(bcc),
      subject,
      text,
      in_reply_to: inReplyTo(this.composed, from),
      ...(this.#areFilesNew ? { attachments: await Promise.all(this.files.map((file) => file.load())) } : {}),
    };
  }

  /** Saves the draft, after what is being saved. @param change what else changes of it */
  save(change: { autosaved?: boolean; send_at?: string | null } = {}): Promise<void> {
    clearTimeout(this.#saving);
    const saved = this.#queue.then(() => this.#save(change));
    this.#queue = saved.catch(() => {});
    return saved;
  }

  async #save(change: { autosaved?: boolean; send_at?: string | null }): Promise<void> {
    if (this.#isDone || (!this.isNew && Object.keys(change).length === 0 && this.draftId !== null)) return;
    const revision = this.#revision;
    const areFilesNew = this.#areFilesNew;
    const { service } = this.workspace;
    // What is changed must not leave half written.
    const stays = this.sendAt === null || change.send_at !== undefined ? {} : { send_at: null };
    const body = { ...(await this.body()), ...stays, ...change };
    const once = { retries: 0 };
    const create = () => service.createDraft({ autosaved: true, ...body }, once);
    const { draftId } = this;
    const draft = await (draftId === null
      ? create()
      : service.updateDraft({ id: draftId, ...body }, once).catch((err) => {
          // It was deleted elsewhere. What is written here stays.
          if (hasCode(err, 'not_found')) return create();
          throw err;
        }));
    this.#take(draft);
    if (areFilesNew && this.#revision === revision) this.#areFilesNew = false;
    this.#saved = revision;
    this.isFull = false;
    this.#settle();
    if (this.isNew) this.#saveSoon();
    else this.#say({ kind: 'saved', text: `Draft saved at ${clockTime(draft.updated_at)}` });
  }

  /** A new mail has the address of its draft from now on: so a reload shows it, and another new mail starts empty. */
  #settle(): void {
    const { account } = this.workspace;
    if (this.composed.how === 'new' && this.place === 'new') {
      const before = linkTo(this.workspace.selected, 'mail', this.composed.address, 'new');
      forgetText(account.id, this.place);
      this.#unregister();
      this.place = `draft ${this.draftId}`;
      this.#register();
      if (this.#isShown && location.hash === before)
        history.replaceState(
          null,
          '',
          this.workspace.link('mail', this.composed.address, 'drafts', this.draftId as string),
        );
    }
    if (!this.#isDone) this.#keepNow();
  }

  /** Says why the draft could not be saved, and tries again where that can help. */
  readonly failed = (err: unknown): void => {
    const isKept = this.#keepNow();
    if (isSignedOut(err) && isKept && this.#isShown) {
      this.workspace.signOut('Your session has ended. Log in to go on: what you wrote is kept in this browser.');
      return;
    }
    this.isFull = isFull(err);
    const why = isSignedOut(err)
      ? 'Your session has ended.'
      : isUnreachable(err)
        ? 'The service is out of reach.'
        : isFull(err)
          ? fullText(err)
          : hasCode(err, 'already_sent')
            ? 'This mail was already sent.'
            : messageOf(err);
    const where = isKept ? 'What you write is kept in this browser.' : 'Copy your text: it is kept nowhere else.';
    if (this.#isShown) this.#say({ kind: 'problem', text: `${why} ${where}` });
    else if (!isSignedOut(err)) toast(`Not saved as a draft. ${why} ${where}`, { isProblem: true });
    if (this.#isShown && !isSignedOut(err) && !hasCode(err, 'already_sent'))
      this.#saveIn(isUnreachable(err) ? AGAIN_MS : LATER_MS);
  };

  #leave(): void {
    clearTimeout(this.#saving);
    if (this.#isDone) return;
    this.#keepNow();
    if (!this.isNew) this.#unregister();
    else
      void this.save().then(async () => {
        if (!this.#isShown) this.#unregister();
        toast('Draft saved.');
        if (location.hash === this.workspace.link('mail', this.composed.address, 'drafts'))
          await this.workspace.refresh();
      }, this.failed);
  }

  /** It is sent or thrown away: nothing keeps it any more. */
  end(): void {
    this.#isDone = true;
    clearTimeout(this.#keeping);
    clearTimeout(this.#saving);
    this.#unregister();
    forgetText(this.workspace.account.id, this.place);
  }
}

/** The text that is open for this place, if a draft does not hold all of it. */
export const openComposer = (accountId: string, place: string): Composer | undefined =>
  open.get(`${accountId} ${place}`);
