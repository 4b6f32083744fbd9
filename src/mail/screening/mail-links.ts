import { getDomain } from 'tldts';
import type { ShownLink } from '../mime/html-text.ts';
import type { FoundLink, LinkKind } from '../mime/screening-result.ts';
import { plainText } from './text-of-html.ts';
import { Words } from './word-match.ts';

const LINKS_MAX = 50;
const URL_CHARS = 2048;

/** Words of a link's text or URL, by kind, the most specific first. */
const KINDS: readonly (readonly [LinkKind, RegExp, Words])[] = [
  [
    'unsubscribe',
    /unsubscri|opt-?out|optout|email-?preferences|list-manage|abmelde|desabonn|darse-?de-?baja|notification-settings/i,
    new Words(['unsubscribe*', 'opt out', 'manage preferences', 'email preferences', 'abmelde*', 'abbestell*', 'se d\u00e9sabonner', 'd\u00e9sinscri*', 'darse de baja', 'cancelar (?:la )?suscripci\u00f3n', 'descadastr*', 'cancelar (?:a )?(?:inscri\u00e7\u00e3o|assinatura)', 'disiscriv*', 'annulla (?:l )?iscrizione', 'uitschrijv*', 'afmelden', 'wypisz*', 'avregistrera', 'avprenumerera', 'afmeld', 'aboneli\u011fi iptal*', 'abonelikten \u00e7\u0131k*', '\u043e\u0442\u043f\u0438\u0441\u0430\u0442\u044c\u0441\u044f', '\u0432\u0456\u0434\u043f\u0438\u0441\u0430\u0442\u0438\u0441\u044f', '\u0625\u0644\u063a\u0627\u0621 \u0627\u0644\u0627\u0634\u062a\u0631\u0627\u0643', '\u05d4\u05e1\u05e8\u05d4', '\u9000\u8ba2', '\u9000\u8a02', '\u53d6\u6d88\u8ba2\u9605', '\u914d\u4fe1\u505c\u6b62', '\uc218\uc2e0 ?\uac70\ubd80', 'h\u1ee7y \u0111\u0103ng k\u00fd', 'berhenti berlangganan']),
  ],
  [
    'reset',
    /(?:reset|forgot|recover|change|new|set)[-_/]?(?:your[-_])?(?:password|pwd|passwd|pass)|password[-_/]?(?:reset|recovery|change)|passwort|mot-de-passe|contrasena/i,
    new Words(['(?:reset|recover|change|choose|set|create)(?: a| your| my)?(?: new)? password', 'forgot password', 'passwort (?:zur\u00fccksetzen|\u00e4ndern)', 'r\u00e9initialiser (?:mon |votre |le )?mot de passe', 'restablecer (?:la |mi |tu )?contrase\u00f1a', 'redefinir (?:a |minha |sua )?senha', 'reimposta* (?:la )?password', 'wachtwoord (?:herstellen|resetten|wijzigen)', 'zresetuj has\u0142o', '\u00e5terst\u00e4ll l\u00f6senord*', 'nulstil adgangskode', '\u015fifre* s\u0131f\u0131rla*', '\u0441\u0431\u0440\u043e\u0441* \u043f\u0430\u0440\u043e\u043b*', '\u0432\u043e\u0441\u0441\u0442\u0430\u043d\u043e\u0432* \u043f\u0430\u0440\u043e\u043b*', '\u91cd\u7f6e\u5bc6\u7801', '\u91cd\u8a2d\u5bc6\u78bc', '\u30d1\u30b9\u30ef\u30fc\u30c9.{0,6}(?:\u518d\u8a2d\u5b9a|\u30ea\u30bb\u30c3\u30c8|\u5909\u66f4)', '\ube44\ubc00\ubc88\ud638 ?(?:\uc7ac\uc124\uc815|\ubcc0\uacbd)', '\u0625\u0639\u0627\u062f\u0629 \u062a\u0639\u064a\u064a\u0646', '\u05d0\u05d9\u05e4\u05d5\u05e1']),
  ],
  [
    'verify',
    /verif|confirm|activat|validat|double-?opt|optin|opt-in|email[-_/]?(?:check|proof)|invitation\/accept|accept-?invit/i,
    new Words(['verif*', 'confirm*', 'activat*', 'validat*', 'accept (?:the |your )?invit*', 'best\u00e4tig*', 'verifizier*', 'aktivier*', 'v\u00e9rifi*', 'confirm*', 'valider', 'activer', 'verific*', 'activar', 'ativar', 'conferma*', 'attiva*', 'bevestig*', 'verifieer', 'potwierd*', 'zweryfik*', 'aktywuj', 'bekr\u00e4fta', 'verifiera', 'bekr\u00e6ft', 'bekreft', 'vahvista', 'onayla*', 'do\u011frula*', '\u043f\u043e\u0434\u0442\u0432\u0435\u0440*', '\u043f\u0456\u0434\u0442\u0432\u0435\u0440*', '\u0430\u043a\u0442\u0438\u0432\u0438\u0440*', '\u062a\u0623\u0643\u064a\u062f', '\u062a\u062d\u0642\u0642', '\u062a\u0641\u0639\u064a\u0644', '\u05d0\u05d9\u05de\u05d5\u05ea', '\u05d0\u05e9\u05e8', '\u9a8c\u8bc1', '\u9a57\u8b49', '\u78ba\u8a8d', '\u786e\u8ba4', '\u6fc0\u6d3b', '\u8a8d\u8a3c', '\uc778\uc99d', '\ud655\uc778', 'x\u00e1c (?:minh|nh\u1eadn|th\u1ef1c)', 'konfirmasi*', 'verifikasi*', '\u0e22\u0e37\u0e19\u0e22\u0e31\u0e19', '\u0938\u0924\u094d\u092f\u093e\u092a\u093f\u0924', '\u092a\u0941\u0937\u094d\u091f\u093f']),
  ],
  [
    'login',
    /magic|sign-?in|signin|log-?in|login|one-?click|passwordless|auth\/(?:callback|link|email)|session\?|[?&#](?:login_?token|magic_?token)=/i,
    new Words(['(?:log|sign) ?in', 'magic link', 'continue to', 'anmelden', 'einloggen', 'se connecter', 'connexion', 'iniciar sesi[o\u00f3]n', 'entrar', 'acceder', 'accedi', 'inloggen', 'zaloguj*', 'logga in', 'log ind', 'logg inn', 'kirjaudu*', 'giri\u015f yap*', 'oturum a\u00e7*', '\u0432\u043e\u0439\u0442\u0438', '\u0443\u0432\u0456\u0439\u0442\u0438', '\u062a\u0633\u062c\u064a\u0644 \u0627\u0644\u062f\u062e\u0648\u0644', '\u05d4\u05ea\u05d7\u05d1\u05e8', '\u767b\u5f55', '\u767b\u5165', '\u30ed\u30b0\u30a4\u30f3', '\ub85c\uadf8\uc778', '\u0111\u0103ng nh\u1eadp', 'masuk']),
  ],
]; // biome-ignore format: a table of words reads best filled.

function kindOf(url: URL, text: string): LinkKind {
  const shown = plainText(text.slice(0, 200));
  const target = `${url.hostname}${url.pathname}${url.search}`.slice(0, 500);
  for (const [kind, , words] of KINDS) if (shown !== '' && words.isIn(shown)) return kind;
  for (const [kind, pattern] of KINDS) if (pattern.test(target)) return kind;
  return 'other';
}

/** The host that a link's text names, if it looks like an address or a domain. */
function namedHost(text: string): string | null {
  const match =
    /(?:^|[\s(<"'])(?:https?:\/\/)?(?:www\.)?((?:[\p{L}\d-]{1,63}\.){1,8}[\p{L}]{2,24})(?=[\s/:?#)>"']|$)/iu.exec(
      text.trim(),
    );
  const host = match?.[1]?.toLowerCase() ?? null;
  return host !== null && getDomain(host) !== null ? host : null;
}

function linkOf({ url, text }: ShownLink): FoundLink | null {
  if (url.length > URL_CHARS || !URL.canParse(url)) return null;
  const target = new URL(url);
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return null;
  const named = namedHost(text);
  const mismatch = named !== null && getDomain(named) !== getDomain(target.hostname);
  return { url, text, host: target.hostname, kind: kindOf(target, text), mismatch };
}

const BARE_URL = /https?:\/\/[^\s<>"'\u3001\u3002\uff0c\uff09\u300d]{1,2048}/gi;

/** The addresses that stand in plain text, without the punctuation that ends a sentence. */
function bareLinks(text: string): ShownLink[] {
  const found: ShownLink[] = [];
  for (const [url] of text.slice(0, 262_144).matchAll(BARE_URL)) {
    found.push({ url: url.replace(/[.,;:!?)\]}]+$/, ''), text: '' });
    if (found.length >= 4 * LINKS_MAX) break;
  }
  return found;
}

/** Lists the links of a mail, each once, in the order in which a reader meets them: at most 50. */
export function findLinks(shown: readonly ShownLink[], text: string): FoundLink[] {
  const links = new Map<string, FoundLink>();
  const texts = new Set(shown.map((link) => link.text));
  for (const candidate of [...shown, ...bareLinks(text).filter(({ url }) => !texts.has(url))]) {
    const link = linkOf(candidate);
    if (link === null || links.size >= LINKS_MAX) continue;
    const known = links.get(link.url);
    if (known === undefined || (known.text === '' && link.text !== '')) links.set(link.url, link);
  }
  return [...links.values()];
}
