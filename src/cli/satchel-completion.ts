import { SATCHEL_COMMANDS } from './satchel-commands.ts'

/** The shells for which there are completions. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Returns the script that completes `satchel` in a shell; undefined for an unknown shell. */
export function completionScript(shell: string): string | undefined {
  const names = [...Object.keys(SATCHEL_COMMANDS), 'completion', 'help']
  const second = Object.entries(SATCHEL_COMMANDS).flatMap(([name, { completions = [] }]) =>
    completions.length > 0 ? [[name, completions.join(' ')] as const] : [],
  )
  const third = Object.entries(SATCHEL_COMMANDS).flatMap(([name, { further = {} }]) =>
    Object.entries(further).map(([word, words]) => ({ name, word, words: words.join(' ') })),
  )
  if (shell === 'fish') return fish(names, second, third)
  if (shell !== 'bash' && shell !== 'zsh') return undefined
  const cases = second.map(([name, words]) => `    ${name}) words="${words}" ;;`)
  const deeper = third.map(({ name, word, words }) => `    '${name} ${word}') words="${words}" ;;`)
  const lines = [
    '_satchel() {',
    '  local words=""',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${names.join(' ')}"; elif [ "$COMP_CWORD" -eq 2 ]; then case "\${COMP_WORDS[1]}" in`,
    ...cases,
    `  esac; else case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in`,
    ...deeper,
    ...cases.map((line) => line.replace(/^ {4}([\w-]+)\)/, "    '$1 '*)")),
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$2"))',
    '}',
    'complete -o default -F _satchel satchel',
  ]
  return [...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []), ...lines].join('\n')
}

interface Third {
  readonly name: string
  readonly word: string
  readonly words: string
}

function fish(
  names: readonly string[],
  second: ReadonlyArray<readonly [string, string]>,
  third: readonly Third[],
): string {
  const firsts = `complete -c satchel -n __fish_use_subcommand -a "${names.join(' ')}"`
  const others = second.map(([name, words]) => {
    const further = third.filter((each) => each.name === name).map(({ word }) => word)
    const unless = further.length > 0 ? `; and not __fish_seen_subcommand_from ${further.join(' ')}` : ''
    return `complete -c satchel -n "__fish_seen_subcommand_from ${name}${unless}" -a "${words}"`
  })
  const deeper = third.map(({ name, word, words }) => {
    const seen = [name, word].map((each) => `__fish_seen_subcommand_from ${each}`).join('; and ')
    return `complete -c satchel -n "${seen}" -a "${words}"`
  })
  return [firsts, ...others, ...deeper].join('\n')
}
