import { unseenAgainMails } from './unseen-again.ts';

/** A mail that opens another account, and what of it must not be shown. */
export interface PlantedMail {
  subject: string;
  text?: string;
  html?: string;
  /** The name in From. */
  sender?: string;
  attachments?: { filename: string; content: string }[];
  /** What opens the account: digits, letters, and words that stand in a link alone. */
  secrets: string[];
}

/** Codes that stand in words or layouts that say nothing of a code. */
const UNFOUND: readonly PlantedMail[] = [
  { subject: 'For the door', text: 'Take 77138842 with you.', secrets: ['77138842'] },
  { subject: 'Tonight', text: 'T4NG0-K1L0-V7', secrets: ['T4NG0K1L0V7'] },
  { subject: 'Hello', text: 'As asked:\n\n6\n0\n4\n1\n1\n8\n3\n\nBye', secrets: ['6041183'] },
  { subject: 'Note', html: '<p>Keep <b>9</b><i>0</i><b>2</b>2<u>1</u>8<b>4</b> in mind.</p>', secrets: ['9022184'] },
  { subject: 'Note', text: 'The number of the day is ４４８１２０７.', secrets: ['4481207'] },
  { subject: 'Note', text: 'Lottery: 55\u200b1\u200b8\u200b20\u200b9.', secrets: ['5518209'] },
  { subject: 'Remember 3309182', text: 'See the subject.', secrets: ['3309182'] },
  { subject: 'Hello', sender: '7712046 from Harbor', text: 'See who wrote this.', secrets: ['7712046'] },
  {
    subject: 'The file',
    text: 'Look at the name of the file.',
    attachments: [{ filename: 'open-8820417.txt', content: 'The door opens with 8820418.' }],
    secrets: ['8820417', '8820418'],
  },
  // Longer than what is searched.
  {
    subject: 'Long 1180442',
    text: `${'Nothing here. '.repeat(5000)}\nYour code is 1180443.`,
    secrets: ['1180442', '1180443'],
  },
];

const LINKS: readonly PlantedMail[] = [
  'https://login.harbor.example/verify/qzxwvkjq',
  'https://harbor.example/reset?token=wqjxkzvy',
  'http://harbor.example:8080/#session=jqzwxvkk',
  'www.harbor.example/activate/kwzqjxvv',
  'harbor.example/join/vkxqzjww',
  'harborapp://login/xjkqwzvq',
  'https://zvwqk@harbor.example/in?invite=qkvjwzxz',
  '<https://harbor.example/confirm/xwvzk\njqqkz>',
].map((link, at) => ({
  subject: `Your account ${String.fromCharCode(65 + at)}`,
  text: `Open this to go on:\n\n${link}\n\nHarbor`,
  secrets: [/[qzxwvkjy]{8,}|xwvzk/.exec(link)?.[0] ?? ''],
}));

const HTML_LINKS: readonly PlantedMail[] = [
  {
    subject: 'Confirm',
    html: '<p>Press <a href="https://harbor.example/c/zqkxwvjj">this button</a>.</p><img src="https://harbor.example/p/jwkvqxzz">',
    secrets: ['zqkxwvjj', 'jwkvqxzz'],
  },
  {
    subject: 'Confirm',
    html: '<p>Press this.</p><p style="display:none">hidden 4410982 https://harbor.example/h/vvqxkzjw</p>',
    secrets: ['4410982', 'vvqxkzjw'],
  },
];

/** Codes that are found, with six characters or more, so that no id or date holds them by chance. */
const FOUND: readonly PlantedMail[] = unseenAgainMails()
  .map(({ subject, text, code }) => ({ subject, text, secrets: [(code as string).replace(/[^\p{L}\p{N}]/gu, '')] }))
  .filter(({ secrets: [code = ''] }) => code.length >= 6)
  .slice(0, 20);

/** 40 mails. The detector finds no code in the first ten. */
export const plantedMails = (): PlantedMail[] => [...UNFOUND, ...LINKS, ...HTML_LINKS, ...FOUND];
