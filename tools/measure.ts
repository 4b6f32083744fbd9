/**
 * Prints the figures by which a change of the whole house is judged, of a folder with a checkout of the project:
 *
 *     sh bin/node tools/measure.ts [folder]
 *
 * Tokens are those of TypeScript's scanner. By hand means not written by `npm run generate`. CSS, HTML and Python count in bytes.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';

const folder = process.argv[2] ?? '.';
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

const GENERATED = /^(?:\/\/|#|""") ?Made from the .* `?npm run generate`?/;
const isTest = (file: string): boolean => /\.test\.ts$|^test\//.test(file);
const linesOf = (text: string): number => text.split('\n').length - 1;

interface Counts {
  files: number;
  lines: number;
  tokens: number;
  comments: number;
  commentWords: number;
}

/** After these a slash divides; elsewhere it begins a regular expression. */
const ENDS_VALUE = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.PrivateIdentifier,
]);
const COMMENTS = new Set([SyntaxKind.SingleLineCommentTrivia, SyntaxKind.MultiLineCommentTrivia]);
const BLANKS = new Set([SyntaxKind.WhitespaceTrivia, SyntaxKind.NewLineTrivia]);
const DIRECTIVE = /^\/\/ (?:biome-ignore|@ts-)/;

/** Counts a file. Comment lines that follow each other are one comment; directives to tools are none. */
function count(text: string): Counts {
  const scanner = createScanner(false, undefined, text);
  const counts = { files: 1, lines: linesOf(text), tokens: 0, comments: 0, commentWords: 0 };
  /** For each open `${`, how many braces are open within it. */
  const templates: number[] = [];
  let last = SyntaxKind.Unknown;
  let isInComment = false;
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFile; token = scanner.scan()) {
    if (BLANKS.has(token)) continue;
    if (COMMENTS.has(token)) {
      const comment = scanner.getTokenText();
      if (DIRECTIVE.test(comment)) continue;
      if (!isInComment || token === SyntaxKind.MultiLineCommentTrivia) counts.comments++;
      counts.commentWords += comment.match(/[\p{L}\d]+/gu)?.length ?? 0;
      isInComment = true;
      continue;
    }
    isInComment = false;
    if (/^\/=?$/.test(scanner.getTokenText()) && !ENDS_VALUE.has(last)) token = scanner.reScanSlashToken();
    if (token === SyntaxKind.CloseBraceToken && templates.at(-1) === 0) {
      token = scanner.reScanTemplateToken(false);
      if (token === SyntaxKind.TemplateTail) templates.pop();
    } else if (templates.length > 0 && token === SyntaxKind.OpenBraceToken)
      templates.push((templates.pop() as number) + 1);
    else if (templates.length > 0 && token === SyntaxKind.CloseBraceToken)
      templates.push((templates.pop() as number) - 1);
    if (token === SyntaxKind.TemplateHead) templates.push(0);
    counts.tokens++;
    last = token;
  }
  return counts;
}

function sum(files: readonly string[]): Counts {
  const total = { files: 0, lines: 0, tokens: 0, comments: 0, commentWords: 0 };
  for (const one of files.map((file) => count(read(file))))
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += one[name];
  return total;
}

const glob = (pattern: string): string[] =>
  globSync(pattern, { cwd: folder, exclude: (name) => name === 'node_modules' || name === 'dist' }).sort();

const typescript = glob('{src,bin,tools,bench,clients,test}/**/*.{ts,mjs}');
const generated = typescript.filter((file) => GENERATED.test(read(file)));
const code = typescript.filter((file) => !isTest(file) && !generated.includes(file));
const bytesOf = (files: readonly string[]): number => files.reduce((bytes, file) => bytes + read(file).length, 0);
const show = (name: string, value: unknown): void => console.log(`${name}: ${value}`);

const byHand = sum(code);
const tests = sum(typescript.filter(isTest));
const inSrc = code.filter((file) => file.startsWith('src/'));
show('code tokens by hand (src, bin, tools, bench, clients)', byHand.tokens);
show(
  'lines by hand in src, with CSS',
  [...inSrc, ...glob('src/**/*.css')].reduce((n, file) => n + linesOf(read(file)), 0),
);
show('files by hand in src, with CSS', inSrc.length + glob('src/**/*.css').length);
show('comments per 1,000 tokens', ((1000 * byHand.comments) / byHand.tokens).toFixed(2));
show('words of comments per 1,000 tokens', ((1000 * byHand.commentWords) / byHand.tokens).toFixed(1));
show(
  'bytes of CSS, HTML, Python by hand',
  bytesOf(glob('{src,clients}/**/*.{css,html}')) +
    bytesOf(glob('clients/**/*.py').filter((file) => !GENERATED.test(read(file)))),
);
show(
  'generated lines of TypeScript',
  generated.reduce((lines, file) => lines + linesOf(read(file)), 0),
);
show('files of tests, their tokens and lines', `${tests.files}, ${tests.tokens}, ${tests.lines}`);
show('files named -rules', inSrc.filter((file) => file.endsWith('-rules.ts')).length);
show(
  'files over 300 lines, over 500',
  [300, 500].map((most) => inSrc.filter((file) => linesOf(read(file)) > most).length).join(', '),
);
const folders = Map.groupBy(inSrc, dirname);
const full = [...folders].filter(([name, files]) => files.length > 20 && !name.endsWith('migrations'));
show(
  'folders of src, those over 20 files',
  `${folders.size}, ${full.map(([name, files]) => `${name} ${files.length}`).join(', ')}`,
);
const NOBODY = /\b(?:nobody|somebody|whoever|of its own|he)\b/gi;
const prose = [...code, ...glob('docs/**/*.md')].filter((file) => !file.includes('/adr/'));
show(
  '"nobody, somebody, whoever, of its own, he"',
  prose.reduce((n, file) => n + (read(file).match(NOBODY)?.length ?? 0), 0),
);
