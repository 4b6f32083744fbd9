/**
 * Words that stand beside one-time codes in mail, in the languages that services write in. Each entry is a part of a
 * regular expression over normalised text: lower case matters not, hyphens and spaces are the same, no ignorable
 * characters. A stem ends in `*`, which stands for further letters of the word.
 */

/** Phrases that name a one-time code and hardly anything else. */
export const CODE_PHRASES: readonly string[] = [
  // English
  'verif* code', 'verif* pin', 'verification number', 'confirm* code', 'security code', 'log ?in code', 'log in code',
  'sign ?in code', 'sign in code', 'sign ?up code', 'access code', 'authenticat* code', 'auth code', 'one time code',
  'one time pass*', 'one time pin', 'single use code', 'single use pass*', 'temporary code', 'temporary pass*',
  'temporary pin', 'passcode', 'pass code', 'otp', 'otp code', '[2t][fw][ao]? ?factor code', '2fa code', '2 ?step code',
  'activation code', 'authoriz* code', 'authoris* code', 'validation code', 'magic code', 'reset code',
  'password reset code', 'recovery code', 'registration code', 'device code', 'unlock code', 'pairing code',
  'secret code', 'secure code', 'verif* key', 'launch code', 'log ?in key', 'log ?in token', 'confirm* pin', 'identity code', 'steam guard code', 'email code',
  'code (?:to|for) (?:verif*|confirm*|log*|sign*|complet*|continu*|finish*|activat*|reset*|access*|authenticat*|authoriz*|authoris*|validat*|proceed*|chang*|link*|unlock*|your (?:account|log*|sign*|email))',
  '\\d digit (?:code|pin|number)',
  '(?:enter|type|use|copy|input) (?:these|the|the following) (?:four|five|six|seven|eight|\\d) (?:digits|characters|letters)', 'zi(?:ff|f)ernfolge', 'zahlenfolge', 'zahlencode', '(?:quatre|cinq|six|sept|huit|\\d) chiffres (?:suivants|ci dessous)', '(?:estos|los siguientes|os seguintes|estes) (?:cuatro|cinco|seis|\\d) d[i\u00ed]gitos',
  'second factor', 'pairing pin', 'security pin', 'log ?in pin', 'sign ?in pin', 'security token', 'verification token', 'log ?in token',
  // German
  '(?:best\u00e4tigungs|verifizierungs|verifikations|sicherheits|anmelde|login|zugangs|zugriffs|einmal|aktivierungs|freischalt|authentifizierungs|pr\u00fcf|registrierungs|einlog|autorisierungs|validierungs|freigabe) ?(?:code|pin|kennwort|passwort|schl\u00fcssel|nummer)*',
  'mtan', 'sms tan', 'code (?:zur|f\u00fcr die|f\u00fcr deine|f\u00fcr ihre|zum) (?:best\u00e4tig*|anmeld*|verifiz*|einlog*|login|registr*|aktivier*|fortfahren|zur\u00fccksetz*)',
  // French
  'code (?:de |d )(?:v\u00e9rification|confirmation|s\u00e9curit\u00e9|connexion|acc\u00e8s|authentification|activation|validation|identification|autorisation|r\u00e9initialisation|d\u00e9verrouillage)',
  'code \u00e0 usage unique', 'mot de passe (?:\u00e0 usage unique|temporaire|unique)', 'code (?:unique|temporaire|secret|confidentiel|otp)',
  'code pour (?:vous connecter|confirmer|v\u00e9rifier|valider|activer)',
  // Spanish
  'c[o\u00f3]digo (?:de |para )(?:su |tu )?(?:verificaci[o\u00f3]n|confirmaci[o\u00f3]n|seguridad|acceso|acceder|inicio de sesi[o\u00f3]n|iniciar sesi[o\u00f3]n|autenticaci[o\u00f3]n|activaci[o\u00f3]n|autorizaci[o\u00f3]n|validaci[o\u00f3]n|un (?:solo|\u00fanico) uso|uso \u00fanico|verificar|confirmar|registro|ingreso|restablec*|recuperaci[o\u00f3]n)',
  'contrase\u00f1a (?:de un solo uso|temporal|de uso \u00fanico)', 'c[o\u00f3]digo (?:temporal|\u00fanico|otp|secreto)', 'clave (?:de acceso|temporal|din\u00e1mica|de un solo uso|de seguridad|de verificaci[o\u00f3]n)',
  // Portuguese
  'c[o\u00f3]digo (?:de |para )(?:a sua |sua )?(?:verifica\u00e7\u00e3o|confirma\u00e7\u00e3o|seguran\u00e7a|acesso|acessar|autentica\u00e7\u00e3o|ativa\u00e7\u00e3o|autoriza\u00e7\u00e3o|valida\u00e7\u00e3o|uso \u00fanico|utiliza\u00e7\u00e3o \u00fanica|login|entrar|entrada|in\u00edcio de sess\u00e3o|iniciar sess\u00e3o|verificar|confirmar|recupera\u00e7\u00e3o|redefini\u00e7\u00e3o)',
  'senha (?:de uso \u00fanico|tempor\u00e1ria|\u00fanica|descart\u00e1vel)', 'c[o\u00f3]digo (?:tempor\u00e1rio|\u00fanico|otp)', 'palavra passe (?:de utiliza\u00e7\u00e3o \u00fanica|tempor\u00e1ria|\u00fanica)',
  // Italian
  'codice (?:di |per |d )(?:verifica|conferma|sicurezza|accesso|accedere|autenticazione|attivazione|autorizzazione|convalida|validazione|login|verificare|confermare|recupero|sblocco|registrazione|identificazione)',
  'codice (?:monouso|temporaneo|usa e getta|otp|univoco|segreto)', 'password (?:monouso|temporanea|usa e getta)',
  // Dutch
  '(?:verificatie|bevestigings|beveiligings|inlog|toegangs|activerings|activatie|authenticatie|aanmeld|controle|login|herstel|validatie|registratie|veiligheids) ?code', 'eenmalige (?:code|toegangscode|inlogcode|pincode)', 'eenmalig wachtwoord',
  'code om (?:in te loggen|je aan te melden|te bevestigen|te verifi\u00ebren)',
  // Polish
  'kod* (?:weryfikac*|potwierdz*|bezpiecze\u0144stwa|logowania|do logowania|dost\u0119pu|jednorazow*|aktywac*|uwierzytelni*|autoryzac*|zabezpiecz*)', 'jednorazow* kod*', 'jednorazow* has\u0142*', 'has\u0142* jednorazow*',
  // Swedish, Danish, Norwegian, Finnish, Icelandic
  '(?:verifierings|bekr\u00e4ftelse|s\u00e4kerhets|inloggnings|eng\u00e5ngs|aktiverings|\u00e5tkomst|autentiserings|kontroll)kod*', 'eng\u00e5ngsl\u00f6senord*',
  '(?:bekr\u00e6ftelses|verifikations|verificerings|sikkerheds|login|log ind|engangs|aktiverings|adgangs|godkendelses)kode*', 'engangsadgangskode*',
  '(?:bekreftelses|verifiserings|verifikasjons|sikkerhets|p\u00e5loggings|innloggings|engangs|aktiverings|tilgangs|autentiserings)kode*', 'engangspassord*',
  '(?:vahvistus|turva|turvallisuus|kirjautumis|kertak\u00e4ytt\u00f6|kerta|tunnistautumis|aktivointi|todennus|varmennus|p\u00e4\u00e4sy)koodi*', 'kertak\u00e4ytt\u00f6i* (?:koodi*|salasana*)', 'kertasalasana*', 'sta\u00f0festingark\u00f3\u00f0i*', '\u00f6ryggisk\u00f3\u00f0i*',
  // Czech, Slovak, Hungarian, Romanian, Croatian, Slovenian
  '(?:ov\u011b\u0159ovac*|potvrzovac*|bezpe\u010dnostn*|p\u0159ihla\u0161ovac*|jednor\u00e1zov*|aktiva\u010dn*|p\u0159\u00edstupov*|autoriza\u010dn*|overovac*|potvrdzovac*|bezpe\u010dnostn*|prihlasovac*|jednorazov*) (?:k\u00f3d*|hesl*)', 'k\u00f3d* pro (?:ov\u011b\u0159en*|p\u0159ihl\u00e1\u0161en*|potvrzen*)',
  '(?:ellen\u0151rz\u0151|meger\u0151s\u00edt\u0151|biztons\u00e1gi|bel\u00e9p\u00e9si|bejelentkez\u00e9si|egyszer haszn\u00e1latos|egyszeri|hiteles\u00edt\u0151|hiteles\u00edt\u00e9si|aktiv\u00e1l\u00f3|aktiv\u00e1ci\u00f3s|azonos\u00edt\u00f3) (?:k\u00f3d*|jelsz*)',
  'cod*(?: t\u0103u| dvs| dumneavoastr\u0103)? de (?:verificare|confirmare|securitate|acces|autentificare|activare|conectare|validare|unic\u0103 folosin\u021b\u0103|autorizare)', 'parol* de unic\u0103 folosin\u021b\u0103', 'cod unic',
  '(?:potvrdni|verifikacijski|sigurnosni|jednokratni|aktivacijski|kontrolni|pristupni|potrditven*|varnostn*|enkratn*|verifikacioni) (?:kod*|kot|k\u014fd*|lozink*|gesl*)', 'kod* za (?:potvrdu|prijavu|verifikaciju)',
  // Turkish
  '(?:do\u011frulama|onay|g\u00fcvenlik|giri\u015f|eri\u015fim|aktivasyon|oturum a\u00e7ma|etkinle\u015ftirme|teyit) (?:kod|\u015fifre)*', 'tek kullan\u0131ml\u0131k (?:kod|\u015fifre|parola)*', 'tek seferlik (?:kod|\u015fifre|parola)*',
  // Russian, Ukrainian, Bulgarian, Serbian, Greek
  'код* (?:подтвержд*|проверки|верификации|безопасности|для (?:входа|подтвержд*|авторизации|регистрации|проверки|доступа|завершения)|входа|доступа|активации|авторизации|аутентификации|восстановления)', '(?:проверочн*|одноразов*|защитн*|секретн*|временн*) (?:код*|парол*|пин*)', 'парол* для входа',
  'код* (?:підтвердження|перевірки|верифікації|безпеки|для (?:входу|підтвердження|авторизації|реєстрації)|входу|доступу|активації|авторизації)', '(?:одноразов*|перевірочн*|тимчасов*) (?:код*|парол*)',
  'код* за (?:потвърждение|вход|достъп|сигурност|активиране|проверка|потврду|пријаву)', '(?:потвърдителен|еднократ*|верификационен|верификациони|сигурносни|једнократн*|потврдни) (?:код*|парол*|лозинк*)',
  'κωδικ* (?:επαλ[η\u03ae]θευσης|επιβεβα[ι\u03af]ωσης|ασφαλε[ι\u03af]ας|πρ[ο\u03cc]σβασης|σ[υ\u03cd]νδεσης|μ[ι\u03af]ας χρ[η\u03ae]σης|ενεργοπο[ι\u03af]ησης|εισ[ο\u03cc]δου)',
  // Arabic, Persian, Urdu, Hebrew
  '(?:رمز|كود|الرمز|الكود) (?:ال)?(?:تحقق|تأكيد|تاكيد|أمان|امان|دخول|تسجيل الدخول|تفعيل|مصادقة|سري|مؤقت|وصول|توثيق)*', '(?:رمز|كود|كلمة (?:ال)?(?:مرور|سر)) (?:صالحة? )?(?:لمرة واحدة|لمره واحده|مؤقتة)', 'رمز (?:الاستخدام|لاستخدام) لمرة واحدة',
  'كد (?:تایید|تأیید|ورود|فعالسازی|امنیتی|احراز هویت|یکبار مصرف)', 'کد (?:تایید|تأیید|ورود|فعالسازی|فعال سازی|امنیتی|احراز هویت|یکبار مصرف)', 'رمز (?:یکبار مصرف|یک بار مصرف|پویا|موقت|عبور)', 'تصدیقی کوڈ', '(?:او ٹی پی|تصدیق کا کوڈ)',
  'קוד (?:ה)?(?:אימות|אישור|כניסה|התחברות|חד פעמי|אבטחה|גישה|הפעלה|זיהוי|וידוא)', 'סיסמ[הא] (?:ה)?חד פעמית', 'סיסמ[הא] זמנית',
  // Hindi, Bengali, Tamil, Telugu, Marathi
  '(?:सत्यापन|पुष्टिकरण|सुरक्षा|लॉगिन|लॉग इन|एक्सेस|प्रमाणीकरण|वेरिफिकेशन|पुष्टि) कोड', 'ओटीपी', 'वन टाइम (?:पासवर्ड|पासकोड)', 'एक बार (?:का|उपयोग).{0,12}(?:कोड|पासवर्ड)', '(?:यांचा|पडताळणी) कोड', '(?:যাচাইকরণ|নিশ্চিতকরণ|নিরাপত্তা) কোড', 'ওটিপি', 'சரிபார்ப்பு (?:குறியீடு|குறியீடு)*', 'ధృవీకరణ కోడ్',
  // Chinese, Japanese, Korean
  '验证码', '驗證碼', '校验码', '校驗碼', '动态码', '動態碼', '动态密码', '動態密碼', '确认码', '確認碼', '安全码', '安全碼', '登录码', '登入碼', '登录验证', '一次性(?:密码|密碼|代码|代碼|验证|驗證)', '认证码', '認證碼', '激活码', '啟用碼', '授权码', '授權碼', '(?:验证|驗證|登录|登入|安全|确认|確認|认证|認證)(?:代码|代碼|码|碼)', '随机码', '短信码', '口令',
  '(?:認証|確認|検証|ログイン|セキュリティ|セキュリティー|アクセス|本人確認|ワンタイム|パス|アクティベーション|承認|二段階認証|サインイン|登録)(?:用)? ?(?:コード|番号|キー|パスワード|パスコード|pin)', 'パスコード', 'ワンタイムパス', '暗証番号',
  '(?:인증|확인|보안|로그인|본인 ?확인|일회용|임시|액세스|활성화|승인|검증) ?(?:번호|코드|비밀번호|암호|키)', 'otp ?번호',
  // Vietnamese, Indonesian, Malay, Thai, Filipino
  'm\u00e3 (?:x\u00e1c minh|x\u00e1c nh\u1eadn|x\u00e1c th\u1ef1c|b\u1ea3o m\u1eadt|\u0111\u0103ng nh\u1eadp|otp|truy c\u1eadp|k\u00edch ho\u1ea1t|an to\u00e0n|pin)', 'm\u1eadt (?:kh\u1ea9u|m\u00e3) (?:m\u1ed9t l\u1ea7n|d\u00f9ng m\u1ed9t l\u1ea7n)',
  'kode (?:verifikasi|konfirmasi|keamanan|otp|masuk|akses|aktivasi|autentikasi|otorisasi|sekali pakai|login|rahasia)', '(?:kata sandi|sandi|password) sekali pakai', 'kod (?:pengesahan|keselamatan|akses|log masuk|pengaktifan|verifikasi)',
  'รหัส ?(?:ยืนยัน|otp|ความปลอดภัย|ผ่าน ?(?:แบบ)?ใช้?ครั้งเดียว|ครั้งเดียว|เข้าสู่ระบบ|การยืนยัน|ตรวจสอบ|เข้าใช้งาน|ผ่านชั่วคราว)', 'verification code mo', 'code ng beripikasyon',
]; // biome-ignore format: a table of words reads best filled.

