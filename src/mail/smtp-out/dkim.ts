import { createPrivateKey } from 'node:crypto';
import { joined, slicesOf } from '../../base/byte-slices.ts';

/**
 * The headers that are signed, if a message has them: those of RFC 6376 5.4.1, and the second one of a one-click link,
 * which must be covered too (RFC 8058 4).
 */
const SIGNED =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:Content-ID:' +
  'Content-Description:Resent-Date:Resent-From:Resent-Sender:Resent-To:Resent-Cc:Resent-Message-ID:In-Reply-To:References:' +
  'List-Id:List-Help:List-Unsubscribe:List-Unsubscribe-Post:List-Subscribe:List-Post:List-Owner:List-Archive';

export type DkimKey = { domainName: string; keySelector: string; privateKey: string };

/**
 * Returns a function that puts a DKIM-Signature in front of a message (RFC 6376, relaxed/relaxed, rsa-sha256).
 * Throws at once for a key that cannot sign, so that a wrong key fails at startup and not when mail is sent.
 */
export function createDkimSigner(key: DkimKey): (raw: Buffer) => Promise<Buffer> {
  const privateKey = createPrivateKey(key.privateKey);
  if (privateKey.asymmetricKeyType !== 'rsa') throw new Error('the DKIM key must be an RSA private key in PEM');
  return async (raw) => {
    const { default: DKIM } = await import('nodemailer/lib/dkim');
    const { domainName, keySelector, privateKey: pem } = key;
    const dkim = new DKIM({ domainName, keySelector, privateKey: pem, headerFieldNames: SIGNED });
    return joined(await dkim.sign(slicesOf(raw)).toArray());
  };
}
