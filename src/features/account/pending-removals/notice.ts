import { isSetUp, isTrusted, TRUST_DELAY_MS } from '../../../api/account/factor.ts';
import type {
  AccountNotification,
  Asker,
  Caller,
  Notice,
  NoticedFactor,
  NoticeHandlers,
  NoticeKind,
  Notices,
  NoticeTarget,
} from '../../../api/account/removal-notices.ts';
import { ADMINISTRATOR, NOTICE_KINDS } from '../../../api/account/removal-notices.ts';
import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { isId, newId } from '../../../base/ids.ts';
import type { JobEffects } from '../../../jobs/job-effects.ts';
import { domainOf } from '../../../mail/address/mail-address.ts';
import { findAccount, lockAccounts } from '../accounts/account-lifecycle.ts';
import { ownerOfDomain } from '../domains/stack.ts';
import { confirmedPeople, factorOfPerson } from '../people/person.ts';
import {
  addUndo,
  deleteNotice,
  deleteUndos,
  findNotice,
  insertNotice,
  mostUndos,
  noticeOf,
  noticesOf,
} from './notice-store.ts';

export interface NoticeDeps {
  noticeHandlers: Readonly<NoticeHandlers>;
  mailDomain: string;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
  jobEffects: JobEffects;
}

/** After this many times the administrator decides. */
const UNDOS_MAX = 2;
const ADMINISTRATOR_DELAY_MS = 72 * 3_600_000;

export type NoticeOutcome = 'done' | 'undone' | 'cancelled';

const date = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

const mailOf = ({ accountId, what, target, endsAt, askedBy }: Notice): AccountNotification => ({
  subject:
    what === 'operator_replacement'
      ? 'The operators of your account will be replaced'
      : 'Something will be removed from your account',
  text: `\
${NOTICE_KINDS[what]} of account ${accountId} will be ${what === 'operator_replacement' ? 'replaced' : 'removed'} at ${date(endsAt)} UTC${what === 'operator_replacement' ? ', once this person confirms it' : ''}:

${target}

${askedBy === ADMINISTRATOR ? 'The administrator of this service decided this.' : `Asked for with ${askedBy}.\nIf this was not you, log in and undo it, or call POST /v1/account/secure.`}
`,
});

/** Whether an address was confirmed and old at a time, in any role. */
const isOldAddress = async (reader: Reader, accountId: string, address: string, at: number): Promise<boolean> =>
  (await confirmedPeople(reader, accountId)).some(
    (person) => person.address === address && isTrusted(factorOfPerson(person), at),
  );

/** Announces the removal of old factors, and removes them unless that is undone in time. */
export class NoticeRules implements Notices {
  readonly #deps: NoticeDeps;

  constructor(deps: NoticeDeps) {
    this.#deps = deps;
  }

  async isOutside(reader: Reader, address: string): Promise<boolean> {
    const domain = domainOf(address);
    const { mailDomain } = this.#deps;
    if (domain === mailDomain || domain.endsWith(`.${mailDomain}`)) return false;
    return (await ownerOfDomain(reader, domain)) === null;
  }

  async askerOf(reader: Reader, { accountId, person, actor }: Caller): Promise<Asker> {
    if (person === null || !(await this.isOutside(reader, person)))
      return { actor: person ?? actor, confirmedSince: null, address: null };
    const times = (await confirmedPeople(reader, accountId)).filter(({ address }) => address === person);
    const confirmedSince = times.length > 0 ? Math.min(...times.map(({ confirmedAt }) => confirmedAt)) : null;
    return { actor: person, confirmedSince, address: person };
  }

  async isTrustedFromStart(reader: Reader, caller: Caller, now: number): Promise<boolean> {
    if (await this.isSettingUp(reader, caller.accountId, now)) return true;
    const { address } = await this.askerOf(reader, caller);
    return address !== null && (await isOldAddress(reader, caller.accountId, address, now));
  }

  async isSettingUp(reader: Reader, accountId: string, now: number): Promise<boolean> {
    const account = await findAccount(reader, accountId);
    return account !== null && isSetUp(account.createdAt, now);
  }

  removesAtOnce(factor: NoticedFactor, { confirmedSince, address }: Asker, now: number): boolean {
    if (!isTrusted(factor, now)) return true;
    if (confirmedSince === null) return false;
    return factor.address === address || (factor.since !== null && confirmedSince < factor.since);
  }

  async start(
    tx: Tx,
    { by, now, delayMs = TRUST_DELAY_MS, ...target }: NoticeTarget & { by: Asker; now: number; delayMs?: number },
  ): Promise<Notice> {
    await lockAccounts(tx, [target.accountId]);
    const running = await noticeOf(tx, target);
    if (running) return running;
    if (by.actor !== ADMINISTRATOR && (await mostUndos(tx, target)) >= UNDOS_MAX)
      throw new ApiError('removal_disputed');
    const times = { askedAt: now, endsAt: now + delayMs };
    const notice: Notice = { id: newId('ntc', now), ...target, ...times, askedBy: by.actor };
    await insertNotice(tx, notice);
    const { id, accountId, what, endsAt } = notice;
    await this.#deps.enqueueJob(tx, { kind: 'notice.end', payload: { noticeId: id }, runAt: endsAt });
    const data = { notice_id: id, what, target: notice.target, ends_at: new Date(endsAt).toISOString() };
    await this.#deps.appendEvent(tx, { accountId, type: 'account.notice_started', data, now });
    await this.notify(tx, accountId, mailOf(notice), now);
    return notice;
  }

