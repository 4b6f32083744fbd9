/**
 * A mail as a person reads it: the parts that are quoted-printable (RFC 2045 6.7) are decoded, and no other. In a part
 * that is not encoded, a random token may begin with what looks like an escape: `#token=3D…`. What is decoded says so, and
 * is not decoded again.
 */
export const readableMail = (mail: string): string =>
  mail.replace(
    /^(Content-Transfer-Encoding: )quoted-printable(\r?$[\s\S]*?)(?=^--|$(?![\s\S]))/gim,
    (_all, name, part) => {
      const text = part
        .replace(/=\r?\n/g, '')
        .replace(/(?:=[0-9A-F]{2})+/g, (bytes: string) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());
      return `${name}8bit${text}`;
    },
  );
