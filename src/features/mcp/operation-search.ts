/** Finds texts by words, as `find_operation` does. */

/** Words of questions that say nothing of an operation. */
const EMPTY = new Set(
  'about am an and are as at be been by can could did do does for from get have how i in into is it its many may me much my need of on or our please should somebody someone the their them there this to up use want was what when where which will with would you your'.split(
    ' ',
  ),
);

/** What models say, and the words of the table for the same. By the beginning of the word, as {@link stemOf} cuts it. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  answer: ['reply', 'respond'],
  cancel: ['delete', 'cancel'],
  chang: ['update', 'set'],
  conversation: ['thread'],
  edit: ['update'],
  email: ['message'],
  erase: ['delete'],
  fetch: ['get', 'read'],
  file: ['attachment'],
  find: ['list', 'search'],
  mail: ['message'],
  meet: ['event', 'calendar'],
  modify: ['update'],
  money: ['budget', 'charge'],
  note: ['observation'],
  open: ['read'],
  password: ['vault'],
  quota: ['usage', 'limit'],
  remov: ['delete'],
  renam: ['update', 'name'],
  respond: ['reply', 'respond'],
  search: ['inbox'],
  secret: ['vault'],
  show: ['get', 'list'],
  spend: ['charge', 'budget'],
  undo: ['restore', 'withdraw'],
  verify: ['introspect'],
  view: ['get', 'read'],
};

/** What else an operation is asked for by. */
const ALSO: Readonly<Record<string, string>> = {
  claimAddress: 'new email address inbox mailbox alias register',
  createDraft: 'save schedule later tomorrow send_at compose prepare',
  createObservation: 'remember note write memory',
  createStack: 'own custom domain',
  deleteCalendarEvent: 'cancel meeting appointment',
  deleteDraft: 'cancel scheduled mail discard stop',
  deleteMessage: 'trash bin remove mail email for good permanently',
  deleteSuppression: 'unblock recipient bounce again',
  deleteVaultEntry: 'password secret credential forget',
  forwardMessage: 'pass on mail email',
  getAccount: 'who am i profile account id',
  getBilling: 'price cost plan tier upgrade pay',
  getBudget: 'money left remaining balance caps afford',
  getBudgetHistory: 'spending history charges spent ledger transactions',
  getCalendarEvent: 'event meeting details single',
  getMessage: 'open read email body text',
  getObservation: 'read single note memory whole',
  getPower: 'allowed permission permissions may what can rights policy scopes',
  getSentEmail: 'arrive arrived delivered delivery status bounce failed sent mail track',
  getThread: 'conversation show history',
  getTrust: 'trust trustworthy reputation score reliable agent',
  getUsage: 'requests left remaining today quota limits storage used',
  getVaultEntry: 'get password secret credential read value',
  listAddresses: 'my mailboxes inboxes email addresses own',
  listAuditEntries: 'audit log history who changed activity actions security',
  listDrafts: 'scheduled unsent',
  listInbox: 'search find filter received unread new mail email',
  listObservations: 'notes memory remembered',
  listOutbox: 'sent folder mail email outgoing',
  listPayments: 'crypto x402 usdc paid invoices receipts',
  listRequests: 'recent http calls api log debugging',
  listReviews: 'held waiting pending mail approval operator',
  listSuppressions: 'bounced bounce recipients unsubscribed complaint undeliverable blocked',
  listThreads: 'conversations',
  listTokens: 'issued tokens jwt',
  listVaultKeys: 'secrets passwords credentials names stored',
  replyToAll: 'everyone everybody answer group',
  replyToMessage: 'answer respond email mail',
  respondToInvitation: 'accept decline tentative rsvp meeting attend',
  revokeToken: 'invalidate cancel jwt',
  sendDraft: 'draft now',
  sendEmail: 'attach attachment file write compose new mail cc bcc html invoice document pdf',
  setCalendarSettings: 'rename calendar name title',
  submitFinding: 'report security problem vulnerability bug',
  updateAddress: 'display sender name retention keep days auto old',
  updateCalendarEvent: 'move reschedule meeting appointment time attendee invite',
  updateMessage:
    'mark as read unread flag star label tag spam junk block sender move folder archive restore trash undelete',
  updateDraft: 'edit draft change reschedule scheduled',
  updateThread: 'archive label mark whole conversation read',
  verifyStack: 'check dns records domain spf dkim',
  waitForMail: 'next new incoming arrival code poll',
  withdrawReview: 'take back held mail cancel unsend recall',
};

/**
 * Words by which each operation is asked for, beside those of its descriptor.
 * @param operations all that may be called
 * @throws Error for words of any other
 */
export function askedWords(operations: readonly string[]): Readonly<Record<string, string>> {
  const stale = Object.keys(ALSO).find((operation) => !operations.includes(operation));
  if (stale !== undefined) throw new Error(`nothing is found by the words of ${stale}`);
  return ALSO;
}

/** A word without its ending: `archived` and `archive` are one. */
function stemOf(word: string): string {
  const one = word
    .replace(/sses$/, 'ss')
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');
  const stem = one.replace(/(ation|ion|ing|ed|e)$/, '');
  return stem.length < 4 ? one : stem;
}

const stemsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !EMPTY.has(word))
    .map(stemOf);

const WORDS_MAX = 12;
/** What another word for the same counts. */
const SAME_PART = 0.8;

/** Lists of texts, each with the weight of its words. */
export class WordIndex {
  readonly #weights: readonly ReadonlyMap<string, number>[];

  constructor(entries: readonly (readonly (readonly [text: string, weight: number])[])[]) {
    this.#weights = entries.map((texts) => {
      const weights = new Map<string, number>();
      for (const [text, weight] of texts)
        for (const stem of stemsOf(text)) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
      return weights;
    });
  }

  /** The places of the entries that fit the words, the best first. */
  find(query: string): number[] {
    const wanted = [...new Set(stemsOf(query))].slice(0, WORDS_MAX);
    const scores = this.#weights.map(() => 0);
    for (const stem of wanted) {
      const fits = this.#weights.map((weights) => fitOf(stem, weights));
      const found = fits.filter((fit) => fit > 0).length;
      // A word that few entries have says more.
      const rarity = Math.log(1 + fits.length / (1 + found));
      fits.forEach((fit, at) => {
        scores[at] = (scores[at] as number) + fit * rarity;
      });
    }
    const places = scores.flatMap((score, at) => (score > 0 ? [at] : []));
    return places.sort((one, other) => (scores[other] as number) - (scores[one] as number));
  }
}

function fitOf(stem: string, weights: ReadonlyMap<string, number>): number {
  const others = (SAME[stem] ?? []).map((word) => SAME_PART * (weights.get(stemOf(word)) ?? 0));
  return Math.max(weights.get(stem) ?? 0, ...others);
}