/** Phrases that ask a reader to type a code of any kind: a shop asks for its own in the same words. */
export const TYPED_PHRASES: readonly string[] = [
  '(?:enter|type|input|provide|paste|submit|give) (?:this|the|the following|following|that) (?:\\d (?:digit|character) )?(?:code|pin|number)',
  '(?:use|copy) (?:this|the following|following) (?:\\d (?:digit|character) )?(?:code|pin|number)',
  '(?:gib|geben sie|gebe) (?:diesen|folgenden|den folgenden) code',
  '(?:saisissez|entrez|utilisez|saisir|entrer) (?:ce|le) code',
  '(?:introduce|introduzca|ingresa|ingrese|escribe|usa|utiliza) (?:este|el siguiente|el) c[o\u00f3]digo',
  '(?:digite|insira|introduza|use|utilize|informe) (?:este|o|o seguinte) c[o\u00f3]digo',
  '(?:inserisci|inserire|inserisca|usa|utilizza) (?:questo|il seguente|il) codice',
]; // biome-ignore format: a table of words reads best filled.

/** Words that may name a one-time code. They count only close to it. */
export const CODE_WORDS: readonly string[] = [
  'code', 'codes?', 'pin', 'token', 'tan', 'kode', 'kod', 'kodu', 'kodunuz', 'kodu?n?', 'k\u00f3d*', 'c[o\u00f3]digo', 'codice', 'cod', 'codul', 'koodi', 'koodisi', 'koden', 'clave', 'senha', 'k\u00f3\u00f0i',
  'код', 'кодът', 'пароль', 'пін', 'пин', 'κωδικ*', 'رمز', 'الرمز', 'رمزك', 'كود', 'الكود', 'کد', 'کوڈ', 'קוד', 'הקוד', 'קודך', 'कोड', 'কোড',
  '代码', '代碼', '密码', '密碼', '号码', 'コード', '番号', '코드', '번호', 'm\u00e3', 'm\u00e3 s\u1ed1', 'รหัส', '\u015fifre*', 'parola', 'parol', 'jelsz*', 'heslo',
]; // biome-ignore format: a table of words reads best filled.

