import { visibleText } from '../../../src/mail/screening/visible-text.ts';
import type { CodeMail } from './positives.ts';

/** Mails written one by one after the shapes that services use: [language, subject, text or HTML, code]. */
type Observed = readonly [language: string, subject: string, body: string, code: string | null];

const cell = (text: string): string =>
  `<td align="center" style="font-family:Helvetica,Arial,sans-serif;padding:12px 0">${text}</td>`;
const boxes = (code: string): string =>
  `<table role="presentation"><tr>${[...code].map((digit) => `<td style="border:1px solid #ccc;padding:8px 14px;font-size:28px">${digit}</td>`).join('')}</tr></table>`;
const outlook = (inner: string): string =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;font-size:11pt} --></style></head><body lang="EN-US"><div class="WordSection1">${inner}</div></body></html>`;
const apple = (inner: string): string =>
  `<html><head></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${inner}</body></html>`;
const gmail = (inner: string): string => `<div dir="ltr">${inner}</div>`;
const forwarded = (inner: string): string =>
  `<div dir="auto">see below</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <b>Norra</b> &lt;noreply@norra.example&gt;<br>Date: Sat, Nov 21, 2026 at 14:05<br>Subject: Signing in<br>To: &lt;ada@example.org&gt;<br></div>${inner}</div>`;

// biome-ignore format: a table of mails reads best with one on a line.
const WITH_CODE: readonly Observed[] = [
  ['en', 'Norra: is this you?', 'Someone (hopefully you) is trying to get into your Norra account from a new device.\n\nTo let them in, type\n\n   481 907\n\ninto the window that is still open. Not you? Change your password right away.', '481907'],
  ['en', '619402 - Tavola sign-in', 'Hey there!\n\nTap the button in the app or key in 619402.\n\nThe Tavola team\n14 Quay Street, Dublin 2, D02 X285', '619402'],
  ['en', 'Almost there', 'Welcome aboard. One last thing before we set up your workspace: we need to know this inbox is yours.\n\nYour confirmation code: KX4-P9M\n\nPaste it on the sign-up page.', 'KX4-P9M'],
  ['en', '[Fjord Git] Please verify your device', 'Hey ada!\n\nA sign in attempt requires further verification because we did not recognize your device. To complete the sign in, enter the verification code on the unrecognized device.\n\nDevice: Chrome on Linux\nVerification code: 70356128\n\nIf you did not attempt to sign in to your account, your password may be compromised.', '70356128'],
  ['en', 'Your temporary Plover login code', '<html><body><table width="100%"><tr><td><img src="cid:logo" alt="Plover"></td></tr><tr><td><h1>Your login code</h1><p style="font-size:32px;letter-spacing:8px">8 0 2 7 7 5</p><p>Copy and paste this temporary login code. It is good for 15 minutes.</p></td></tr></table></body></html>', '802775'],
  ['en', 'Confirm it\u2019s really you', apple('<div>Hi Ada,</div><div><br></div><div>We saw a request to withdraw funds. Use this one-time passcode to approve it:</div><div><br></div><div style="font-size:24px"><b>339\u00a0154</b></div><div><br></div><div>Valid until 14:20 UTC. Case 88412.</div>'), '339154'],
  ['en', 'Security code', outlook('<p class="MsoNormal">Please use the following security code for the personal account ad**a@example.org.<o:p></o:p></p><p class="MsoNormal">&nbsp;</p><p class="MsoNormal">Security code: <b>5178264</b><o:p></o:p></p><p class="MsoNormal">Only enter this code on an official website or app. Don\u2019t share it with anyone.<o:p></o:p></p>'), '5178264'],
  ['en', 'Verify your email for Heron Pay', `<html><body><div style="display:none;max-height:0">Enter the code to continue</div><p>Enter these six digits to verify your email:</p>${boxes('264918')}<p>Heron Pay Ltd, registered in England no. 09876543</p></body></html>`, '264918'],
  ['en', 'Fwd: Signing in', forwarded('<p>Your sign-in code is <b>905 316</b></p><p>It works for 5 minutes and only once.</p>'), '905316'],
  ['en', 'OTP for transaction of INR 2,499.00', 'Dear Customer,\n\n842290 is the OTP for your transaction of INR 2,499.00 at MERIDIAN BOOKS on card ending 7751. OTP is valid for 10 mins. Do not share it with anyone, including bank staff.\n\nRef 661200934', '842290'],
  ['en', 'Your Kite passcode', 'Passcode: 4417\n\nWe will never call you to ask for it.', '4417'],
  ['en', 'Finish signing in to Brook', gmail('<p>We got a request to sign in to Brook with ada@example.org.</p><p><span style="background:#f2f2f2;padding:6px">wqzt-mfkd-rbvh</span></p><p>That is your sign-in code. Enter it where you started.</p>'), 'wqzt-mfkd-rbvh'],
  ['en', 'Two-step verification', 'Two-step verification\n=====================\n\nToken: 038164\nGenerated 2026-11-21 14:05:33 UTC for user ada from 198.51.100.23\n\nThis token lapses after 90 seconds.', '038164'],
  ['en', 'Password reset requested', 'You asked us to reset the password for ada@example.org.\n\nEnter reset code 571930 on the page that asks for it. The code stops working at 15:05.\n\nTicket #20261121-77', '571930'],
  ['en', 'Your Lantern account', '<html><body><p>Hello,</p><p>Thanks for joining. Use <code>G7HQ2</code> as your activation code.</p><p><a href="https://lantern.example/activate?x=998877">Activate</a></p></body></html>', 'G7HQ2'],
  ['de', 'Noch ein Schritt: Adresse best\u00e4tigen', 'Sch\u00f6n, dass Sie dabei sind!\n\nTippen Sie in der App die Ziffernfolge 730 418 ein, um Ihre E-Mail-Adresse zu best\u00e4tigen.\n\nM\u00f6wen & S\u00f6hne KG, Am Hafen 7, 20457 Hamburg', '730418'],
  ['de', 'Ihre TAN', 'Guten Tag,\n\nIhre TAN f\u00fcr die \u00dcberweisung \u00fcber 1.250,00 EUR an DE89 3704 0044 0532 0130 00 lautet 904 117.\n\nGeben Sie sie niemals am Telefon weiter.', '904117'],
  ['de', 'Zugangscode f\u00fcr das Kundenportal', outlook('<p class="MsoNormal">Sehr geehrte Frau Lovelace,</p><p class="MsoNormal">Ihr Zugangscode:</p><p class="MsoNormal"><b>B4K9-7TWX</b></p><p class="MsoNormal">Kundennummer 4471820. Der Zugangscode verf\u00e4llt in 30 Minuten.</p>'), 'B4K9-7TWX'],
  ['de', '582046 ist Ihr Einmalcode', 'Einmalcode nicht weitergeben.', '582046'],
  ['fr', 'Validez votre connexion', 'Bonjour,\n\nUne connexion depuis un nouvel appareil vient d\u2019\u00eatre demand\u00e9e. Pour la valider, recopiez le code 215 873 dans l\u2019application avant 14 h 20.\n\nL\u2019\u00e9quipe Mar\u00e9e, 12 rue des Lilas, 44000 Nantes', '215873'],
  ['fr', 'Code confidentiel', apple('<div>Votre code confidentiel \u00e0 usage unique</div><div><b style="font-size:30px">60 49 21</b></div><div>Ne le communiquez \u00e0 personne. R\u00e9f. 778120.</div>'), '604921'],
  ['fr', 'Votre inscription', 'Merci de votre inscription !\n\nCode d\u2019activation : 9F3T7K\n\n\u00c0 saisir sur la page ouverte. SIRET 812 345 678 00012', '9F3T7K'],
  ['es', 'Confirma que eres t\u00fa', 'Hola, Ada:\n\nPara entrar en Cigarra escribe 448 205 en la pantalla de acceso. Es tu c\u00f3digo de un solo uso y vence en 5 minutos.', '448205'],
  ['es', 'C\u00f3digo para restablecer tu contrase\u00f1a', `<html><body><table><tr>${cell('Tu c\u00f3digo para restablecer la contrase\u00f1a')}</tr><tr>${cell('<strong>771093</strong>')}</tr><tr>${cell('Calle Mayor 12, 28013 Madrid')}</tr></table></body></html>`, '771093'],
  ['pt', 'Seu c\u00f3digo chegou', 'Oi, Ada!\n\nAqui est\u00e1 o c\u00f3digo que voc\u00ea pediu: 3816\n\nDigite-o no aplicativo em at\u00e9 10 minutos. N\u00e3o compartilhe.\n\nCNPJ 12.345.678/0001-90', '3816'],
  ['pt', 'Autoriza\u00e7\u00e3o de acesso', 'C\u00f3digo de autoriza\u00e7\u00e3o\n\n52-91-07\n\nSe n\u00e3o foi voc\u00ea, fale connosco: 800 123 456', '529107'],
  ['it', 'Accesso da nuovo dispositivo', 'Ciao Ada,\n\nper completare l\u2019accesso inserisci il codice 663 018. Scade tra 10 minuti.\n\nOnda S.r.l., P. IVA 01234567890, CAP 20121 Milano', '663018'],
  ['it', 'Codice OTP', gmail('Il tuo codice OTP per firmare il documento n. 2026/4471 \u00e8:<br><br><b>198402</b>'), '198402'],
  ['nl', 'Inloggen bij Zeeland', 'Hallo,\n\nVul deze inlogcode in: 507 361\n\nHij blijft een kwartier geldig. Heb je niets aangevraagd? Dan hoef je niets te doen.\nKvK 12345678', '507361'],
  ['nl', 'Bevestig je mailadres', `<html><body><p>Je bevestigingscode staat hieronder.</p>${boxes('8823')}<p>Groet, Team Dijk</p></body></html>`, '8823'],
  ['pl', 'Potwierd\u017a logowanie', 'Dzie\u0144 dobry,\n\nkod do logowania: 941 276. Kod wygasa za 5 minut.\n\nNIP 123-456-78-90', '941276'],
  ['pl', 'Has\u0142o jednorazowe', 'Twoje has\u0142o jednorazowe to 65180392. Nie podawaj go nikomu.', '65180392'],
  ['sv', 'Logga in p\u00e5 Fj\u00e4ll', 'Hej!\n\nH\u00e4r \u00e4r din inloggningskod:\n\n830 551\n\nDen g\u00e4ller i tio minuter. Org.nr 556677-8899', '830551'],
  ['da', 'Bekr\u00e6ft din e-mail', 'Hej Ada\n\nDin bekr\u00e6ftelseskode er 417 209. Indtast den p\u00e5 siden.\n\nCVR 12345678', '417209'],
  ['nb', 'Engangskode', 'Engangskoden din er 290634. Koden utl\u00f8per om 5 minutter.', '290634'],
  ['fi', 'Vahvistuskoodi', 'Hei!\n\nVahvistuskoodisi on 751 846.\n\nJos et pyyt\u00e4nyt koodia, \u00e4l\u00e4 tee mit\u00e4\u00e4n.', '751846'],
  ['cs', 'Ov\u011b\u0159en\u00ed p\u0159ihl\u00e1\u0161en\u00ed', 'Dobr\u00fd den,\n\nv\u00e1\u0161 ov\u011b\u0159ovac\u00ed k\u00f3d je 366 902. Plat\u00ed 10 minut.\n\nI\u010cO 12345678', '366902'],
  ['hu', 'Bel\u00e9p\u00e9si k\u00f3d', 'Kedves Ada!\n\nA bel\u00e9p\u00e9shez haszn\u00e1lja ezt a k\u00f3dot: 528471\n\nA k\u00f3d 10 percig \u00e9rv\u00e9nyes.', '528471'],
  ['ro', 'Cod de verificare', 'Bun\u0103 ziua,\n\nCodul dumneavoastr\u0103 de verificare este 614 935 \u0219i expir\u0103 \u00een 5 minute.', '614935'],
  ['tr', 'Giri\u015f do\u011frulama', 'Merhaba Ada,\n\nGiri\u015f yapmak i\u00e7in do\u011frulama kodunuz: 207 583\n\nBu kodu kimseyle payla\u015fmay\u0131n. 3 dakika ge\u00e7erlidir.', '207583'],
  ['el', '\u039a\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2 \u03b5\u03c0\u03b9\u03b2\u03b5\u03b2\u03b1\u03af\u03c9\u03c3\u03b7\u03c2', '\u0393\u03b5\u03b9\u03b1 \u03c3\u03b1\u03c2,\n\n\u03bf \u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2 \u03b5\u03c0\u03b9\u03b2\u03b5\u03b2\u03b1\u03af\u03c9\u03c3\u03ae\u03c2 \u03c3\u03b1\u03c2 \u03b5\u03af\u03bd\u03b1\u03b9 493 178.', '493178'],
  ['ru', '\u0412\u0445\u043e\u0434 \u0432 \u0430\u043a\u043a\u0430\u0443\u043d\u0442', '\u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439\u0442\u0435!\n\n\u0427\u0442\u043e\u0431\u044b \u0432\u043e\u0439\u0442\u0438, \u0432\u0432\u0435\u0434\u0438\u0442\u0435 \u043a\u043e\u0434 358 216. \u041e\u043d \u0434\u0435\u0439\u0441\u0442\u0432\u0443\u0435\u0442 10 \u043c\u0438\u043d\u0443\u0442. \u041d\u0438\u043a\u043e\u043c\u0443 \u0435\u0433\u043e \u043d\u0435 \u0441\u043e\u043e\u0431\u0449\u0430\u0439\u0442\u0435.', '358216'],
  ['uk', '\u041a\u043e\u0434 \u043f\u0456\u0434\u0442\u0432\u0435\u0440\u0434\u0436\u0435\u043d\u043d\u044f', '\u0412\u0430\u0448 \u043a\u043e\u0434 \u043f\u0456\u0434\u0442\u0432\u0435\u0440\u0434\u0436\u0435\u043d\u043d\u044f:\n\n740 392\n\n\u0414\u0456\u0439\u0441\u043d\u0438\u0439 5 \u0445\u0432\u0438\u043b\u0438\u043d.', '740392'],
  ['ar', '\u0631\u0645\u0632 \u0627\u0644\u062a\u062d\u0642\u0642', '\u0645\u0631\u062d\u0628\u0627\u060c\n\n\u0631\u0645\u0632 \u0627\u0644\u062a\u062d\u0642\u0642 \u0627\u0644\u062e\u0627\u0635 \u0628\u0643 \u0647\u0648 619 340 \u0648\u062a\u0646\u062a\u0647\u064a \u0635\u0644\u0627\u062d\u064a\u062a\u0647 \u062e\u0644\u0627\u0644 10 \u062f\u0642\u0627\u0626\u0642.', '619340'],
  ['he', '\u05e7\u05d5\u05d3 \u05d4\u05db\u05e0\u05d9\u05e1\u05d4 \u05e9\u05dc\u05da', '\u05e9\u05dc\u05d5\u05dd \u05e2\u05d3\u05d4,\n\n\u05e7\u05d5\u05d3 \u05d4\u05db\u05e0\u05d9\u05e1\u05d4 \u05e9\u05dc\u05da: 583 017', '583017'],
  ['hi', '\u0932\u0949\u0917\u093f\u0928 \u0915\u094b\u0921', '\u0928\u092e\u0938\u094d\u0924\u0947,\n\n\u0906\u092a\u0915\u093e \u0938\u0924\u094d\u092f\u093e\u092a\u0928 \u0915\u094b\u0921 472 905 \u0939\u0948\u0964 \u0907\u0938\u0947 \u0915\u093f\u0938\u0940 \u0938\u0947 \u0938\u093e\u091d\u093e \u0928 \u0915\u0930\u0947\u0902\u0964', '472905'],
  ['zh', '\u767b\u5f55\u9a8c\u8bc1', '\u60a8\u597d\uff0c\u60a8\u6b63\u5728\u767b\u5f55\u4e91\u5c71\u7f51\uff0c\u9a8c\u8bc1\u7801\uff1a\u3010629471\u3011\uff0c10\u5206\u949f\u5185\u6709\u6548\uff0c\u8bf7\u52ff\u6cc4\u9732\u3002\u5ba2\u670d\u7535\u8bdd 400-820-8820', '629471'],
  ['zh', '\u4e91\u6d77\u5b89\u5168\u4e2d\u5fc3', '\u60a8\u7533\u8bf7\u4fee\u6539\u5bc6\u7801\uff0c\u672c\u6b21\u6821\u9a8c\u7801\u4e3a 5038\uff0c\u5982\u975e\u672c\u4eba\u64cd\u4f5c\u8bf7\u5ffd\u7565\u3002', '5038'],
  ['ja', '\u3010\u3042\u304a\u305e\u3089\u3011\u8a8d\u8a3c\u30b3\u30fc\u30c9\u306e\u304a\u77e5\u3089\u305b', '\u3044\u3064\u3082\u3054\u5229\u7528\u3042\u308a\u304c\u3068\u3046\u3054\u3056\u3044\u307e\u3059\u3002\n\n\u8a8d\u8a3c\u30b3\u30fc\u30c9\uff1a 184 760\n\n\u6709\u52b9\u671f\u9650\u306f10\u5206\u3067\u3059\u3002\n\u3012150-0002 \u6771\u4eac\u90fd\u6e0b\u8c37\u533a', '184760'],
  ['ja', '\u30ed\u30b0\u30a4\u30f3\u78ba\u8a8d', '\u4ee5\u4e0b\u306e\u756a\u53f7\u3092\u753b\u9762\u306b\u5165\u529b\u3057\u3066\u304f\u3060\u3055\u3044\u3002\n\n\u3000\u3000\u30ef\u30f3\u30bf\u30a4\u30e0\u30d1\u30b9\u30ef\u30fc\u30c9\n\u3000\u3000937205\n', '937205'],
  ['ko', '[\ubcc4\ube5b] \uc778\uc99d\ubc88\ud638 \uc548\ub0b4', '\uc548\ub155\ud558\uc138\uc694.\n\uc694\uccad\ud558\uc2e0 \uc778\uc99d\ubc88\ud638\ub294 [508391] \uc785\ub2c8\ub2e4.\n5\ubd84 \uc774\ub0b4\uc5d0 \uc785\ub825\ud574 \uc8fc\uc138\uc694.\n\uace0\uac1d\uc13c\ud130 1588-1234', '508391'],
  ['vi', 'M\u00e3 OTP c\u1ee7a b\u1ea1n', 'Xin ch\u00e0o,\n\nM\u00e3 OTP \u0111\u1ec3 \u0111\u0103ng nh\u1eadp l\u00e0 336 190, c\u00f3 hi\u1ec7u l\u1ef1c trong 5 ph\u00fat.', '336190'],
  ['id', 'Kode OTP Anda', 'Halo Ada,\n\nMasukkan kode OTP 728 064 untuk melanjutkan. Jangan berikan kepada siapa pun.', '728064'],
  ['th', '\u0e23\u0e2b\u0e31\u0e2a\u0e22\u0e37\u0e19\u0e22\u0e31\u0e19', '\u0e23\u0e2b\u0e31\u0e2a\u0e22\u0e37\u0e19\u0e22\u0e31\u0e19\u0e02\u0e2d\u0e07\u0e04\u0e38\u0e13\u0e04\u0e37\u0e2d 850 273 \u0e43\u0e0a\u0e49\u0e44\u0e14\u0e49\u0e20\u0e32\u0e22\u0e43\u0e19 5 \u0e19\u0e32\u0e17\u0e35', '850273'],
  ['en', 'Continue in Sparrow', '<html><body><p>Hi!</p><p>Enter <strong>SPW-29461</strong> to continue signing in to Sparrow.</p><p style="font-size:11px">Sent at 14:05 on 21/11/2026 \u00b7 request 7781902</p></body></html>', 'SPW-29461'],
  ['en', 'Device authorization', 'A command-line tool wants access to your account.\n\nOpen https://id.example/device and enter the user code:\n\n    WDJB-MJHT\n\nThe user code expires in 15 minutes.', 'WDJB-MJHT'],
  ['en', 'Re: your sign in', 'Here you go, the bank sent it to me: the code is 774512, be quick, it is only good for two minutes.\n\nBob', '774512'],
  ['en', 'Wren: email change', 'You are changing the email of your account to ada@example.org.\n\nYour verification PIN is 90215.\n\nOld address: a***@example.com', '90215'],
  ['de', 'Anmeldung best\u00e4tigen', gmail('<p>Hallo Ada,</p><p>damit wir wissen, dass du es bist: <b>46 73 19</b></p><p>Das ist dein Code f\u00fcr die Anmeldung. Er gilt 10 Minuten.</p>'), '467319'],
  ['es', 'PIN temporal', 'Tu PIN temporal: 7264. Caduca en 2 horas.', '7264'],
]; // biome-ignore format: a table of mails reads best with one on a line.

// biome-ignore format: a table of mails reads best with one on a line.
const WITHOUT: readonly Observed[] = [
  ['en', 'Your ride on Saturday', 'Thanks for riding, Ada.\n\nTotal $18.40 \u00b7 6.2 mi \u00b7 14 min\nVisa \u2022\u2022\u2022\u2022 4417\nTrip 8830127\nPlate 7KLM482', null],
  ['en', 'Door access for the flat', 'Welcome! The building entrance is on Pine Street. The lockbox by the bike racks opens with the key; flat 3204 is on the third floor. Wi-Fi: Harbor_5G, see the card on the fridge.', null],
  ['en', 'Your package is at the desk', 'Pickup number 58213. Bring an ID. We keep it until 28 Nov 2026.', null],
  ['en', 'Deploy finished', 'web-7f9c4d deployed 4d21a9 in 318 s. Exit status 0. 1204 tests passed, 0 failed.', null],
  ['en', 'New login to your account', 'We noticed a login on 21 Nov 2026 at 14:05 from 203.0.113.77 (Lisbon). If it was you, no need to do anything. If not, secure your account: https://example.com/secure/771204', null],
  ['en', 'Save your recovery codes', 'Keep these recovery codes somewhere safe:\n\n4f2a-91bc\n77de-02aa\n19fe-8cc1\na0b1-c2d3\n\nEach can be used once.', null],
  ['en', 'Black Friday: 30% off with code NIGHT30', '<html><body><p>Use code <b>NIGHT30</b> at checkout. Ends 27/11.</p><p>Style 884120, $59.99</p></body></html>', null],
  ['de', 'Ihr Termin im B\u00fcrgeramt', 'Vorgangsnummer: 482913\nDatum: 24.11.2026, 10:40 Uhr\nZimmer 214\nBitte bringen Sie Ihren Ausweis mit.', null],
  ['fr', 'Votre billet de train', 'Dossier QZXW4T, voiture 12, place 87.\nParis 14:07 \u2192 Lyon 16:04\nTotal : 68,00 \u20ac', null],
  ['es', 'Recibo de luz', 'Contrato 4471 8820. Importe: 61,42 \u20ac. Lectura 20261101: 8834 kWh.', null],
  ['ja', '\u304a\u5c4a\u3051\u306e\u304a\u77e5\u3089\u305b', '\u4f1d\u7968\u756a\u53f7 4812-3390-1176\n\u304a\u5c4a\u3051\u4e88\u5b9a\u65e5 11\u670824\u65e5 14\u6642-16\u6642', null],
  ['zh', '\u5feb\u9012\u5230\u7ad9', '\u60a8\u7684\u5305\u88f9\u5df2\u5230\u9a7f\u7ad9\uff0c\u53d6\u4ef6\u7801 8-2-3316\uff0c\u8fd0\u5355\u53f7 7712309981', null],
  ['en', 'Your November statement', 'Opening balance 1,204.11\nClosing balance 988.02\nAccount 30241877, sort code 40-47-84', null],
  ['en', 'RSVP list', '142 guests said yes, 31 no. Table 7 seats 12. Send the list to the caterer by 18:00.', null],
  ['en', 'Verify your new address', '<html><body><p>Please press the button within 24 hours.</p><p><a href="https://example.com/v/839201?c=113355">Verify address</a></p><p>Norra AB, Box 1204, 111 21 Stockholm</p></body></html>', null],
]; // biome-ignore format: a table of mails reads best with one on a line.

const asMail = ([language, subject, body, code]: Observed): CodeMail => {
  const text = /^\s*</.test(body) ? visibleText(body).text : body;
  return { name: `${language}, ${subject}`, language, subject, text, code };
};

export const observedMails = (): CodeMail[] => WITH_CODE.map(asMail);
export const observedPlain = (): CodeMail[] => WITHOUT.map(asMail);
