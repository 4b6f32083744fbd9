import { MODEL_WORDS, NEGATION } from './model-words.ts';
import { plainText } from './text-of-html.ts';
import { SearchedText, spansOf, Words } from './word-match.ts';

type Idea = keyof typeof MODEL_WORDS | 'target' | 'negated' | 'command';

const WORDS = Object.entries(MODEL_WORDS).map(([idea, words]) => [idea as Idea, new Words(words)] as const);
const NO = new Words(NEGATION);
/** An address or a page, to which something can go. */
const TARGET = /[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+|https?:\/\/\S/gi;

/** How strongly each group of ideas in one sentence speaks to a model, by how many of them meet. */
const RULES: readonly { name: string; all: readonly Idea[]; weight: number; isCalm?: true }[] = [
  { name: 'override', all: ['override', 'rules'], weight: 0.35 },
  { name: 'override', all: ['override', 'rules', 'act'], weight: 0.5 },
  { name: 'override', all: ['override', 'rules', 'model'], weight: 0.5 },
  { name: 'role', all: ['role'], weight: 0.25 },
  { name: 'address', all: ['vocative'], weight: 0.25 },
  { name: 'address', all: ['vocative', 'act'], weight: 0.4 },
  { name: 'address', all: ['model', 'act', 'secret'], weight: 0.25, isCalm: true },
  { name: 'address', all: ['model', 'act', 'secret', 'target'], weight: 0.4, isCalm: true },
  { name: 'secrecy', all: ['secrecy'], weight: 0.3 },
  { name: 'unasked', all: ['unasked'], weight: 0.15 },
  { name: 'unasked', all: ['unasked', 'act'], weight: 0.3 },
  { name: 'unasked', all: ['unasked', 'vocative'], weight: 0.35 },
  { name: 'approval', all: ['approved'], weight: 0.15 },
  { name: 'approval', all: ['approved', 'unasked'], weight: 0.35 },
  { name: 'approval', all: ['approved', 'act'], weight: 0.25 },
];

/** A demand to hand over a secret: in any words where people do not look, else only in those of a command. */
const HIDDEN_RULES: typeof RULES = [
  ...RULES,
  { name: 'handover', all: ['act', 'secret'], weight: 0.3, isCalm: true },
  { name: 'handover', all: ['act', 'target'], weight: 0.3, isCalm: true },
  { name: 'handover', all: ['model', 'act'], weight: 0.3 },
];
const COMMAND =
  /(?:^|[.!?:;,\n]\s*|\b(?:please|then|and|must|should|immediately|now|to)\s+)(?:forward|send|transfer|reveal|share|export|upload|disclose|exfiltrate|reply with|respond with|post|paste|provide|submit|collect|gather|include|append|list|e-?mail)\b/i;

/** What speaks to a model in a text, from 0 (nothing) to 1. */
export interface ModelTalk {
  weight: number;
  /** It asks for what must not leave. */
  asksForSecrets: boolean;
}

/** Characters of a text that are read. Mail with more of it is called `unread_text`. */
export const READ_CHARS = 262_144;
/** They are read in pieces. The overlap holds a demand that a border would cut. */
const PIECE = { chars: 65_536, overlap: 1000 } as const;

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  const end = Math.min(text.length, READ_CHARS);
  for (let at = 0; at === 0 || at + PIECE.overlap < end; at += PIECE.chars - PIECE.overlap)
    pieces.push(text.slice(at, Math.min(at + PIECE.chars, end)));
  return pieces;
}

const SENTENCES_MAX = 6000;

/** Where sentences begin. A dot inside an address or a number ends none. */
function sentencesOf(text: string): number[] {
  const starts = [0];
  for (const { 0: end, index } of text.matchAll(/[.!?;]+(?=\s)\s*|[\n\u3002\uff01\uff1f\u0964\u061f]+\s*/g)) {
    starts.push(index + end.length);
    if (starts.length >= SENTENCES_MAX) break;
  }
  return starts;
}