/** Verbs that ask a reader to type what follows. */
export const TYPE_VERBS: readonly string[] = [
  'enter', 'type', 'input', 'use', 'submit', 'key in', 'punch in', 'tap in', 'paste', 'tippen sie', 'tippe', 'tragen sie', 'recopiez', 'copiez', 'tapez', 'escribe', 'escriba', 'teclea', 'digita', 'wprowad\u017a', 'sy\u00f6t\u00e4', 'adja meg', '\u00edrja be', 'introduce\u021bi', 'tast(?:e|a)', 'eingeben', 'gib', 'geben sie', 'verwende', 'saisissez', 'entrez', 'utilisez', 'introduce', 'introduzca', 'ingresa', 'ingrese', 'usa', 'digite', 'insira', 'informe', 'inserisci', 'voer', 'vul', 'wpisz', 'podaj', 'ange', 'indtast', 'skriv', 'zadejte', 'girin', 'введите', 'введіть', 'أدخل', 'הזן', 'הזינו', 'दर्ज करें', '输入', '輸入', '入力', '입력', 'nhập', 'masukkan', 'กรอก',
]; // biome-ignore format: a table of words reads best filled.

/** What a code that is typed serves for. */
export const PURPOSES: readonly string[] = [
  'sign* in', 'log* in', 'verif*', 'confirm*', 'continue', 'proceed', 'authoriz*', 'authoris*', 'unlock', 'anmeld*', 'einlogg*', 'best\u00e4tig*', 'freischalt*', 'connexion', 'connecter', 'confirmer', 'valider', 'entrar', 'acceder', 'iniciar sesi\u00f3n', 'confirmar', 'verificar', 'accedere', 'confermare', 'inloggen', 'bevestigen', 'zalogowa*', 'potwierdzi*', 'logga in', 'bekr\u00e4fta', 'logge p\u00e5', 'bekr\u00e6fte', '\u0432\u043e\u0439\u0442\u0438', '\u043f\u043e\u0434\u0442\u0432\u0435\u0440\u0434*', 'giri\u015f', 'do\u011frula*',
]; // biome-ignore format: a table of words reads best filled.