  /** Starts what the administrator decided, in each role that the target has. @returns none for an unknown target */
  async startByAdministrator(tx: Tx, accountId: string, target: string, now: number): Promise<Notice[]> {
    const started: Notice[] = [];
    for (const what of Object.keys(this.#deps.noticeHandlers) as NoticeKind[]) {
      if (!(await this.#deps.noticeHandlers[what]?.find(tx, accountId, target))) continue;
      const former = await noticeOf(tx, { accountId, what, target });
      // A notice that can be undone gives way to one that cannot.
      if (former && former.askedBy !== ADMINISTRATOR) await deleteNotice(tx, former.id);
      started.push(await this.decide(tx, { accountId, what, target }, now));
    }
    return started;
  }

  decide(tx: Tx, target: NoticeTarget, now: number): Promise<Notice> {
    const by = { actor: ADMINISTRATOR, confirmedSince: null, address: null };
    return this.start(tx, { ...target, by, now, delayMs: ADMINISTRATOR_DELAY_MS });
  }

  async withdraw(tx: Tx, target: NoticeTarget, now: number): Promise<boolean> {
    const notice = await noticeOf(tx, target);
    if (notice?.askedBy !== ADMINISTRATOR || !(await deleteNotice(tx, notice.id))) return false;
    await this.#ended(tx, notice, 'cancelled', now);
    return true;
  }

  find(reader: Reader, target: NoticeTarget): Promise<Notice | null> {
    return noticeOf(reader, target);
  }

  list(reader: Reader, accountId: string): Promise<Notice[]> {
    return noticesOf(reader, accountId);
  }

  async drop(tx: Tx, target: NoticeTarget): Promise<void> {
    await deleteUndos(tx, target);
    await this.supersede(tx, target);
  }

  async supersede(tx: Tx, target: NoticeTarget): Promise<void> {
    const notice = await noticeOf(tx, target);
    if (notice) await deleteNotice(tx, notice.id);
  }

  async undoOf(tx: Tx, target: NoticeTarget, by: string, now: number): Promise<void> {
    const notice = await noticeOf(tx, target);
    if (!notice || notice.askedBy === ADMINISTRATOR || !(await deleteNotice(tx, notice.id))) return;
    await addUndo(tx, notice, by);
    await this.#ended(tx, notice, 'undone', now);
  }

  /**
   * Undoes a notice: by a session of the address that would go, or of one confirmed earlier. A key has no sessions, so
   * an address that was old when the notice began may save it too.
   * @throws ApiError `not_found`; `older_factor_required`: the caller is no such session
   */
  async undo(tx: Tx, principal: Principal, id: string, now: number): Promise<Notice> {
    await lockAccounts(tx, [principal.accountId]);
    const notice = isId('ntc', id) ? await findNotice(tx, id) : null;
    if (notice?.accountId !== principal.accountId) throw new ApiError('not_found');
    const factor = await this.#deps.noticeHandlers[notice.what]?.find(tx, notice.accountId, notice.target);
    const asker = await this.askerOf(tx, principal);
    if (notice.askedBy === ADMINISTRATOR || !factor || !(await this.#mayUndo(tx, notice, factor, asker)))
      throw new ApiError('older_factor_required');
    if (!(await deleteNotice(tx, notice.id))) throw new ApiError('not_found');
    await addUndo(tx, notice, asker.actor);
    await this.#ended(tx, notice, 'undone', now);
    return notice;
  }

  async cancelAll(tx: Tx, accountId: string, now: number): Promise<Notice[]> {
    const notices = (await noticesOf(tx, accountId)).filter(({ askedBy }) => askedBy !== ADMINISTRATOR);
    for (const notice of notices)
      if (await deleteNotice(tx, notice.id)) await this.#ended(tx, notice, 'cancelled', now);
    return notices;
  }

  /** When a notice ends. Null for one that is gone. */
  async endOf(reader: Reader, id: string): Promise<number | null> {
    return (await findNotice(reader, id))?.endsAt ?? null;
  }

  /** Removes the factor of a notice that was not undone. A notice that is gone does nothing. */
  async carryOut(tx: Tx, id: string, now: number): Promise<void> {
    const notice = await findNotice(tx, id);
    if (!notice || notice.endsAt > now) return;
    await lockAccounts(tx, [notice.accountId]);
    if (!(await deleteNotice(tx, id))) return;
    await deleteUndos(tx, notice);
    await this.#deps.noticeHandlers[notice.what]?.carryOut(tx, notice, now);
    await this.#ended(tx, notice, 'done', now);
    const { accountId, target } = notice;
    await this.#deps.jobEffects.note(tx, { accountId, action: 'notice.carried_out', resourceId: target, now });
  }

  async notify(tx: Tx, accountId: string, mail: AccountNotification, now: number): Promise<void> {
    const people = await confirmedPeople(tx, accountId);
    for (const address of new Set(people.map((person) => person.address)))
      if (await this.isOutside(tx, address))
        await this.#deps.enqueueJob(tx, { kind: 'mail.told', payload: { to: address, ...mail }, runAt: now });
  }

  async #mayUndo(tx: Tx, notice: Notice, factor: NoticedFactor, { confirmedSince, address }: Asker): Promise<boolean> {
    if (confirmedSince === null) return false;
    if (factor.address === address || (factor.since !== null && confirmedSince < factor.since)) return true;
    if (factor.address !== null) return false;
    return address !== null && isOldAddress(tx, notice.accountId, address, notice.askedAt);
  }

  async #ended(tx: Tx, notice: Notice, outcome: NoticeOutcome, now: number): Promise<void> {
    const { id, accountId, what, target } = notice;
    if (outcome !== 'done') await this.#deps.noticeHandlers[what]?.undo?.(tx, notice, now);
    const data = { notice_id: id, what, target, outcome };
    await this.#deps.appendEvent(tx, { accountId, type: 'account.notice_ended', data, now });
  }
}
