/** What services write around a one-time code, in one language. `{c}` is the code, `{a}` the service, `{n}` minutes. */
export interface Phrases {
  language: string;
  subjects: readonly string[];
  /** Sentences that hold the code. */
  inline: readonly string[];
  /** Lines that a code follows on a line of its own. */
  leads: readonly string[];
  /** A label before the code. */
  label: string;
  expiry: string;
  ignore: string;
  hello: string;
}

const p = (
  language: string,
  [subjects, inline, leads]: readonly [readonly string[], readonly string[], readonly string[]],
  [label, expiry, ignore, hello]: readonly [string, string, string, string],
): Phrases => ({ language, subjects, inline, leads, label, expiry, ignore, hello });

export const LANGUAGES: readonly Phrases[] = [
  p('en', [
    ['Your {a} verification code', 'Sign in to {a}', 'Confirm your email address', '{c} is your {a} code', 'Finish creating your account'],
    ['Your verification code is {c}.', '{c} is your {a} confirmation code.', 'Use code {c} to log in to {a}.', 'Please enter {c} to verify your email.', 'Your one-time password (OTP) for {a} is {c}.'],
    ['Enter this code to finish signing in:', 'Copy the code below into the {a} app to confirm it is you.', 'Here is your one-time code:', 'Use the following code to verify your identity'],
  ], ['Verification code', 'This code expires in {n} minutes.', 'If you did not request this, you can ignore this email.', 'Hi Ada,']),
  p('de', [
    ['Dein {a}-Best\u00e4tigungscode', 'Anmeldung bei {a}', 'E-Mail-Adresse best\u00e4tigen', 'Ihr Sicherheitscode'],
    ['Dein Best\u00e4tigungscode lautet {c}.', 'Ihr Einmalpasswort f\u00fcr {a} ist {c}.', 'Mit dem Code {c} melden Sie sich bei {a} an.', 'Der Sicherheitscode {c} ist nur kurz g\u00fcltig.'],
    ['Gib diesen Code ein, um die Anmeldung abzuschlie\u00dfen:', 'Ihr Code zur Best\u00e4tigung:', 'Bitte verwenden Sie den folgenden Anmeldecode'],
  ], ['Best\u00e4tigungscode', 'Der Code ist {n} Minuten g\u00fcltig.', 'Wenn du das nicht warst, ignoriere diese E-Mail.', 'Hallo Ada,']),
  p('fr', [
    ['Votre code de v\u00e9rification {a}', 'Connexion \u00e0 {a}', 'Confirmez votre adresse e-mail', 'Code de s\u00e9curit\u00e9'],
    ['Votre code de v\u00e9rification est {c}.', 'Le code de confirmation {a} est : {c}', 'Saisissez {c} pour valider votre connexion, c\u2019est votre code de connexion.', 'Votre code d\u2019acc\u00e8s \u00e0 usage unique : {c}'],
    ['Saisissez ce code pour vous connecter :', 'Voici votre code de connexion :', 'Utilisez le code ci-dessous pour confirmer votre identit\u00e9'],
  ], ['Code de v\u00e9rification', 'Ce code expire dans {n} minutes.', 'Si vous n\u2019\u00eates pas \u00e0 l\u2019origine de cette demande, ignorez ce message.', 'Bonjour Ada,']),
  p('es', [
    ['Tu c\u00f3digo de verificaci\u00f3n de {a}', 'Inicia sesi\u00f3n en {a}', 'Confirma tu correo electr\u00f3nico', 'C\u00f3digo de seguridad'],
    ['Tu c\u00f3digo de verificaci\u00f3n es {c}.', 'El c\u00f3digo de acceso a {a} es: {c}', '{c} es tu c\u00f3digo de {a}.', 'Su clave de un solo uso es {c}.'],
    ['Introduce este c\u00f3digo para iniciar sesi\u00f3n:', 'Usa el siguiente c\u00f3digo para confirmar tu identidad', 'Aqu\u00ed tienes tu c\u00f3digo de confirmaci\u00f3n:'],
  ], ['C\u00f3digo de verificaci\u00f3n', 'Este c\u00f3digo caduca en {n} minutos.', 'Si no lo has solicitado, ignora este mensaje.', 'Hola, Ada:']),
  p('pt', [
    ['Seu c\u00f3digo de verifica\u00e7\u00e3o {a}', 'Entrar no {a}', 'Confirme seu e-mail', 'C\u00f3digo de seguran\u00e7a'],
    ['Seu c\u00f3digo de verifica\u00e7\u00e3o \u00e9 {c}.', 'O c\u00f3digo de acesso ao {a} \u00e9: {c}', 'Use o c\u00f3digo {c} para entrar.', 'A sua senha de uso \u00fanico \u00e9 {c}.'],
    ['Digite este c\u00f3digo para continuar:', 'Insira o c\u00f3digo abaixo para confirmar sua identidade:', 'Aqui est\u00e1 o seu c\u00f3digo de confirma\u00e7\u00e3o'],
  ], ['C\u00f3digo de confirma\u00e7\u00e3o', 'Este c\u00f3digo expira em {n} minutos.', 'Se voc\u00ea n\u00e3o solicitou, ignore este e-mail.', 'Ol\u00e1, Ada,']),
  p('it', [
    ['Il tuo codice di verifica {a}', 'Accedi a {a}', 'Conferma il tuo indirizzo email', 'Codice di sicurezza'],
    ['Il tuo codice di verifica \u00e8 {c}.', 'Il codice di accesso a {a} \u00e8: {c}', 'Usa il codice {c} per accedere.', 'La tua password monouso \u00e8 {c}.'],
    ['Inserisci questo codice per completare l\u2019accesso:', 'Ecco il tuo codice monouso:', 'Utilizza il seguente codice per confermare la tua identit\u00e0'],
  ], ['Codice di verifica', 'Il codice scade tra {n} minuti.', 'Se non hai richiesto tu il codice, ignora questa email.', 'Ciao Ada,']),
  p('nl', [
    ['Je {a}-verificatiecode', 'Inloggen bij {a}', 'Bevestig je e-mailadres', 'Beveiligingscode'],
    ['Je verificatiecode is {c}.', 'Gebruik code {c} om in te loggen bij {a}.', 'De inlogcode voor {a} is: {c}', 'Uw eenmalige code: {c}'],
    ['Voer deze code in om je aanmelding af te ronden:', 'Dit is je inlogcode:', 'Gebruik de onderstaande bevestigingscode'],
  ], ['Verificatiecode', 'De code is {n} minuten geldig.', 'Heb je dit niet aangevraagd? Negeer dan deze e-mail.', 'Hallo Ada,']),
  p('pl', [
    ['Tw\u00f3j kod weryfikacyjny {a}', 'Logowanie do {a}', 'Potwierd\u017a adres e-mail', 'Kod bezpiecze\u0144stwa'],
    ['Tw\u00f3j kod weryfikacyjny to {c}.', 'Kod logowania do {a}: {c}', 'Kod {c} pozwala zalogowa\u0107 si\u0119 do {a}.', 'Twoje has\u0142o jednorazowe: {c}'],
    ['Wpisz ten kod, aby doko\u0144czy\u0107 logowanie:', 'Oto Tw\u00f3j kod jednorazowy:', 'U\u017cyj poni\u017cszego kodu potwierdzaj\u0105cego'],
  ], ['Kod weryfikacyjny', 'Kod wygasa za {n} minut.', 'Je\u015bli to nie Ty, zignoruj t\u0119 wiadomo\u015b\u0107.', 'Cze\u015b\u0107 Ada,']),
  p('sv', [
    ['Din verifieringskod f\u00f6r {a}', 'Logga in p\u00e5 {a}', 'Bekr\u00e4fta din e-postadress', 'S\u00e4kerhetskod'],
    ['Din verifieringskod \u00e4r {c}.', 'Inloggningskoden till {a} \u00e4r {c}.', 'Ange koden {c} f\u00f6r att logga in.', 'Eng\u00e5ngskod: {c}'],
    ['Ange den h\u00e4r koden f\u00f6r att slutf\u00f6ra inloggningen:', 'H\u00e4r \u00e4r din eng\u00e5ngskod:', 'Anv\u00e4nd f\u00f6ljande s\u00e4kerhetskod'],
  ], ['Verifieringskod', 'Koden g\u00e4ller i {n} minuter.', 'Om du inte har beg\u00e4rt detta kan du bortse fr\u00e5n mejlet.', 'Hej Ada,']),
  p('tr', [
    ['{a} do\u011frulama kodunuz', '{a} hesab\u0131na giri\u015f', 'E-posta adresinizi do\u011frulay\u0131n', 'G\u00fcvenlik kodu'],
    ['Do\u011frulama kodunuz: {c}', '{a} i\u00e7in giri\u015f kodunuz {c}.', '{c} kodu ile giri\u015f yap\u0131n.', 'Tek kullan\u0131ml\u0131k \u015fifreniz {c}'],
    ['Giri\u015fi tamamlamak i\u00e7in bu kodu girin:', 'Do\u011frulama kodunuz a\u015fa\u011f\u0131dad\u0131r:', 'A\u015fa\u011f\u0131daki onay kodunu kullan\u0131n'],
  ], ['Do\u011frulama kodu', 'Bu kod {n} dakika ge\u00e7erlidir.', 'Bu iste\u011fi siz yapmad\u0131ysan\u0131z bu e-postay\u0131 dikkate almay\u0131n.', 'Merhaba Ada,']),
  p('ru', [
    ['\u041a\u043e\u0434 \u043f\u043e\u0434\u0442\u0432\u0435\u0440\u0436\u0434\u0435\u043d\u0438\u044f {a}', '\u0412\u0445\u043e\u0434 \u0432 {a}', '\u041f\u043e\u0434\u0442\u0432\u0435\u0440\u0434\u0438\u0442\u0435 \u0430\u0434\u0440\u0435\u0441', '\u041a\u043e\u0434 \u0431\u0435\u0437\u043e\u043f\u0430\u0441\u043d\u043e\u0441\u0442\u0438'],
    ['\u0412\u0430\u0448 \u043a\u043e\u0434 \u043f\u043e\u0434\u0442\u0432\u0435\u0440\u0436\u0434\u0435\u043d\u0438\u044f: {c}', '{c} \u2014 \u043a\u043e\u0434 \u0434\u043b\u044f \u0432\u0445\u043e\u0434\u0430 \u0432 {a}.', '\u041e\u0434\u043d\u043e\u0440\u0430\u0437\u043e\u0432\u044b\u0439 \u043f\u0430\u0440\u043e\u043b\u044c {c}. \u041d\u0438\u043a\u043e\u043c\u0443 \u0435\u0433\u043e \u043d\u0435 \u0441\u043e\u043e\u0431\u0449\u0430\u0439\u0442\u0435.', '\u0412\u0432\u0435\u0434\u0438\u0442\u0435 \u043a\u043e\u0434 {c}, \u0447\u0442\u043e\u0431\u044b \u0432\u043e\u0439\u0442\u0438.'],
    ['\u0412\u0432\u0435\u0434\u0438\u0442\u0435 \u044d\u0442\u043e\u0442 \u043a\u043e\u0434, \u0447\u0442\u043e\u0431\u044b \u0437\u0430\u0432\u0435\u0440\u0448\u0438\u0442\u044c \u0432\u0445\u043e\u0434:', '\u0412\u0430\u0448 \u043a\u043e\u0434 \u0434\u043b\u044f \u0432\u0445\u043e\u0434\u0430:', '\u0418\u0441\u043f\u043e\u043b\u044c\u0437\u0443\u0439\u0442\u0435 \u043f\u0440\u043e\u0432\u0435\u0440\u043e\u0447\u043d\u044b\u0439 \u043a\u043e\u0434 \u043d\u0438\u0436\u0435'],
  ], ['\u041a\u043e\u0434 \u043f\u043e\u0434\u0442\u0432\u0435\u0440\u0436\u0434\u0435\u043d\u0438\u044f', '\u041a\u043e\u0434 \u0434\u0435\u0439\u0441\u0442\u0432\u0443\u0435\u0442 {n} \u043c\u0438\u043d\u0443\u0442.', '\u0415\u0441\u043b\u0438 \u044d\u0442\u043e \u0431\u044b\u043b\u0438 \u043d\u0435 \u0432\u044b, \u043f\u0440\u043e\u0441\u0442\u043e \u043f\u0440\u043e\u0438\u0433\u043d\u043e\u0440\u0438\u0440\u0443\u0439\u0442\u0435 \u043f\u0438\u0441\u044c\u043c\u043e.', '\u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439\u0442\u0435!']),
  p('ar', [
    ['\u0631\u0645\u0632 \u0627\u0644\u062a\u062d\u0642\u0642 {a}', '\u062a\u0633\u062c\u064a\u0644 \u0627\u0644\u062f\u062e\u0648\u0644 \u0625\u0644\u0649 {a}', '\u0631\u0645\u0632 \u0627\u0644\u0623\u0645\u0627\u0646'],
    ['\u0631\u0645\u0632 \u0627\u0644\u062a\u062d\u0642\u0642 \u0627\u0644\u062e\u0627\u0635 \u0628\u0643 \u0647\u0648 {c}', '{c} \u0647\u0648 \u0631\u0645\u0632 \u0627\u0644\u062a\u0623\u0643\u064a\u062f.', '\u0631\u0645\u0632 \u0627\u0644\u062f\u062e\u0648\u0644: {c}'],
    ['\u0623\u062f\u062e\u0644 \u0631\u0645\u0632 \u0627\u0644\u062a\u062d\u0642\u0642 \u0627\u0644\u062a\u0627\u0644\u064a:', '\u0627\u0633\u062a\u062e\u062f\u0645 \u0647\u0630\u0627 \u0627\u0644\u0631\u0645\u0632 \u0644\u062a\u0633\u062c\u064a\u0644 \u0627\u0644\u062f\u062e\u0648\u0644:'],
  ], ['\u0631\u0645\u0632 \u0627\u0644\u062a\u062d\u0642\u0642', '\u062a\u0646\u062a\u0647\u064a \u0635\u0644\u0627\u062d\u064a\u0629 \u0627\u0644\u0631\u0645\u0632 \u062e\u0644\u0627\u0644 {n} \u062f\u0642\u0627\u0626\u0642.', '\u0625\u0630\u0627 \u0644\u0645 \u062a\u0637\u0644\u0628 \u0630\u0644\u0643 \u0641\u062a\u062c\u0627\u0647\u0644 \u0647\u0630\u0647 \u0627\u0644\u0631\u0633\u0627\u0644\u0629.', '\u0645\u0631\u062d\u0628\u0627\u060c']),
  p('he', [
    ['\u05e7\u05d5\u05d3 \u05d4\u05d0\u05d9\u05de\u05d5\u05ea \u05e9\u05dc\u05da', '\u05d4\u05ea\u05d7\u05d1\u05e8\u05d5\u05ea \u05dc-{a}'],
    ['\u05e7\u05d5\u05d3 \u05d4\u05d0\u05d9\u05de\u05d5\u05ea \u05e9\u05dc\u05da \u05d4\u05d5\u05d0 {c}', '\u05e7\u05d5\u05d3 \u05d7\u05d3 \u05e4\u05e2\u05de\u05d9: {c}', '{c} \u05d4\u05d5\u05d0 \u05e7\u05d5\u05d3 \u05d4\u05db\u05e0\u05d9\u05e1\u05d4 \u05e9\u05dc\u05da'],
    ['\u05d4\u05d6\u05e0\u05d9\u05dd \u05d0\u05ea \u05e7\u05d5\u05d3 \u05d4\u05d0\u05d9\u05de\u05d5\u05ea \u05d4\u05d1\u05d0:', '\u05d6\u05d4\u05d5 \u05d4\u05e7\u05d5\u05d3 \u05e9\u05dc\u05da:'],
  ], ['\u05e7\u05d5\u05d3 \u05d0\u05d9\u05de\u05d5\u05ea', '\u05d4\u05e7\u05d5\u05d3 \u05ea\u05e7\u05e3 \u05dc-{n} \u05d3\u05e7\u05d5\u05ea.', '\u05d0\u05dd \u05dc\u05d0 \u05d1\u05d9\u05e7\u05e9\u05ea \u05d0\u05ea \u05d6\u05d4, \u05d0\u05e4\u05e9\u05e8 \u05dc\u05d4\u05ea\u05e2\u05dc\u05dd.', '\u05e9\u05dc\u05d5\u05dd,']),
  p('hi', [
    ['\u0906\u092a\u0915\u093e \u0938\u0924\u094d\u092f\u093e\u092a\u0928 \u0915\u094b\u0921', '{a} \u092e\u0947\u0902 \u0932\u0949\u0917 \u0907\u0928'],
    ['\u0906\u092a\u0915\u093e \u0938\u0924\u094d\u092f\u093e\u092a\u0928 \u0915\u094b\u0921 {c} \u0939\u0948\u0964', '{c} \u0906\u092a\u0915\u093e \u0932\u0949\u0917\u093f\u0928 \u0915\u094b\u0921 \u0939\u0948\u0964', '\u0906\u092a\u0915\u093e \u0913\u091f\u0940\u092a\u0940: {c}'],
    ['\u0932\u0949\u0917 \u0907\u0928 \u0915\u0930\u0928\u0947 \u0915\u0947 \u0932\u093f\u090f \u092f\u0939 \u0915\u094b\u0921 \u0926\u0930\u094d\u091c \u0915\u0930\u0947\u0902:', '\u0906\u092a\u0915\u093e \u0938\u0941\u0930\u0915\u094d\u0937\u093e \u0915\u094b\u0921:'],
  ], ['\u0938\u0924\u094d\u092f\u093e\u092a\u0928 \u0915\u094b\u0921', '\u092f\u0939 \u0915\u094b\u0921 {n} \u092e\u093f\u0928\u091f \u092e\u0947\u0902 \u0938\u092e\u093e\u092a\u094d\u0924 \u0939\u094b \u091c\u093e\u090f\u0917\u093e\u0964', '\u092f\u0926\u093f \u092f\u0939 \u0906\u092a \u0928\u0939\u0940\u0902 \u0925\u0947, \u0924\u094b \u0907\u0938 \u0938\u0902\u0926\u0947\u0936 \u0915\u094b \u0905\u0928\u0926\u0947\u0916\u093e \u0915\u0930\u0947\u0902\u0964', '\u0928\u092e\u0938\u094d\u0924\u0947,']),
  p('zh', [
    ['{a} \u9a8c\u8bc1\u7801', '\u767b\u5f55 {a}', '\u90ae\u7bb1\u9a8c\u8bc1', '\u5b89\u5168\u7801'],
    ['\u60a8\u7684\u9a8c\u8bc1\u7801\u662f {c}\u3002', '\u9a8c\u8bc1\u7801\uff1a{c}\uff0c\u8bf7\u52ff\u6cc4\u9732\u7ed9\u4ed6\u4eba\u3002', '\u3010{a}\u3011{c} \u4e3a\u60a8\u7684\u767b\u5f55\u9a8c\u8bc1\u7801\u3002', '\u60a8\u6b63\u5728\u767b\u5f55\uff0c\u52a8\u6001\u5bc6\u7801 {c}\u3002'],
    ['\u8bf7\u8f93\u5165\u4ee5\u4e0b\u9a8c\u8bc1\u7801\u5b8c\u6210\u767b\u5f55\uff1a', '\u60a8\u7684\u4e00\u6b21\u6027\u9a8c\u8bc1\u7801\uff1a'],
  ], ['\u9a8c\u8bc1\u7801', '{n} \u5206\u949f\u5185\u6709\u6548\u3002', '\u5982\u975e\u672c\u4eba\u64cd\u4f5c\uff0c\u8bf7\u5ffd\u7565\u672c\u90ae\u4ef6\u3002', '\u60a8\u597d\uff1a']),
  p('ja', [
    ['\u3010{a}\u3011\u8a8d\u8a3c\u30b3\u30fc\u30c9\u306e\u304a\u77e5\u3089\u305b', '{a} \u30ed\u30b0\u30a4\u30f3\u78ba\u8a8d', '\u30e1\u30fc\u30eb\u30a2\u30c9\u30ec\u30b9\u306e\u78ba\u8a8d'],
    ['\u8a8d\u8a3c\u30b3\u30fc\u30c9\u306f {c} \u3067\u3059\u3002', '\u78ba\u8a8d\u30b3\u30fc\u30c9\uff1a{c}', '\u30ef\u30f3\u30bf\u30a4\u30e0\u30d1\u30b9\u30ef\u30fc\u30c9\u306f\u300c{c}\u300d\u3067\u3059\u3002', '\u30ed\u30b0\u30a4\u30f3\u30b3\u30fc\u30c9 {c} \u3092\u5165\u529b\u3057\u3066\u304f\u3060\u3055\u3044\u3002'],
    ['\u4ee5\u4e0b\u306e\u8a8d\u8a3c\u30b3\u30fc\u30c9\u3092\u5165\u529b\u3057\u3066\u304f\u3060\u3055\u3044\u3002', '\u8a8d\u8a3c\u756a\u53f7\uff1a'],
  ], ['\u8a8d\u8a3c\u30b3\u30fc\u30c9', '\u6709\u52b9\u671f\u9650\u306f {n} \u5206\u3067\u3059\u3002', '\u304a\u5fc3\u5f53\u305f\u308a\u306e\u306a\u3044\u5834\u5408\u306f\u3001\u3053\u306e\u30e1\u30fc\u30eb\u3092\u7834\u68c4\u3057\u3066\u304f\u3060\u3055\u3044\u3002', 'Ada \u69d8']),
  p('ko', [
    ['[{a}] \uc778\uc99d\ubc88\ud638 \uc548\ub0b4', '{a} \ub85c\uadf8\uc778', '\uc774\uba54\uc77c \uc778\uc99d'],
    ['\uc778\uc99d\ubc88\ud638\ub294 [{c}] \uc785\ub2c8\ub2e4.', '\uc778\uc99d \ucf54\ub4dc: {c}', '\ub85c\uadf8\uc778 \ucf54\ub4dc {c} \ub97c \uc785\ub825\ud574 \uc8fc\uc138\uc694.', '\uc77c\ud68c\uc6a9 \ube44\ubc00\ubc88\ud638\ub294 {c}\uc785\ub2c8\ub2e4.'],
    ['\uc544\ub798 \uc778\uc99d\ubc88\ud638\ub97c \uc785\ub825\ud574 \uc8fc\uc138\uc694.', '\ud655\uc778 \ucf54\ub4dc:'],
  ], ['\uc778\uc99d\ubc88\ud638', '\uc774 \ucf54\ub4dc\ub294 {n}\ubd84 \ub3d9\uc548 \uc720\ud6a8\ud569\ub2c8\ub2e4.', '\uc694\uccad\ud558\uc9c0 \uc54a\uc558\ub2e4\uba74 \uc774 \uba54\uc77c\uc744 \ubb34\uc2dc\ud558\uc138\uc694.', '\uc548\ub155\ud558\uc138\uc694, Ada\ub2d8']),
  p('vi', [
    ['M\u00e3 x\u00e1c minh {a}', '\u0110\u0103ng nh\u1eadp {a}', 'M\u00e3 b\u1ea3o m\u1eadt'],
    ['M\u00e3 x\u00e1c minh c\u1ee7a b\u1ea1n l\u00e0 {c}.', '{c} l\u00e0 m\u00e3 x\u00e1c nh\u1eadn {a} c\u1ee7a b\u1ea1n.', 'M\u00e3 OTP: {c}'],
    ['Nh\u1eadp m\u00e3 x\u00e1c nh\u1eadn d\u01b0\u1edbi \u0111\u00e2y:', 'M\u00e3 \u0111\u0103ng nh\u1eadp c\u1ee7a b\u1ea1n:'],
  ], ['M\u00e3 x\u00e1c minh', 'M\u00e3 h\u1ebft h\u1ea1n sau {n} ph\u00fat.', 'N\u1ebfu b\u1ea1n kh\u00f4ng y\u00eau c\u1ea7u, h\u00e3y b\u1ecf qua email n\u00e0y.', 'Ch\u00e0o Ada,']),
  p('id', [
    ['Kode verifikasi {a}', 'Masuk ke {a}', 'Konfirmasi email Anda'],
    ['Kode verifikasi Anda adalah {c}.', '{c} adalah kode OTP {a} Anda.', 'Gunakan kode {c} untuk masuk.'],
    ['Masukkan kode berikut untuk masuk:', 'Kode sekali pakai Anda:'],
  ], ['Kode verifikasi', 'Kode berlaku selama {n} menit.', 'Abaikan email ini jika Anda tidak memintanya.', 'Halo Ada,']),
  p('uk', [
    ['\u041a\u043e\u0434 \u043f\u0456\u0434\u0442\u0432\u0435\u0440\u0434\u0436\u0435\u043d\u043d\u044f {a}', '\u0412\u0445\u0456\u0434 \u0434\u043e {a}'],
    ['\u0412\u0430\u0448 \u043a\u043e\u0434 \u043f\u0456\u0434\u0442\u0432\u0435\u0440\u0434\u0436\u0435\u043d\u043d\u044f: {c}', '{c} \u2014 \u043a\u043e\u0434 \u0434\u043b\u044f \u0432\u0445\u043e\u0434\u0443.'],
    ['\u0412\u0432\u0435\u0434\u0456\u0442\u044c \u043a\u043e\u0434 \u043f\u0435\u0440\u0435\u0432\u0456\u0440\u043a\u0438:', '\u0412\u0430\u0448 \u043e\u0434\u043d\u043e\u0440\u0430\u0437\u043e\u0432\u0438\u0439 \u043a\u043e\u0434:'],
  ], ['\u041a\u043e\u0434 \u043f\u0456\u0434\u0442\u0432\u0435\u0440\u0434\u0436\u0435\u043d\u043d\u044f', '\u041a\u043e\u0434 \u0434\u0456\u0454 {n} \u0445\u0432\u0438\u043b\u0438\u043d.', '\u042f\u043a\u0449\u043e \u0446\u0435 \u0431\u0443\u043b\u0438 \u043d\u0435 \u0432\u0438, \u043f\u0440\u043e\u0456\u0433\u043d\u043e\u0440\u0443\u0439\u0442\u0435 \u043b\u0438\u0441\u0442.', '\u0412\u0456\u0442\u0430\u0454\u043c\u043e!']),
  p('cs', [
    ['V\u00e1\u0161 ov\u011b\u0159ovac\u00ed k\u00f3d {a}', 'P\u0159ihl\u00e1\u0161en\u00ed do {a}'],
    ['V\u00e1\u0161 ov\u011b\u0159ovac\u00ed k\u00f3d je {c}.', 'Jednor\u00e1zov\u00e9 heslo: {c}'],
    ['Zadejte tento bezpe\u010dnostn\u00ed k\u00f3d:', 'Potvrzovac\u00ed k\u00f3d pro p\u0159ihl\u00e1\u0161en\u00ed'],
  ], ['Ov\u011b\u0159ovac\u00ed k\u00f3d', 'K\u00f3d plat\u00ed {n} minut.', 'Pokud jste o k\u00f3d ne\u017e\u00e1dali, e-mail ignorujte.', 'Dobr\u00fd den,']),
]; // biome-ignore format: a table of phrases reads best filled.
