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
  'activation code', 'authoriz* code', 'authoris* code', 'validation code', 'pin code', 'magic code', 'reset code',
  'password reset code', 'recovery code', 'registration code', 'device code', 'unlock code', 'pairing code',
  'secret code', 'secure code', 'verif* key', 'launch code', 'log ?in key', 'log ?in token', 'confirm* pin', 'identity code', 'steam guard code', 'email code',
  'code (?:to|for) (?:verif*|confirm*|log*|sign*|complet*|continu*|finish*|activat*|reset*|access*|authenticat*|authoriz*|authoris*|validat*|proceed*|chang*|link*|unlock*|your (?:account|log*|sign*|email))',
  '(?:enter|type|input|provide|paste|submit|give) (?:this|the|the following|following|that) (?:\\d (?:digit|character) )?(?:code|pin|number)',
  '(?:use|copy) (?:this|the following|following) (?:\\d (?:digit|character) )?(?:code|pin|number)', '\\d digit (?:code|pin|number)',
  '(?:enter|type|use|copy|input) (?:these|the|the following) (?:four|five|six|seven|eight|\\d) (?:digits|characters|letters)', 'zi(?:ff|f)ernfolge', 'zahlenfolge', 'zahlencode', '(?:quatre|cinq|six|sept|huit|\\d) chiffres (?:suivants|ci dessous)', '(?:estos|los siguientes|os seguintes|estes) (?:cuatro|cinco|seis|\\d) d[i\u00ed]gitos',
  'pairing pin', 'security pin', 'log ?in pin', 'sign ?in pin', 'security token', 'verification token', 'log ?in token',
  // German
  '(?:best\u00e4tigungs|verifizierungs|verifikations|sicherheits|anmelde|login|zugangs|zugriffs|einmal|aktivierungs|freischalt|authentifizierungs|pr\u00fcf|registrierungs|einlog|autorisierungs|validierungs|freigabe) ?(?:code|pin|kennwort|passwort|schl\u00fcssel|nummer)*',
  'mtan', 'sms tan', 'code (?:zur|f\u00fcr die|f\u00fcr deine|f\u00fcr ihre|zum) (?:best\u00e4tig*|anmeld*|verifiz*|einlog*|login|registr*|aktivier*|fortfahren|zur\u00fccksetz*)',
  '(?:gib|geben sie|gebe) (?:diesen|folgenden|den folgenden) code',
  // French
  'code (?:de |d )(?:v\u00e9rification|confirmation|s\u00e9curit\u00e9|connexion|acc\u00e8s|authentification|activation|validation|identification|autorisation|r\u00e9initialisation|d\u00e9verrouillage)',
  'code \u00e0 usage unique', 'mot de passe (?:\u00e0 usage unique|temporaire|unique)', 'code (?:unique|temporaire|secret|confidentiel|otp)',
  'code pour (?:vous connecter|confirmer|v\u00e9rifier|valider|activer)', '(?:saisissez|entrez|utilisez|saisir|entrer) (?:ce|le|le code suivant|le code ci dessous)(?: code)?',
  // Spanish
  'c[o\u00f3]digo (?:de |para )(?:su |tu )?(?:verificaci[o\u00f3]n|confirmaci[o\u00f3]n|seguridad|acceso|acceder|inicio de sesi[o\u00f3]n|iniciar sesi[o\u00f3]n|autenticaci[o\u00f3]n|activaci[o\u00f3]n|autorizaci[o\u00f3]n|validaci[o\u00f3]n|un (?:solo|\u00fanico) uso|uso \u00fanico|verificar|confirmar|registro|ingreso|restablec*|recuperaci[o\u00f3]n)',
  'contrase\u00f1a (?:de un solo uso|temporal|de uso \u00fanico)', 'c[o\u00f3]digo (?:temporal|\u00fanico|otp|secreto)', 'clave (?:de acceso|temporal|din\u00e1mica|de un solo uso|de seguridad|de verificaci[o\u00f3]n)',
  '(?:introduce|introduzca|ingresa|ingrese|escribe|usa|utiliza) (?:este|el siguiente|el) c[o\u00f3]digo',
  // Portuguese
  'c[o\u00f3]digo (?:de |para )(?:a sua |sua )?(?:verifica\u00e7\u00e3o|confirma\u00e7\u00e3o|seguran\u00e7a|acesso|acessar|autentica\u00e7\u00e3o|ativa\u00e7\u00e3o|autoriza\u00e7\u00e3o|valida\u00e7\u00e3o|uso \u00fanico|utiliza\u00e7\u00e3o \u00fanica|login|entrar|entrada|in\u00edcio de sess\u00e3o|iniciar sess\u00e3o|verificar|confirmar|recupera\u00e7\u00e3o|redefini\u00e7\u00e3o)',
  'senha (?:de uso \u00fanico|tempor\u00e1ria|\u00fanica|descart\u00e1vel)', 'c[o\u00f3]digo (?:tempor\u00e1rio|\u00fanico|otp)', 'palavra passe (?:de utiliza\u00e7\u00e3o \u00fanica|tempor\u00e1ria|\u00fanica)',
  '(?:digite|insira|introduza|use|utilize|informe) (?:este|o|o seguinte) c[o\u00f3]digo',
  // Italian
  'codice (?:di |per |d )(?:verifica|conferma|sicurezza|accesso|accedere|autenticazione|attivazione|autorizzazione|convalida|validazione|login|verificare|confermare|recupero|sblocco|registrazione|identificazione)',
  'codice (?:monouso|temporaneo|usa e getta|otp|univoco|segreto)', 'password (?:monouso|temporanea|usa e getta)', '(?:inserisci|inserire|inserisca|usa|utilizza) (?:questo|il seguente|il) codice',
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
  'zip', 'zip code', 'zipcode', 'post ?code', 'postal code', 'area code', 'country code', 'dial(?:ing)? code', 'error code', 'status code', 'exit code', 'response code', 'http', 'dress code', 'source code', 'qr code', 'bar ?code', 'sort code', 'swift code', 'bic', 'color code', 'colour code', 'hex code', 'unicode', 'product code', 'item code', 'tracking code', 'booking code', 'gate code', 'door code', 'building code', 'tax code', 'language code', 'currency code', 'airport code', 'morse code', 'code of conduct', 'code review', 'lines of code', 'mcc', 'naics', 'vin',
  '(?:promo*|discount|coupon|gift|voucher|referral|invite|invitation|offer|reward*|redeem*|redemption|deal|savings?|checkout|cashback|bonus|partner|affiliate|student|friend*|loyalty|campaign|source|media|key|catalog*) ?(?:card ?)?codes?', 'gift card', 'coupon', 'voucher', 'promo', 'miles', 'points', 'steps', 'followers', 'views', 'subscribers', 'likes', 'unread', 'balance', 'total', 'subtotal', 'amount', 'population', 'members', 'people', 'users',
  '(?:decline|reject*|reason|result|return|response|event|log|trouble|fault|diagnostic|class|course|project|cost|department|team|branch|store|agent|dealer|sales|privacy|building|area|network|station|port) codes?',
  'ending (?:in|with)', 'last (?:4|four)(?: digits)?', 'card ending', 'since', 'founded', 'copyright', '©', '\\(c\\)', 'founded in', 'established', 'suite', 'street', 'avenue', 'road', 'blvd',
  // German
  '(?:bestell|rechnungs|sendungs|kunden|auftrags|buchungs|vorgangs|vertrags|ticket|konto|karten|mitglieds|paket|artikel|reservierungs|telefon|fax|referenz|zimmer|flug|serien|personal|steuer|beleg|lieferschein|hotel|haus|aktenzeichen|gutschein|rabatt|aktions|geschenk|einl\u00f6se|postleit|fehler|produkt|versicherungs) ?(?:nummer|nr|code|zahl|id|karte)*', 'bestellung', 'rechnung', 'sendung', 'buchung', 'auftrag', 'gutschein', 'plz', 'tel', 'hrb', 'hra', 'ust id*', 'steuernummer', 'artikel', 'kundennummer', 'aktion', 'rabatt',
  // French
  '(?:num\u00e9ro|n\u00b0|no|n\u00ba|r\u00e9f\u00e9rence|r\u00e9f|code) ?(?:de |d )?(?:la |l )?(?:commande|facture|suivi|r\u00e9servation|dossier|client|colis|compte|contrat|billet|vol|s\u00e9rie|t\u00e9l\u00e9phone|ticket|carte|transaction|postal|promo*|r\u00e9duction|avantage|cadeau|parrainage|barre*|produit|article|exp\u00e9dition|siret|siren|tva)', 'commande', 'facture', 'colis', 'siret', 'siren', 'code postal', 'code promo*', 'bon d achat', 'r\u00e9f\u00e9rence', 'bon de r\u00e9duction', 't\u00e9l', 'cedex', 'rcs',
  // Spanish, Portuguese
  '(?:n[u\u00fa]mero|n\u00ba|n\u00b0|no|c[o\u00f3]digo|referencia|ref|clave) ?(?:de |da |do |del )?(?:su |tu |seu |sua )?(?:pedido|factura|fatura|seguimiento|rastreio|rastreamento|env[i\u00ed]o|reserva|cliente|cuenta|conta|contrato|vuelo|voo|serie|s\u00e9rie|tel[e\u00e9]fono|telefone|ticket|caso|tarjeta|cart\u00e3o|orden|guia|gu\u00eda|postal|promocional|promo\u00e7\u00e3o|descuento|desconto|cup[o\u00f3]n|cupom|barras|producto|produto|error|erro|regalo|indica\u00e7\u00e3o|protocolo|transacci[o\u00f3]n|transa\u00e7\u00e3o|encomenda|nota fiscal)', 'pedido', 'factura', 'fatura', 'reserva', 'env[i\u00ed]o', 'encomenda', 'cup[o\u00f3]n', 'cupom', 'descuento', 'desconto', 'cep', 'cnpj', 'cpf', 'nif', 'cif', 'rfc', 'protocolo', 'tel', 'boleto',
  // Italian, Dutch, Polish
  '(?:numero|n\u00b0|nr|codice|rif*) ?(?:di |del |della |d )?(?:ordine|fattura|spedizione|tracciamento|prenotazione|cliente|conto|contratto|volo|serie|telefono|pratica|ticket|biglietto|carta|sconto|promo*|regalo|coupon|fiscale|postale|errore|prodotto|articolo|a barre|pacco)', 'ordine', 'fattura', 'spedizione', 'prenotazione', 'codice fiscale', 'cap', 'p\\.? ?iva', 'sconto', 'buono',
  '(?:bestel|factuur|klant|order|zending*|track|boekings|reserverings|ticket|rekening|contract|referentie|dossier|lidmaatschaps|artikel|telefoon|kamer|vlucht|kortings|actie|cadeau|post|fout|product|waardebon)s? ?(?:nummer|nr|code|kaart|bon)*', 'bestelling', 'factuur', 'kvk', 'btw', 'pakket', 'korting',
  '(?:numer|nr|kod|kodem) ?(?:zam\u00f3wieni*|faktur*|przesy\u0142k*|rezerwacj*|klient*|konta|umowy|referencyjn*|telefonu|zg\u0142oszeni*|lotu|paczk*|rabatow*|promocyjn*|pocztow*|b\u0142\u0119du|produktu|kreskow*)', 'zam\u00f3wieni*', 'faktur*', 'przesy\u0142k*', 'rabat*', 'nip', 'regon', 'krs',
  // Nordic, Czech, Hungarian, Romanian, Turkish, Greek
  '(?:order|faktura|kund|kunde|ordre|bestillings|sporings|sp\u00e5rnings|boknings|booking|reservations|bestilling*|forsendelses|f\u00f6rs\u00e4ndelse|rabatt|rabat|kampanj|presentkort|gavekort|post|tilbuds|cvr|org|\u00e4rende|sags|saks|tilaus|lasku|seuranta|asiakas|varaus|alennus|posti)s? ?(?:nummer|nr|numero|koodi|kod|kode|tunnus)*', 'objedn\u00e1v*', 'faktur*', 'z\u00e1silk*', 'ps\u010d', 'slev*', 'i\u010do', 'rendel*', 'sz\u00e1ml*', 'csomag*', 'foglal*', 'kupon*', 'ir\u00e1ny\u00edt\u00f3sz\u00e1m', 'comand*', 'factur*', 'colet*', 'rezerv*', 'reducere', 'sipari\u015f*', 'fatura*', 'kargo*', 'takip*', 'rezervasyon*', 'indirim*', 'kupon*', 'posta kodu', 'm\u00fc\u015fteri n*', 'παραγγελ*', 'τιμολ*', 'αποστολ*', 'κρ[α\u03ac]τησ*', 'εκπτωτικ*', 'κουπ[ο\u03cc]ν*',
  // Russian, Ukrainian
  '(?:номер*|№|код*) ?(?:заказ*|заказа|счет*|счёт*|отправлени*|бронировани*|брони|договор*|клиент*|телефон*|рейс*|заявк*|обращени*|посылк*|накладн*|товар*|ошибк*|скидк*|купон*|замовленн*|рахунк*|відправленн*|бронюванн*|договору|клієнт*|посилк*)', 'заказ*', 'посылк*', 'трек*', 'промокод*', 'скидк*', 'купон*', 'индекс', 'инн', 'огрн', 'тел', 'счет', 'счёт', 'рейс*', 'замовленн*', 'посилк*', 'знижк*', 'рахунок', 'ттн', 'поръчк*', 'фактур*',
  // Arabic, Persian, Hebrew, Hindi
  '(?:رقم|رمز|كود) (?:ال)?(?:طلب|فاتورة|شحنة|تتبع|حجز|عميل|حساب|هاتف|رحلة|تذكرة|خصم|بريدي|مرجعي|مرجع|كوبون|منتج|قسيمة)*', 'رقم الطلب', 'الطلب', 'الفاتورة', 'الشحنة', 'كوبون', 'خصم', 'شماره (?:سفارش|فاکتور|پیگیری|رزرو|تلفن|پرواز)', 'کد (?:تخفیف|پستی|رهگیری|سفارش)', 'מספר (?:ה)?(?:הזמנה|חשבונית|משלוח|מעקב|לקוח|טלפון|טיסה|פנייה)', 'קוד (?:ה)?(?:קופון|הנחה|מיקוד|הטבה)', 'הזמנה', 'חשבונית', 'קופון', 'מיקוד', '(?:ऑर्डर|चालान|ट्रैकिंग|बुकिंग|ग्राहक|इनवॉइस|टिकट|संदर्भ|खाता|फ़ोन|फोन) (?:संख्या|नंबर|आईडी|क्रमांक|कोड)', 'ऑर्डर', '(?:छूट|कूपन|प्रोमो|पिन) कोड', 'कूपन',
  // Chinese, Japanese, Korean
  '订单', '訂單', '发票', '發票', '快递', '快遞', '运单', '運單', '单号', '單號', '物流', '取件码', '取货码', '优惠', '優惠', '折扣', '邮编', '郵編', '郵遞區號', '电话', '電話', '客服', '热线', '尾号', '尾號', '航班', '预订', '預訂', '工单', '错误代码', '兑换码', '兌換碼', '邀请码', '邀請碼', '推荐码', '积分', '会员', '房间', '编号', '編號', '追蹤', '備案', '备案', '许可证',
  '注文', 'ご注文', '請求', '追跡', '伝票', '予約', 'お客様番号', '会員番号', '電話', '郵便番号', 'クーポン', '割引', 'プロモ', '招待コード', 'エラーコード', '商品', '便名', '受付番号', '問い合わせ番号', 'お問い合わせ', '口座', '〒', 'tel', 'ポイント', '管理番号', '品番', '型番',
  '주문', '송장', '운송장', '예약', '배송', '영수증', '고객번호', '고객 번호', '전화', '우편번호', '쿠폰', '할인', '프로모', '초대 ?코드', '오류 ?코드', '상품', '항공', '계좌', '회원번호', '사업자', '접수번호', '대표번호', '포인트',
  // Vietnamese, Indonesian, Thai
  '(?:m\u00e3|s\u1ed1) (?:\u0111\u01a1n h\u00e0ng|h\u00f3a \u0111\u01a1n|v\u1eadn \u0111\u01a1n|\u0111\u1eb7t ch\u1ed7|kh\u00e1ch h\u00e0ng|gi\u1ea3m gi\u00e1|khuy\u1ebfn m\u00e3i|b\u01b0u \u0111i\u1ec7n|\u0111i\u1ec7n tho\u1ea1i|l\u1ed7i|s\u1ea3n ph\u1ea9m|chuy\u1ebfn bay|tham chi\u1ebfu)', '\u0111\u01a1n h\u00e0ng', 'h\u00f3a \u0111\u01a1n', 'v\u1eadn \u0111\u01a1n', 'hotline', '(?:nomor|no|kode) (?:pesanan|faktur|invoice|resi|pelacakan|booking|pemesanan|pelanggan|telepon|rekening|promo|diskon|voucher|pos|kupon|referral|tiket|penerbangan)', 'pesanan', 'resi', 'faktur', 'diskon', 'voucher', '(?:หมายเลข|เลขที่|รหัส) ?(?:คำสั่งซื้อ|ใบแจ้งหนี้|พัสดุ|ติดตาม|การจอง|จอง|ลูกค้า|โทรศัพท์|ไปรษณีย์|ส่วนลด|สินค้า|อ้างอิง|โปรโมชั่น|คูปอง)', 'คำสั่งซื้อ', 'พัสดุ', 'ส่วนลด', 'คูปอง', 'โทร',
]; // biome-ignore format: a table of words reads best filled.

