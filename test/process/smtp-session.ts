import { Dialogue } from '../support/smtp-dialogue.ts';

/** One SMTP connection that delivers one mail after the other. */
export interface SmtpSession {
  /** The client's port, which identifies the connection in a trace of the server's calls. */
  localPort: number;
  /** @returns the code of the reply to DATA, or of the first refusal before it; 0 if the connection ended first */
  deliver(to: readonly string[], raw: string): Promise<number>;
  close(): void;
}

/**
 * Connects and sends EHLO. Rejects without a server. `from`: the client's loopback address, for more sessions than one
 * client may have.
 */
export async function openSmtpSession(port: number, from = '127.0.0.1'): Promise<SmtpSession> {
  const dialogue = await Dialogue.open(port, from);
  if ((await dialogue.say('EHLO client.example')) !== 250) {
    dialogue.close();
    throw new Error('no SMTP server');
  }
  return {
    localPort: dialogue.socket.localPort ?? 0,
    deliver: async (to, raw) => {
      for (const line of ['MAIL FROM:<ada@example.com>', ...to.map((address) => `RCPT TO:<${address}>`)]) {
        const code = await dialogue.say(line);
        if (code !== 250) return code;
      }
      const code = await dialogue.say('DATA');
      if (code !== 354) return code;
      dialogue.send(`${raw}\r\n.\r\n`);
      return (await dialogue.reply()).code;
    },
    close: () => dialogue.close(),
  };
}

/** A mail of a few lines with a unique subject. */
export const mailOf = (subject: string, to: string): string =>
  [
    'From: Ada <ada@example.com>',
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: <${subject}@example.com>`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    `The text of ${subject}.`,
  ].join('\r\n');