/** Labels of numbers that are no one-time codes: of orders, parcels, bookings, accounts, places, errors, offers. */
export const OTHER_NUMBERS: readonly string[] = [
  // English
  '(?:order|invoice|tracking|track|ticket|booking|reservation|reference|ref|case|claim|receipt|customer|client|member*|account|card|policy|contract|serial|model|part|item|product|sku|upc|ean|isbn|batch|lot|shipment|parcel|package|waybill|awb|flight|train|seat|gate|room|table|suite|unit|apt|apartment|building|floor|box|employee|student|patient|vehicle|licen[cs]e|registration|permit|passport|tax|vat|ein|iban|bic|swift|sort|routing|bank|transaction|transfer|payment|job|issue|bug|pull request|pr|merge|commit|build|release|version|revision|phone|tel|telephone|mobile|fax|call|dial|ext|extension|meeting|webinar|conference|event|lottery|raffle|survey|quote|estimate|po|rma|return|docket|application|request|ticket|confirmation) ?(?:code|id|no|nr|num|number|#|n\u00ba)s?',
  'order', 'orders', 'invoice', 'invoices', 'tracking', 'parcel', 'ticket', 'case', 'reference', 'ref', 'booking', 'reservation', 'itinerary', 'pnr', 'record locator', 'rma', 'sku', 'isbn', 'issue', 'build', 'version', 'release', 'gate', 'room', 'flight', 'seat', 'suite', 'apt', 'p\\.?o\\.? box', 'iban', 'meeting id', 'webinar id',
  'zip ?codes?', 'zip', 'post ?code', 'postal code', 'pick ?up code', 'collection code', 'locker code', '(?:code|token) (?:freeze|base|review|coverage|count|price|limit|usage|supply|length)', 'pin on', 'area code', 'country code', 'dial(?:ing)? code', 'error code', 'status code', 'exit code', 'response code', 'http', 'dress code', 'source code', 'qr code', 'bar ?code', 'sort code', 'swift code', 'bic', 'color code', 'colour code', 'hex code', 'unicode', 'product code', 'item code', 'tracking code', 'booking code', 'gate code', 'door code', 'building code', 'tax code', 'language code', 'currency code', 'airport code', 'morse code', 'code of conduct', 'lines of code', 'mcc', 'naics', 'vin',
  '(?:promo*|discount|coupon|gift|voucher|referral|invite|invitation|offer|reward*|redeem*|redemption|deal|savings?|checkout|cashback|bonus|partner|affiliate|student|friend*|loyalty|campaign|source|media|key|catalog*) ?(?:card ?)?codes?', 'gift card', 'coupon', 'voucher', 'promo', 'unread', 'balance', 'total', 'subtotal', 'amount', 'population',
  '(?:decline|reject*|reason|result|return|response|event|log|trouble|fault|diagnostic|class|course|project|cost|department|team|branch|store|agent|dealer|sales|privacy|building|area|network|station|port) codes?',
  'ending (?:in|with)', 'last (?:4|four)(?: digits)?', 'card ending', 'since', 'founded', 'copyright', '©', '\\(c\\)', 'founded in', 'established', 'suite', 'street', 'avenue', 'road', 'blvd',
  // German
  '(?:bestell|rechnungs|sendungs|kunden|auftrags|buchungs|vorgangs|vertrags|ticket|konto|karten|mitglieds|paket|artikel|reservierungs|telefon|fax|referenz|zimmer|flug|serien|personal|steuer|beleg|lieferschein|hotel|haus|aktenzeichen|gutschein|rabatt|aktions|geschenk|einl\u00f6se|postleit|fehler|produkt|versicherungs) ?(?:nummer|nr|code|zahl|id|karte)*', 'bestellung', 'rechnung', 'sendung', 'buchung', 'auftrag', 'gutschein', 'abhol(?:code|nummer)', 'plz', 'tel', 'hrb', 'hra', 'ust id*', 'steuernummer', 'artikel', 'kundennummer', 'aktion', 'rabatt',
  // French
  '(?:num\u00e9ro|n\u00b0|no|n\u00ba|r\u00e9f\u00e9rence|r\u00e9f|code) ?(?:de |d )?(?:la |l )?(?:commande|facture|suivi|r\u00e9servation|dossier|client|colis|compte|contrat|billet|vol|s\u00e9rie|t\u00e9l\u00e9phone|ticket|carte|transaction|postal|promo*|r\u00e9duction|avantage|cadeau|parrainage|barre*|produit|article|exp\u00e9dition|siret|siren|tva)', 'commande', 'facture', 'colis', 'siret', 'siren', 'code postal', 'code de retrait', 'adh\u00e9rent*', 'allocataire', 'code promo*', 'bon d achat', 'r\u00e9f\u00e9rence', 'bon de r\u00e9duction', 't\u00e9l', 'cedex', 'rcs',
  // Spanish, Portuguese
  '(?:n[u\u00fa]mero|n\u00ba|n\u00b0|no|c[o\u00f3]digo|referencia|ref|clave) ?(?:de |da |do |del )?(?:su |tu |seu |sua )?(?:pedido|factura|fatura|seguimiento|rastreio|rastreamento|env[i\u00ed]o|reserva|cliente|cuenta|conta|contrato|vuelo|voo|serie|s\u00e9rie|tel[e\u00e9]fono|telefone|ticket|caso|tarjeta|cart\u00e3o|orden|guia|gu\u00eda|postal|promocional|promo\u00e7\u00e3o|descuento|desconto|cup[o\u00f3]n|cupom|barras|producto|produto|error|erro|regalo|indica\u00e7\u00e3o|protocolo|transacci[o\u00f3]n|transa\u00e7\u00e3o|encomenda|nota fiscal)', 'pedido', 'factura', 'fatura', 'reserva', 'env[i\u00ed]o', 'encomenda', 'cup[o\u00f3]n', 'cupom', 'descuento', 'desconto', 'cep', 'cnpj', 'cpf', 'nif', 'cif', 'rfc', 'protocolo', 'c[o\u00f3]digo de (?:recogida|retiro|levantamento)', '(?:n[u\u00fa]mero de )?(?:socio|s\u00f3cio)', 'tel', 'boleto',
  // Italian, Dutch, Polish
  '(?:numero|n\u00b0|nr|codice|rif*) ?(?:di |del |della |d )?(?:ordine|fattura|spedizione|tracciamento|prenotazione|cliente|conto|contratto|volo|serie|telefono|pratica|ticket|biglietto|carta|sconto|promo*|regalo|coupon|fiscale|postale|errore|prodotto|articolo|a barre|pacco)', 'ordine', 'fattura', 'spedizione', 'prenotazione', 'codice fiscale', 'codice (?:di )?(?:ritiro|postale)', 'tessera', 'cap', 'p\\.? ?iva', 'sconto', 'buono',
  '(?:bestel|factuur|klant|order|zending*|track|boekings|reserverings|ticket|rekening|contract|referentie|dossier|lidmaatschaps|artikel|telefoon|kamer|vlucht|kortings|actie|cadeau|post|fout|product|waardebon)s? ?(?:nummer|nr|code|kaart|bon)*', 'bestelling', 'factuur', 'kvk', 'btw', 'pakket', 'korting',
  '(?:numer|nr|kod|kodem) ?(?:zam\u00f3wieni*|faktur*|przesy\u0142k*|rezerwacj*|klient*|konta|umowy|referencyjn*|telefonu|zg\u0142oszeni*|lotu|paczk*|rabatow*|promocyjn*|pocztow*|b\u0142\u0119du|produktu|kreskow*)', 'zam\u00f3wieni*', 'faktur*', 'przesy\u0142k*', 'rabat*', 'nip', 'regon', 'krs',
  // Nordic, Czech, Hungarian, Romanian, Turkish, Greek
  '(?:order|faktura|kund|kunde|ordre|bestillings|sporings|sp\u00e5rnings|boknings|booking|reservations|bestilling*|forsendelses|f\u00f6rs\u00e4ndelse|rabatt|rabat|kampanj|presentkort|gavekort|post|tilbuds|cvr|org|\u00e4rende|sags|saks|tilaus|lasku|seuranta|asiakas|varaus|alennus|posti)s? ?(?:nummer|nr|numero|koodi|kod|kode|tunnus)*', 'cod*(?: po\u0219tal)', 'po\u0161tanski broj', 'objedn\u00e1v*', 'faktur*', 'z\u00e1silk*', 'ps\u010d', 'slev*', 'i\u010do', 'rendel*', 'sz\u00e1ml*', 'csomag*', 'foglal*', 'kupon*', 'ir\u00e1ny\u00edt\u00f3sz\u00e1m', 'comand*', 'factur*', 'colet*', 'rezerv*', 'reducere', 'sipari\u015f*', 'fatura*', 'kargo*', 'takip*', 'rezervasyon*', 'indirim*', 'kupon*', 'posta kodu', 'm\u00fc\u015fteri n*', 'παραγγελ*', 'ταχυδρομικ* κωδικ*', 'τιμολ*', 'αποστολ*', 'κρ[α\u03ac]τησ*', 'εκπτωτικ*', 'κουπ[ο\u03cc]ν*',
  // Russian, Ukrainian
  '(?:номер*|№|код*) ?(?:заказ*|заказа|счет*|счёт*|отправлени*|бронировани*|брони|договор*|клиент*|телефон*|рейс*|заявк*|обращени*|посылк*|накладн*|товар*|ошибк*|скидк*|купон*|замовленн*|рахунк*|відправленн*|бронюванн*|договору|клієнт*|посилк*)', 'заказ*', 'посылк*', 'трек*', 'промокод*', 'скидк*', 'купон*', 'индекс', 'инн', 'огрн', 'тел', 'счет', 'счёт', 'рейс*', 'замовленн*', 'посилк*', 'знижк*', 'рахунок', 'ттн', 'поръчк*', 'фактур*',
  // Arabic, Persian, Hebrew, Hindi
  '(?:رقم|رمز|كود) (?:ال)?(?:طلب|فاتورة|شحنة|تتبع|حجز|عميل|حساب|هاتف|رحلة|تذكرة|خصم|بريدي|مرجعي|مرجع|كوبون|منتج|قسيمة)*', 'رقم الطلب', 'الطلب', 'الفاتورة', 'الشحنة', 'كوبون', 'خصم', 'شماره (?:سفارش|فاکتور|پیگیری|رزرو|تلفن|پرواز)', 'کد (?:تخفیف|پستی|رهگیری|سفارش)', 'מספר (?:ה)?(?:הזמנה|חשבונית|משלוח|מעקב|לקוח|טלפון|טיסה|פנייה)', 'קוד (?:ה)?(?:קופון|הנחה|מיקוד|הטבה)', 'הזמנה', 'חשבונית', 'קופון', 'מיקוד', '(?:ऑर्डर|चालान|ट्रैकिंग|बुकिंग|ग्राहक|इनवॉइस|टिकट|संदर्भ|खाता|फ़ोन|फोन) (?:संख्या|नंबर|आईडी|क्रमांक|कोड)', 'ऑर्डर', '(?:छूट|कूपन|प्रोमो|पिन) कोड', 'कूपन',
  // Chinese, Japanese, Korean
  '订单', '訂單', '发票', '發票', '快递', '快遞', '运单', '運單', '单号', '單號', '物流', '取件码', '取货码', '优惠', '優惠', '折扣', '邮编', '邮政编码', '卡号', '郵編', '郵遞區號', '电话', '電話', '客服', '热线', '尾号', '尾號', '航班', '预订', '預訂', '工单', '错误代码', '兑换码', '兌換碼', '邀请码', '邀請碼', '推荐码', '积分', '会员', '房间', '编号', '編號', '追蹤', '備案', '备案', '许可证',
  '注文', 'ご注文', '請求', '追跡', '伝票', '予約', '(?:お客様|会員|受付|整理|管理|登録者|社員|学籍|郵便|診察券|証書) ?番号', '電話', 'クーポン', '割引', 'プロモ', '招待コード', 'エラーコード', '商品', '便名', '問い合わせ番号', 'お問い合わせ', '口座', '〒', 'tel', 'ポイント', '品番', '型番',
  '주문', '송장', '운송장', '예약', '배송', '영수증', '전화', '쿠폰', '할인', '프로모', '초대 ?코드', '오류 ?코드', '상품', '항공', '계좌', '(?:회원|접수|우편|계좌|예약|문의|고객|차량|학번|사원) ?번호', '사업자', '대표번호', '포인트',
  // Vietnamese, Indonesian, Thai
  '(?:m\u00e3|s\u1ed1) (?:\u0111\u01a1n h\u00e0ng|h\u00f3a \u0111\u01a1n|v\u1eadn \u0111\u01a1n|\u0111\u1eb7t ch\u1ed7|kh\u00e1ch h\u00e0ng|gi\u1ea3m gi\u00e1|khuy\u1ebfn m\u00e3i|b\u01b0u (?:\u0111i\u1ec7n|ch\u00ednh)|\u0111i\u1ec7n tho\u1ea1i|l\u1ed7i|s\u1ea3n ph\u1ea9m|chuy\u1ebfn bay|tham chi\u1ebfu)', '\u0111\u01a1n h\u00e0ng', 'h\u00f3a \u0111\u01a1n', 'v\u1eadn \u0111\u01a1n', 'hotline', '(?:nomor|no|kode) (?:pesanan|faktur|invoice|resi|pelacakan|booking|pemesanan|pelanggan|telepon|rekening|promo|diskon|voucher|pos|kupon|referral|tiket|penerbangan)', 'pesanan', 'resi', 'faktur', 'diskon', 'voucher', '(?:หมายเลข|เลขที่|รหัส) ?(?:คำสั่งซื้อ|ใบแจ้งหนี้|พัสดุ|ติดตาม|การจอง|จอง|ลูกค้า|โทรศัพท์|ไปรษณีย์|ส่วนลด|สินค้า|อ้างอิง|โปรโมชั่น|คูปอง)', 'คำสั่งซื้อ', 'พัสดุ', 'ส่วนลด', 'คูปอง', 'โทร',
]; // biome-ignore format: a table of words reads best filled.

