import type { CodeMail } from './positives.ts';

/** Mails with numbers and without a one-time code: [language, subject, text]. `{6}` and the like are digits. */
const TEMPLATES: readonly (readonly [language: string, subject: string, text: string])[] = [
  ['en', 'Your order #{6} has shipped', 'Hi Ada,\n\nGood news: order {6} is on its way.\nTracking number: {8}\n\nArriving 24 November 2026.'],
  ['en', 'Invoice {8}', 'Invoice number: {8}\nDate: 2026-11-21\nDue: 2026-12-21\nAmount due: $1,{3}.00\nIBAN DE89 3704 0044 0532 0130 00'],
  ['en', 'Your receipt from Acme', 'Receipt {4}-{4}\nTotal USD {4}.00\nVisa ending in {4}\nAuthorization: {6}'],
  ['en', 'Booking confirmed', 'Your stay at Hotel Lux is confirmed.\nConfirmation number: {8}\nRoom {4}, 21 Nov 2026 to 24 Nov 2026.\nCall +44 20 7946 0958.'],
  ['en', 'Flight reservation', 'Booking reference K7P2QX\nFlight LH {4}, seat 24A, gate 1{2}, terminal 2.\nTicket number 220-{8}.'],
  ['en', '20% off this weekend', 'Use code SAVE{2} at checkout and save 20%.\nCoupon code: FALL{4}\nOffer ends 11/30/2026.'],
  ['en', 'A gift for you', 'Your gift card code is GIFT{4}. Redeem it in our shop before 2027.\n\nUse promo code {6} at checkout.'],
  ['en', 'Weekly newsletter no. {4}', 'In this issue: code reviews in 2026, {4} stars on GitHub, {5} new users.\nThe code of conduct changed. Read more at https://example.com/p/{6}'],
  ['en', 'Your meeting tomorrow', 'Join Zoom Meeting\nMeeting ID: 83{1} {4} {4}\nDial +1 646 558 {4}\nTuesday, 24 Nov 2026, 14:30.'],
  ['en', 'Support case {8} updated', 'Case number {8} was updated by an agent.\nReference: {6}\nReply above this line.'],
  ['en', 'Statement for November', 'Account number: {8}\nSort code: 20-{2}-{2}\nBalance: \u00a3{4}.22\nLast 4 digits of your card: {4}'],
  ['en', 'Security alert: new sign-in', 'New sign-in from Chrome 131 on Windows 10, IP 203.0.113.{2}, 21 Nov 2026 14:05 UTC.\nIf this was you, you can ignore this email.'],
  ['en', 'Password changed', 'Your password was changed on 21 November 2026 at 14:0{1}. Was it not you? Call 0800 555 {4}.'],
  ['en', 'Verify your email address', 'Click the link to verify your email address:\nhttps://example.com/verify?code={6}&uid={8}\nThe link expires in 24 hours.'],
  ['en', 'Reset your password', 'Use this link to reset your password: https://example.com/r/{8}\nIt expires in 30 minutes. Acme, 1{3} Main Street, Springfield, IL 627{2}.'],
  ['en', 'Build {4} failed', 'Pipeline {6} failed with exit code 1{2}.\nError code: {4}\nCommit 4f2{3}a, branch main.'],
  ['en', 'HTTP {3} errors rising', 'Status code 500: {4} times. Error code E{4}. Response time 1{3} ms.'],
  ['en', 'Pull request #{4}', 'ada merged #{4} into main.\n{3} additions, {3} deletions.\nLines of code: {5}'],
  ['en', 'Your parcel is at the locker', 'Parcel {8} waits at locker {3}, 12 Main St, zip code {5}.\nOpen Mon to Fri 08:00 to 20:00.'],
  ['en', 'Refer a friend', 'Share your referral code ADA{4} and get $10. Invite code: {6}'],
  ['en', 'You have {4} unread messages', '{4} unread messages and {3} notifications wait for you.'],
  ['en', 'Your usage this month', 'Requests: {6}\nStorage: {4} MB\nUsers: {4}\nCost: USD {4}.10'],
  ['en', 'Survey', 'Answer {2} questions and win. Entry number {6}. Ends 2026-12-31.'],
  ['en', 'Your invitation code', 'You are invited to the beta. Invitation code: BETA{4}. It does not expire.'],
  ['en', 'Warranty registration', 'Serial number: {8}\nModel: X{4}\nProduct code {6}\nBarcode 40063{8}'],
  ['en', 'Your tax documents', 'Form 1099, tax year 2025. Tax code {4}L. EIN 12-{7}. Case {6}.'],
  ['en', 'About access', 'Please park behind the house. The zip code is {5}; the area code is {3}.'],
  ['en', 'Are we on for 2026?', 'Hi Ada,\n\nlet us meet at 18:30 on 12/04/2026. I am at 1{3} Elm Street. My number is 555-{4}.\n\nBob'],
  ['en', 'Backup codes', 'Your backup codes:\n\n{8}\n{8}\n{8}\n{8}\n\nEach works once.'],
  ['en', 'QR code for your ticket', 'Ticket {8}\nShow the QR code at the entrance. Row 1{1}, seat {2}. Doors 19:00.'],
  ['en', 'Changelog', 'Version 1.{2}.{1} (build {5})\n- Fixes issue #{4}\n- Adds country code to the form\n- 2{3} tests'],
  ['en', 'Your crypto withdrawal', 'Withdrawal of 0.{5} BTC. Transaction 0x{8}. Network fee {4} sat.'],
  ['en', 'Your reading list', 'Top books of 1984, 2001 and 2026. ISBN 978-3-16-{6}-0.'],
  ['en', 'Contest results', 'You finished {4} of {5}. Score: {4} points. Time 1:0{1}:22.'],
  ['en', 'Payment declined', 'Your payment of EUR {4}.50 was declined (decline code {4}). Order {6}.'],
  ['en', 'Docs: rotate your API token', 'Set TOKEN_TTL to {4} and restart. Port {4} must be open. Token lifetime is {5} seconds.'],
  ['de', 'Ihre Bestellung {8}', 'Bestellnummer: {8}\nKundennummer: {6}\nLieferung am 24.11.2026.\nPLZ {5} Berlin'],
  ['de', 'Rechnung Nr. {6}', 'Rechnungsnummer {6}\nBetrag: 1.{3},00 EUR\nF\u00e4llig am 21.12.2026\nUSt-IdNr. DE{8}'],
  ['de', '15 % Rabatt', 'Mit dem Gutscheincode HERBST{2} sparen Sie 15 %. Aktionscode: {6}. G\u00fcltig bis 30.11.2026.'],
  ['de', 'Ihre Sendung ist unterwegs', 'Sendungsnummer {8}\nTelefon 030 {6}\nAuftrag {7}'],
  ['de', 'Termin am 24.11.2026', 'Ihr Termin: 24.11.2026, 14:30 Uhr, Zimmer {3}, Aktenzeichen {6}.'],
  ['fr', 'Votre commande {8}', 'Num\u00e9ro de commande : {8}\nNum\u00e9ro de suivi : {8}\nTotal : 1 {3},00 \u20ac\n75{3} Paris'],
  ['fr', 'Votre code promo', 'Profitez de -20 % avec le code promo NOEL{2}. Code avantage : {6}.'],
  ['fr', 'Facture {6}', 'Facture n\u00b0 {6}, SIRET {8}00012, \u00e9ch\u00e9ance le 21/12/2026.'],
  ['es', 'Tu pedido {7}', 'N\u00famero de pedido: {7}\nN\u00famero de seguimiento: {8}\nTotal: {4} \u20ac\nCP 28{3} Madrid'],
  ['es', 'Factura {6}', 'Factura n.\u00ba {6}. Fecha: 21/11/2026. Tel. 91 {3} {4}. Usa el c\u00f3digo de descuento OTO\u00d1O{2}.'],
  ['pt', 'Pedido {7} enviado', 'N\u00famero do pedido: {7}\nC\u00f3digo de rastreio: {8}\nCEP 01310-{3}\nTotal: R$ {4},90'],
  ['pt', 'Cupom de desconto', 'Use o cupom BLACK{2} no carrinho. C\u00f3digo do produto {6}.'],
  ['it', 'Ordine {7} spedito', 'Numero ordine: {7}\nCodice di tracciamento: {8}\nTotale: {4},00 EUR\nCAP 20{3} Milano'],
  ['it', 'Sconto del 20 %', 'Inserisci il codice sconto AUTUNNO{2} alla cassa.'],
  ['nl', 'Je bestelling {8}', 'Bestelnummer: {8}\nKlantnummer {6}\nFactuurnummer {7}\nBedrag: \u20ac {4},00'],
  ['nl', 'Kortingscode', 'Gebruik kortingscode HERFST{2} bij het afrekenen.'],
  ['pl', 'Zam\u00f3wienie {7}', 'Numer zam\u00f3wienia: {7}\nNumer przesy\u0142ki {8}\nKwota: {4} z\u0142\nKod rabatowy JESIEN{2}'],
  ['sv', 'Din order {7}', 'Ordernummer: {7}\nSp\u00e5rningsnummer {8}\nSumma: {4} kr\nRabattkod H\u00d6ST{2}'],
  ['tr', 'Sipari\u015finiz {7}', 'Sipari\u015f numaras\u0131: {7}\nKargo takip no: {8}\nTutar: {4} TL\n\u0130ndirim kodu: GUZ{2}'],
  ['ru', '\u0417\u0430\u043a\u0430\u0437 {7}', '\u041d\u043e\u043c\u0435\u0440 \u0437\u0430\u043a\u0430\u0437\u0430: {7}\n\u0422\u0440\u0435\u043a-\u043d\u043e\u043c\u0435\u0440 {8}\n\u0421\u0443\u043c\u043c\u0430: {4} \u0440\u0443\u0431.\n\u041f\u0440\u043e\u043c\u043e\u043a\u043e\u0434 \u041e\u0421\u0415\u041d\u042c{2}\n\u0422\u0435\u043b. 8 800 555-{2}-{2}'],
  ['uk', '\u0417\u0430\u043c\u043e\u0432\u043b\u0435\u043d\u043d\u044f {7}', '\u041d\u043e\u043c\u0435\u0440 \u0437\u0430\u043c\u043e\u0432\u043b\u0435\u043d\u043d\u044f {7}\n\u0422\u0422\u041d {8}\n\u0421\u0443\u043c\u0430 {4} \u0433\u0440\u043d'],
  ['ar', '\u0637\u0644\u0628\u0643 {7}', '\u0631\u0642\u0645 \u0627\u0644\u0637\u0644\u0628: {7}\n\u0631\u0642\u0645 \u0627\u0644\u062a\u062a\u0628\u0639 {8}\n\u0643\u0648\u062f \u0627\u0644\u062e\u0635\u0645: SAVE{2}'],
  ['he', '\u05d4\u05d6\u05de\u05e0\u05d4 {7}', '\u05de\u05e1\u05e4\u05e8 \u05d4\u05d6\u05de\u05e0\u05d4: {7}\n\u05de\u05e1\u05e4\u05e8 \u05de\u05e9\u05dc\u05d5\u05d7 {8}\n\u05e7\u05d5\u05d3 \u05e7\u05d5\u05e4\u05d5\u05df SALE{2}'],
  ['hi', '\u0911\u0930\u094d\u0921\u0930 {7}', '\u0911\u0930\u094d\u0921\u0930 \u0938\u0902\u0916\u094d\u092f\u093e: {7}\n\u091f\u094d\u0930\u0948\u0915\u093f\u0902\u0917 \u0928\u0902\u092c\u0930 {8}\n\u0930\u093e\u0936\u093f: \u20b9{4}'],
  ['zh', '\u60a8\u7684\u8ba2\u5355 {7}', '\u8ba2\u5355\u53f7\uff1a{8}\n\u5feb\u9012\u5355\u53f7\uff1a{8}\n\u91d1\u989d\uff1a{4} \u5143\n\u4f18\u60e0\u7801 SAVE{2}\n\u5ba2\u670d\u7535\u8bdd 400-{3}-{4}'],
  ['ja', '\u3054\u6ce8\u6587 {7}', '\u6ce8\u6587\u756a\u53f7\uff1a{8}\n\u8ffd\u8de1\u756a\u53f7\uff1a{8}\n\u5408\u8a08\uff1a{4}\u5186\n\u30af\u30fc\u30dd\u30f3\u30b3\u30fc\u30c9\uff1aAKI{2}\n\u3012100-{4}'],
  ['ko', '\uc8fc\ubb38 {7}', '\uc8fc\ubb38\ubc88\ud638: {8}\n\uc6b4\uc1a1\uc7a5\ubc88\ud638: {8}\n\uae08\uc561: {5}\uc6d0\n\ucfe0\ud3f0 \ucf54\ub4dc FALL{2}\n\ub300\ud45c\ubc88\ud638 1588-{4}'],
  ['vi', '\u0110\u01a1n h\u00e0ng {7}', 'M\u00e3 \u0111\u01a1n h\u00e0ng: {7}\nM\u00e3 v\u1eadn \u0111\u01a1n: {8}\nM\u00e3 gi\u1ea3m gi\u00e1: SALE{2}\nHotline 1900 {4}'],
  ['id', 'Pesanan {7}', 'Nomor pesanan: {7}\nNomor resi: {8}\nKode promo HEMAT{2}\nTotal Rp {6}'],
]; // biome-ignore format: a table of mails reads best with one on a line.

/** Each template with three sets of numbers. */
export function plainMails(): CodeMail[] {
  let state = 7;
  const digit = (isFirst: boolean): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String(isFirst ? 2 + ((state >>> 16) % 8) : (state >>> 16) % 10);
  };
  const numbered = (text: string): string =>
    text.replace(/\{(\d)\}/g, (_, length) => Array.from({ length: Number(length) }, (_, i) => digit(i === 0)).join(''));
  return [1, 2, 3].flatMap((round) =>
    TEMPLATES.map(([language, subject, text]) => ({
      name: `${language}, ${subject}, ${round}`,
      language,
      subject: numbered(subject),
      text: numbered(text),
      code: null,
    })),
  );
}
