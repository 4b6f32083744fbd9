import { getDomain, getDomainWithoutSuffix } from 'tldts';

/** Where everyone can have an address. */
export const FREE_MAIL: ReadonlySet<string> = new Set([
  'gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'passport.com', 'yahoo.com', 'ymail.com', 'rocketmail.com', 'myyahoo.com', 'aol.com', 'aim.com', 'icloud.com', 'me.com', 'mac.com', 'appleid.com',
  'proton.me', 'protonmail.com', 'pm.me', 'tutanota.com', 'tutanota.de', 'tutamail.com', 'tuta.io', 'tuta.com', 'keemail.me', 'fastmail.com', 'fastmail.fm', 'hey.com', 'zoho.com', 'zohomail.com', 'zohomail.eu', 'mail.com', 'email.com', 'usa.com', 'inbox.com', 'hushmail.com', 'mailfence.com', 'startmail.com', 'runbox.com', 'disroot.org', 'riseup.net', 'cock.li', 'duck.com', 'mozmail.com', 'simplelogin.com', 'aleeas.com', 'anonaddy.me', 'mailinator.com', 'yopmail.com', 'guerrillamail.com',
  'gmx.com', 'gmx.de', 'gmx.net', 'web.de', 'freenet.de', 't-online.de', 'arcor.de', 'posteo.de', 'mailbox.org', 'bluewin.ch', 'hispeed.ch', 'aon.at', 'chello.at', 'ziggo.nl', 'kpnmail.nl', 'home.nl', 'skynet.be', 'telenet.be', 'orange.fr', 'wanadoo.fr', 'free.fr', 'sfr.fr', 'neuf.fr', 'bbox.fr', 'laposte.net', 'libero.it', 'virgilio.it', 'alice.it', 'tiscali.it', 'tin.it', 'terra.es', 'telefonica.net', 'sapo.pt', 'btinternet.com', 'sky.com', 'talktalk.net', 'virginmedia.com', 'ntlworld.com', 'eircom.net', 'telia.com', 'online.no',
  'wp.pl', 'o2.pl', 'onet.pl', 'onet.eu', 'interia.pl', 'op.pl', 'tlen.pl', 'seznam.cz', 'email.cz', 'centrum.cz', 'volny.cz', 'azet.sk', 'centrum.sk', 'freemail.hu', 'citromail.hu', 'abv.bg', 'ukr.net', 'i.ua', 'meta.ua', 'mail.ru', 'bk.ru', 'list.ru', 'inbox.ru', 'internet.ru', 'rambler.ru', 'yandex.ru', 'yandex.com', 'ya.ru', 'inbox.lv', 'mail.ee',
  'qq.com', 'foxmail.com', '163.com', '126.com', 'yeah.net', '139.com', '189.cn', 'sina.com', 'sina.cn', 'sohu.com', 'aliyun.com', 'tom.com', 'naver.com', 'hanmail.net', 'daum.net', 'kakao.com', 'nate.com', 'docomo.ne.jp', 'ezweb.ne.jp', 'softbank.ne.jp', 'rediffmail.com', 'walla.co.il', 'mynet.com',
  'comcast.net', 'xfinity.com', 'verizon.net', 'att.net', 'sbcglobal.net', 'bellsouth.net', 'cox.net', 'charter.net', 'spectrum.net', 'earthlink.net', 'optonline.net', 'frontier.com', 'juno.com', 'netzero.net', 'shaw.ca', 'rogers.com', 'sympatico.ca', 'bell.net', 'telus.net', 'bigpond.com', 'optusnet.com.au', 'iinet.net.au', 'xtra.co.nz', 'uol.com.br', 'bol.com.br', 'terra.com.br', 'ig.com.br', 'globo.com', 'prodigy.net.mx', 'mweb.co.za',
]); // biome-ignore format: a list reads best filled.

/** Providers that give addresses at domains of many countries, such as `yahoo.co.jp`. */
const FREE_MAIL_NAMES: ReadonlySet<string> = new Set([
  'yahoo', 'ymail', 'hotmail', 'outlook', 'live', 'msn', 'windowslive', 'googlemail', 'gmx', 'aol', 'yandex', 'protonmail',
  'fastmail', 'zoho', 'yopmail',
]); // biome-ignore format: a list reads best filled.

/** Whether everyone can have an address at a domain. */
export const isFreeMail = (domain: string): boolean =>
  FREE_MAIL.has(getDomain(domain) ?? domain) || FREE_MAIL_NAMES.has(getDomainWithoutSuffix(domain) ?? '');
