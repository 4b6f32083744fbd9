/**
 * A mail as a person reads it: the parts that are quoted-printable (RFC 2045 6.7) are decoded, and no other. In a part
 * that is not encoded, a random token may begin with what looks like an escape: `#token=3D…`.
 */
export const readableMail = (mail: string): string =>
  mail.replace(/^Content-Transfer-Encoding: quoted-printable\r?$[\s\S]*?(?=^--|$(?![\s\S]))/gim, (part) =>
    part
      .replace(/=\r?\n/g, '')
      .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString()),
  );