/** Signs that a sentence offers a discount: its code is for a shop, not for a login. */
export const OFFERS: readonly string[] = [
  'promo*', 'discount*', 'coupon*', 'voucher*', 'gift card', '\\d{1,3} ?% ?(?:off|rabatt|remise|de (?:descuento|desconto|remise|r\u00e9duction)|di sconto|korting|rabatu)', 'at checkout', 'at the checkout', 'save \\d', 'off your', 'free shipping', 'redeem', 'gutschein*', 'rabatt*', 'an der kasse', 'im warenkorb', 'bei der bestellung', 'code promo*', 'r\u00e9duction', 'lors du paiement', 'de remise', 'descuento', 'al pagar', 'desconto', 'no carrinho', 'cupom', 'cup[o\u00f3]n', 'sconto', 'alla cassa', 'al checkout', 'korting*', 'bij het afrekenen', 'rabat*', 'alennus*', 'slev*', 'kedvezm\u00e9ny*', 'kupon*', 'indirim*', 'скидк*', 'промокод*', 'купон*', 'знижк*', 'خصم', 'كوبون', 'تخفیف', 'הנחה', 'קופון', 'छूट', 'कूपन', '优惠', '優惠', '折扣', '割引', 'クーポン', 'オフ', '할인', '쿠폰', 'gi\u1ea3m gi\u00e1', 'khuy\u1ebfn m\u00e3i', 'diskon', 'ส่วนลด', 'คูปอง',
]; // biome-ignore format: a table of words reads best filled.

/** How long a code lives, by the words for minutes and hours. Seconds of one. */
export const TIME_UNITS: readonly (readonly [seconds: number, words: string])[] = [
  [60, 'min(?:ute)?s?\\b|minuten|minut*|minuto*|minuti|minuter|minutter|minuut*|minuuttia|perc*|dakika*|минут*|мин\\b|хвилин*|λεπτ*|دقائق|دقيقة|دقیقه|دقات|דקות|मिनट|মিনিট|分钟|分鐘|分(?:間|以内|内)?|분|phút|menit|minit|นาที|m\u00edn\u00fat*|pertseg|minut*'],
  [3600, 'hours?\\b|hrs?\\b|stunden?|heures?|horas?|or[ae]\\b|uur|uren|godzin*|tim(?:me|mar|er)\\b|tuntia?|\u00f3r[aá]*|saat|час*|годин*|[ωώ]ρ*|ساعات?|ساعة|שעות|घंटे|小时|小時|時間|시간|gi\u1edd|jam|ชั่วโมง'],
]; // biome-ignore format: a table of words reads best filled.