/** The word "number" itself: with another word before it, it names what no code is. */
export const NUMBERS: readonly string[] = [
  '\\p{L}+ numbers?', '\\p{L}*nummer*', 'num[e\u00e9]ro', 'n[u\u00fa]mero', 'numer', 'num[a\u0103]r*', '\u010d\u00edslo', 'sz\u00e1m*', 'numara*', 'номер*', 'αριθμ[ο\u03cc]*', 'رقم', 'شماره', 'מספר', 'संख्या', 'नंबर', '编号', '編號', '号码', '號碼', '番号', '번호', 's\u1ed1', 'nomor', 'หมายเลข', 'เลขที่',
]; // biome-ignore format: a table of words reads best filled.

/** Words right before a number that is no code: of round counts, of whom it names, of phones. */
export const BEFORE_NUMBERS: readonly string[] = [
  'account', 'customer', 'client', 'member', 'employee', 'student', 'patient', 'policy', 'claim', 'quoting', 'extension', 'ext\\.?', 'konto', 'kunde*', 'mitglied', 'durchwahl', 'compte', 'adh\u00e9rent', 'poste', 'cuenta', 'cliente', 'socio', 's\u00f3cio', 'extensi\u00f3n', 'ramal', 'conto', 'interno', 'rekening', 'klant', 'lid', 'toestel', 'konta', 'klient*', 'kund', 'medlem', 'anknytning', 'asiakas', 'z\u00e1kazn\u00edk*', '\u00fcgyf\u00e9l', 'm\u00fc\u015fteri', 'dahili', 'клиент*', 'клієнт*', 'добавочный', 'πελ[α\u03ac]τη*', '致电', '拨打', '內線', '内線', '内线', '내선',
  'over', 'about', 'nearly', 'almost', 'around', 'more than', 'less than', 'up to', 'some', '\u00fcber', 'rund', 'etwa', 'fast', 'mehr als', 'plus de', 'environ', 'pr\u00e8s de', 'm\u00e1s de', 'unos', 'unas', 'casi', 'mais de', 'cerca de', 'quase', 'pi\u00f9 di', 'oltre', 'circa', 'quasi', 'ruim', 'meer dan', 'bijna', 'ponad', 'oko\u0142o', 'prawie', '\u00f6ver', 'n\u00e4stan', 'mer \u00e4n', 'over', 'mere end', 'mer enn', 'yli', 'noin', 'v\u00edce ne\u017e', 't\u00f6bb mint', 'peste', 'aproape', 'yakla\u015f\u0131k', 'более', 'около', 'почти', 'понад', 'майже', 'πάνω από', 'περίπου', 'أكثر من', 'حوالي', 'בערך', 'כ\u05be', 'लगभग', '近', '超过', '超過', '约', '約', '共', '약', 'h\u01a1n', 'lebih dari', 'กว่า',
]; // biome-ignore format: a table of words reads best filled.

