import type { Command } from 'commander';
import { leavesOf } from './command-tree.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What may follow the words of a command: subcommands, or options and the values of its first argument. */
interface Place {
  words: string;
  next: string[];
  /** The values of an option that has few, by its flag. */
  values: Map<string, string[]>;
}

const flagsOf = ({ options }: Command): string[] => options.flatMap(({ long }) => long ?? []);

/** Every command of the programs, with those above it. A word that both have has the commands of both. */
function placesOf(programs: readonly Command[], operations: readonly string[]): Place[] {
  const places = new Map<string, Place>();
  const at = (words: string): Place => {
    const known = places.get(words) ?? { words, next: [], values: new Map() };
    places.set(words, known);
    return known;
  };
  const add = (place: Place, word: string): void => {
    if (!place.next.includes(word)) place.next.push(word);
  };
  for (const program of programs)
    for (const { words, command } of leavesOf(program)) {
      for (const [depth, word] of words.entries()) add(at(words.slice(0, depth).join(' ')), word);
      const place = at(words.join(' '));
      for (const { argChoices = [] } of command.registeredArguments) for (const value of argChoices) add(place, value);
      for (const flag of [...flagsOf(command), '--json', '--help']) add(place, flag);
      for (const { long, argChoices } of command.options) if (long && argChoices) place.values.set(long, argChoices);
    }
  for (const operation of operations) add(at('call'), operation);
  return [...places.values()];
}

/** Words and values hold nothing but these, so no shell reads more into them. */
function requirePlain(places: readonly Place[]): void {
  for (const { words, next, values } of places)
    for (const text of [...words.split(' '), ...next, ...[...values].flatMap(([flag, given]) => [flag, ...given])])
      if (!/^[\w.-]*$/.test(text)) throw new Error(`${text} cannot stand in a completion`);
}

/** A function that prints what may follow: `$1` the words of the command, `$2` the option before the word. */
function chooser(places: readonly Place[]): string {
  const values = places.flatMap((place) =>
    [...place.values].map(([flag, given]) => `    '${place.words} ${flag}') echo '${given.join(' ')}'; return ;;\n`),
  );
  const words = places.map((place) => `    '${place.words}') echo '${place.next.join(' ')}' ;;\n`);
  return `_signet_next() {\n  case "$1 $2" in\n${values.join('')}  esac\n  case "$1" in\n${words.join('')}  esac\n}\n`;
}

/** The longest words from the start that are a command. Options before them are skipped. */
const finder = (places: readonly Place[], words: string, last: string): string => `
_signet_complete() {
  local at='' word next before=${last}
  for word in ${words}; do
    case "$word" in -* | admin) continue ;; esac
    next="\${at:+$at }$word"
    case "$next" in
      ${places.flatMap((place) => (place.words === '' ? [] : `'${place.words}'`)).join(' | ')}) at=$next ;;
      *) break ;;
    esac
  done
  _signet_next "$at" "$before"
}
`;

function bash(places: readonly Place[]): string {
  const words = `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`;
  const last = `\${COMP_WORDS[COMP_CWORD-1]}`;
  return `# Completes signet in bash: eval "$(signet completion bash)"
${chooser(places)}${finder(places, words, last)}
_signet() {
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$(_signet_complete)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _signet signet
`;
}

function zsh(places: readonly Place[]): string {
  const words = `"\${(@)words[2,CURRENT-1]}"`;
  const last = `\${words[CURRENT-1]}`;
  return `#compdef signet
# Completes signet in zsh: eval "$(signet completion zsh)", after compinit
${chooser(places)}${finder(places, words, last)}
_signet() {
  local -a found
  found=(\${=$(_signet_complete)})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _signet signet
`;
}

function fish(places: readonly Place[]): string {
  const values = places.flatMap((place) =>
    [...place.values].map(
      ([flag, given]) => `        case '${place.words} ${flag}'\n            set found ${given.join(' ')}\n`,
    ),
  );
  const words = places.map((place) => `        case '${place.words}'\n            set found ${place.next.join(' ')}\n`);
  const known = places.flatMap((place) => (place.words === '' ? [] : `'${place.words}'`)).join(' ');
  return `# Completes signet in fish: signet completion fish | source
function __signet_complete
    set -l given (commandline -opc)
    set -l before $given[-1]
    set -l at ''
    for word in $given[2..-1]
        string match -q -- '-*' $word; and continue
        test $word = admin; and continue
        set -l next (string trim -- "$at $word")
        contains -- $next ${known}; or break
        set at $next
    end
    set -l found
    switch "$at $before"
${values.join('')}    end
    if not set -q found[1]
        switch $at
${words.join('').replace(/^/gm, '    ').trimEnd()}
        end
    end
    string join \\n -- $found
end
complete -c signet -f -a '(__signet_complete)'
`;
}

/**
 * What a shell runs to complete the commands of these programs.
 * @param operations what `signet call` takes
 */
export function completionScript(shell: Shell, programs: readonly Command[], operations: readonly string[]): string {
  const places = placesOf(programs, operations);
  requirePlain(places);
  return { bash, zsh, fish }[shell](places);
}
