import { Dialogue } from '../support/smtp-dialogue.ts';

/** One SMTP connection that hands over mail after mail. */
export interface SmtpSession {
  /** The client's port, by which a trace of the server's calls tells connections apart. */
  localPort: number;
  /** @returns the code of the answer to DATA, or of the first refusal before it; 0 when the connection ended first */
  deliver(to: readonly string[], raw: string): Promise<number>;
  close(): void;
}

/**
 * Connects and says EHLO. Rejects when there is nobody. `from`: the client's own loopback address, for more sessions
 * than one client may have.
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

/** A mail of a few lines, told from others by its subject. */
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