/** Signs that a sentence offers a discount: its code is for a shop, not for a login. */
export const OFFERS: readonly string[] = [
  'promo*', 'discount*', 'coupon*', 'voucher*', 'gift card', '\\d{1,3} ?%', '\\d{1,3} per ?cent', '(?:at|at the|during) checkout', 'save \\d', 'off your', 'free (?:shipping|delivery|month|trial)', 'redeem', 'gift', 'sale', '(?:in|into|at|to) (?:your|the) (?:basket|cart|bag|till|counter|kiosk|box office)', 'spend (?:it|\\d)', 'subscribe', 'first order',
  'warenkorb', 'versandkostenfrei', 'einl\u00f6s*', 'geschenk*', 'nachlass', 'panier', 'livraison (?:offerte|gratuite)', 'offert*', 'cadeau*', 'en caisse', 'cesta', 'carrito', 'tu compra', 'env[i\u00ed]o gratis', 'canj*', 'regalo*', 'sua compra', 'carrinho', 'cesto', 'frete gr\u00e1tis', 'portes gr\u00e1tis', 'um presente', 'carrello', 'spedizione (?:gratis|gratuita)', 'omaggio',
  'winkelmand*', 'winkelwagen*', 'gratis (?:verzending|bezorging)', 'koszyk*', 'gratis', 'darmow* dostaw*', 'kassan', 'varukorg*', 'fri frakt', 'kurven', 'handlekurv*', 'fri fragt', 'ostoskori*', 'ilmai*', 'ko\u0161\u00edk*', 'zdarma', 'kos\u00e1r*', 'ingyen*', '\u00een co\u0219', 'gratuit*', 'sepet*', 'bedava', '\u00fccretsiz', 'hediye*',
  'корзин*', 'бесплатн*', 'подар*', 'кошик*', 'безкоштовн*', 'καλ[α\u03ac]θι*', 'δωρε[α\u03ac]ν', 'עגלת', 'משלוח חינם', 'سلة', 'شحن مجاني', 'سبد خرید', 'कार्ट', 'मुफ़्त', '结算', '結帳', '包邮', '免運', '立减', '满减', '购物车', '購物車', '買い物', '送料無料', 'お会計', '결제', '무료 ?배송', '장바구니', '선물', 'thanh to\u00e1n', 'mi\u1ec5n ph\u00ed', 'gi\u1ecf h\u00e0ng', 'qu\u00e0 t\u1eb7ng', 'keranjang', 'gratis ongkir', 'hadiah', 'ตะกร้า', 'ส่งฟรี', 'ของขวัญ', 'gutschein*', 'rabatt*', 'an der kasse', 'im warenkorb', 'bei der bestellung', 'code promo*', 'r\u00e9duction', 'lors du paiement', 'de remise', 'descuento', 'al pagar', 'desconto', 'no carrinho', 'cupom', 'cup[o\u00f3]n', 'sconto', 'alla cassa', 'al checkout', 'korting*', 'bij het afrekenen', 'rabat*', 'alennus*', 'slev*', 'kedvezm\u00e9ny*', 'kupon*', 'indirim*', 'скидк*', 'промокод*', 'купон*', 'знижк*', 'خصم', 'كوبون', 'تخفیف', 'הנחה', 'קופון', 'छूट', 'कूपन', '优惠', '優惠', '折扣', '割引', 'クーポン', 'オフ', '할인', '쿠폰', 'gi\u1ea3m gi\u00e1', 'khuy\u1ebfn m\u00e3i', 'diskon', 'ส่วนลด', 'คูปอง',
]; // biome-ignore format: a table of words reads best filled.