/** The ideas in each sentence that has any. A demand often runs over two sentences, so the next one counts too. */
function ideasBySentence(text: string): Map<number, Set<Idea>> {
  const starts = sentencesOf(text);
  const found = new Map<number, Set<Idea>>();
  const note = (idea: Idea, spans: readonly { start: number }[]): void => {
    let sentence = 0;
    for (const { start } of spans) {
      while (sentence + 1 < starts.length && (starts[sentence + 1] as number) <= start) sentence += 1;
      const ideas = found.get(sentence) ?? new Set();
      found.set(sentence, ideas.add(idea));
    }
  };
  const searched = new SearchedText(text);
  for (const [idea, words] of WORDS) note(idea, words.spansIn(searched));
  if (text.includes('@') || text.includes('://')) note('target', spansOf(TARGET, text));
  for (const [sentence, ideas] of found) {
    const from = starts[sentence] as number;
    const line = text.slice(from, Math.min(starts[sentence + 1] ?? text.length, from + 1000));
    if (NO.isIn(line)) ideas.add('negated');
    if (COMMAND.test(line)) ideas.add('command');
  }
  return found;
}

/**
 * Judges whether a text speaks to a model. Words in one sentence count together, in 15 languages.
 * @param isHidden the text is one that a person does not see, so that any demand in it counts
 */
export function modelTalkOf(source: string, isHidden: boolean): ModelTalk {
  const weights = new Map<string, number>();
  let asksForSecrets = false;
  for (const ideas of piecesOf(source).flatMap((piece) => [...ideasBySentence(plainText(piece)).values()])) {
    const isCalm = ideas.has('negated');
    for (const { name, all, weight, isCalm: needsCalm } of isHidden ? HIDDEN_RULES : RULES)
      if (weight > (weights.get(name) ?? 0) && !(needsCalm && isCalm) && all.every((idea) => ideas.has(idea)))
        weights.set(name, weight);
    const isDemand = ideas.has('secret') && ideas.has('act') && ideas.has('command') && !isCalm;
    if (isDemand) {
      asksForSecrets = true;
      const weight = ideas.has('target') ? 0.3 : 0.15;
      weights.set('handover', Math.max(weight, weights.get('handover') ?? 0));
    }
  }
  const innocence = [...weights.values()].reduce((product, weight) => product * (1 - weight), 1);
  // What is hidden is not meant for a person, so it is meant for a program.
  return { weight: 1 - innocence ** (isHidden ? 2.2 : 1), asksForSecrets };
}

const QUOTED =
  /"[^"\n]{1,300}"|\u201c[^\u201d\n]{1,300}\u201d|\u201e[^\u201c\u201d\n]{1,300}[\u201c\u201d]|\u00ab[^\u00bb\n]{1,300}\u00bb|\u300c[^\u300d\n]{1,300}\u300d|`[^`\n]{1,300}`/g;

/** The same for text that a person sees. What stands in quotation marks counts half: people write about such mail. */
export function visibleTalkOf(text: string): ModelTalk {
  const whole = modelTalkOf(text, false);
  if (whole.weight === 0 || text.search(QUOTED) < 0) return whole;
  const own = modelTalkOf(text.replace(QUOTED, ' '), false);
  return { weight: Math.max(own.weight, whole.weight / 2), asksForSecrets: own.asksForSecrets };
}

/** Marks that separate the turns of a conversation with a model, and those that our own fence uses. */
const TURN =
  /<\|[\w /:-]{2,40}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|user|human|tool_output|tool_result|tool_response|tool_call|function_results?|function_calls?|function_response|instructions?|untrusted(?:_\w+)?|system[-_]?(?:prompt|message|reminder)|email(?:_\w+)?|document_content|context|thinking)>|<<<\/?\s?(?:end|mail)\b|^[ \t]{0,8}#{1,4}[ \t]*(?:system|assistant|user|instructions?)(?:[ \t](?:prompt|message|override|instructions?)[ \t]*:?|[ \t]*:)[ \t]*$|-{3,20}[ \t]*(?:begin|end|start of)(?: of)? (?:system|user|assistant|tool|untrusted|instructions?|e?-?mail)[\w ]{0,30}-{3}|\{\s{0,4}"role"\s{0,4}:\s{0,4}"(?:system|assistant|user|tool)"/gim;
const ROLE_LINE =
  /(?:^[ \t>*]{0,20}|[.!?] {1,3})(system|assistant|user|human|ai|developer|tool) {0,3}(?:\([\w ]{1,20}\) {0,3})?:/gim;

/** How many marks of a model's turns a text imitates. A script of two roles counts as one. */
export function forgedTurnsIn(text: string): number {
  const head = text.slice(0, READ_CHARS);
  const roles = new Set([...head.matchAll(ROLE_LINE)].map((match) => (match[1] as string).toLowerCase()));
  const isScript = roles.size >= 2 && (roles.has('assistant') || roles.has('ai'));
  return (head.match(TURN)?.length ?? 0) + (isScript ? 1 : 0);
}
