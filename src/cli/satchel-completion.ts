import { SATCHEL_COMMANDS } from './satchel-commands.ts'

/** The shells that completions are made for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** What a shell's start-up file needs to complete the words of `satchel`; undefined for another shell. */
export function completionScript(shell: string): string | undefined {
  const names = [...Object.keys(SATCHEL_COMMANDS), 'completion', 'help']
  const second = Object.entries(SATCHEL_COMMANDS).flatMap(([name, { completions = [] }]) =>
    completions.length > 0 ? [[name, completions.join(' ')] as const] : [],
  )
  if (shell === 'fish') return fish(names, second)
  if (shell !== 'bash' && shell !== 'zsh') return undefined
  const cases = second.map(([name, words]) => `    ${name}) words="${words}" ;;`)
  const lines = [
    '_satchel() {',
    '  local words=""',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${names.join(' ')}"; else case "\${COMP_WORDS[1]}" in`,
    ...cases,
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$2"))',
    '}',
    'complete -o default -F _satchel satchel',
  ]
  return [...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []), ...lines].join('\n')
}

function fish(names: readonly string[], second: ReadonlyArray<readonly [string, string]>): string {
  const firsts = `complete -c satchel -n __fish_use_subcommand -a "${names.join(' ')}"`
  const others = second.map(
    ([name, words]) => `complete -c satchel -n "__fish_seen_subcommand_from ${name}" -a "${words}"`,
  )
  return [firsts, ...others].join('\n')
}