/** What is counted in prose, right after its number. */
export const COUNTED: readonly string[] = [
  '(?:sign ?in |log ?in |blocked |failed )?attempts', 'requests', 'reviews', 'readers', 'visitors', 'guests', 'customers', 'subscribers', 'photos', 'pages', 'lines', 'words', 'votes', 'stars', 'comments', 'tests', 'members', 'people', 'users', 'followers', 'views', 'likes', 'points', 'miles', 'steps', 'times', 'days', 'employees', 'students', 'accounts', 'codes', 'emails', 'mails', 'messages', 'metres', 'meters', 'tokens', 'copies', 'seats', 'tickets', 'trees',
  'menschen', 'personen', 'leute', 'g\u00e4ste*', 'besucher*', 'leser*', 'nutzer*', 'mitglieder*', 'fotos', 'seiten', 'stimmen', 'codes', 'anfragen', 'anmeldungen', 'personnes', 'lecteurs', 'lectrices', 'visiteurs', 'membres', 'pages', 'demandes', 'personas', 'lectores', 'miembros', 'usuarios', 'solicitudes', 'pessoas', 'leitores', 'membros', 'utilizadores', 'persone', 'lettori', 'membri', 'utenti', 'richieste', 'mensen', 'leden', 'gebruikers', 'bezoekers', 'lezers', 'os\u00f3b', 'u\u017cytkownik*', 'czytelnik*', 'personer', 'medlemmar', 'medlemmer', 'l\u00e4sare', 'bes\u00f6kare', 'henkil\u00f6*', 'j\u00e4sen*', 'lid\u00ed', '\u010dten\u00e1\u0159*', 'f\u0151', 'ember*', 'oameni', 'membri', 'persoane', 'ki\u015fi*', '\u00fcye', 'kullan\u0131c\u0131*', 'человек*', 'участник*', 'читател*', 'пользовател*', 'людей', 'осіб', 'користувач*', 'учасник*', '[α\u03ac]τομα', 'μ[ε\u03ad]λη', 'شخص', 'עוקבים', 'אנשים', 'लोग*', 'सदस्य*', 'ng\u01b0\u1eddi', 'orang', 'anggota', 'คน', 'ครั้ง',
]; // biome-ignore format: a table of words reads best filled.

/** Words of streets and of post boxes. */
export const ADDRESSES: readonly string[] = [
  'street', 'avenue', 'ave', 'road', 'rd', 'lane', 'drive', 'blvd', 'boulevard', 'highway', 'p\\.?o\\.? box', 'box \\d{1,5}', 'quay', '(?:main|high|oak|elm|hill) st', 'flat \\d{1,3}', 'apt\\.? \\d{1,5}', 'deliver to', 'ship to',
  '\\p{L}*(?:stra\u00dfe|strasse|str\\.)', '\\p{L}*(?:weg|allee|platz|gasse|damm|ufer) \\d{1,4}', 'postfach', 'rue', 'avenue', 'chemin', 'impasse', 'calle', 'avenida', 'avda', 'carrer', 'paseo', 'rua', 'travessa', 'pra\u00e7a', 'via (?:\\p{L}+ ){1,3}\\d{1,4}', 'viale', 'piazza', 'corso', '\\p{L}*(?:straat|laan|gracht|plein|kade)', 'ul\\.', 'ulica', 'aleja', '\\p{L}*(?:gatan|v\u00e4gen|gade|vej|gate|veien|katu|tie)', 'ulice', '[uú]tca', 'k\u00f6r[uú]t', 't\u00e9r', 'str\\.', 'strada', 'bulevardul', 'cad\\.?', 'caddesi', 'sok\\.?', 'sokak', 'mah\\.?', 'mahallesi', 'ул\\.', 'улица', 'пр т', 'проспект', 'вул\\.', 'вулиця', 'οδ[ο\u03cc]ς', 'شارع', 'خیابان', 'רחוב', 'मार्ग', 'रोड', '路\\d', '街\\d', '\\d号', '\\d號', '丁目', '区\\p{L}', '대로', '\\p{L}로 \\d', '길 \\d', '\u0111\u01b0\u1eddng', 'jalan', 'jl\\.', 'ถนน',
]; // biome-ignore format: a table of words reads best filled.

/** How long a code lives, by the words for minutes and hours. Seconds of one. */
export const TIME_UNITS: readonly (readonly [seconds: number, words: string])[] = [
  [60, 'min(?:ute)?s?\\b|minuten|minut*|minuto*|minuti|minuter|minutter|minuut*|minuuttia|perc*|dakika*|минут*|мин\\b|хвилин*|λεπτ*|دقائق|دقيقة|دقیقه|دقات|דקות|मिनट|মিনিট|分钟|分鐘|分(?:間|以内|内)?|분|phút|menit|minit|นาที|m\u00edn\u00fat*|pertseg|minut*'],
  [3600, 'hours?\\b|hrs?\\b|stunden?|heures?|horas?|or[ae]\\b|uur|uren|godzin*|tim(?:me|mar|er)\\b|tuntia?|\u00f3r[aá]*|saat|час*|годин*|[ωώ]ρ*|ساعات?|ساعة|שעות|घंटे|小时|小時|時間|시간|gi\u1edd|jam|ชั่วโมง'],
]; // biome-ignore format: a table of words reads best filled.
