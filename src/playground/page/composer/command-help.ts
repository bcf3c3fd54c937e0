import type { CommandView, OptionView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { parts } from '../state/session.ts'
import { Suggestions } from './suggestions.ts'

interface CommandHelpProps {
  command: CommandView
  /** The focused option. */
  option: OptionView | undefined
  problem: string | undefined
  empty: string | null
  list: Pick<Parameters<typeof Suggestions>[0], 'items' | 'active' | 'onActive' | 'onPick'>
}

/**
 * Draws the help for the present step: the description of the command or of the focused option, the option's fault, and
 * its choices.
 */
export function CommandHelp({ command, option, problem, empty, list }: CommandHelpProps): VNode {
  const head = html`<span class="help-words">
      ${
        option === undefined
          ? html`<b>/${command.label}</b> ${command.description}`
          : html`<b>${option.name}</b> ${option.description}`
      }
      ${problem !== undefined && html`<em role="alert">${problem}</em>`}
    </span>
    <span class="help-keys">
      ${
        parts.value.botOnline
          ? html`<kbd>Enter</kbd> send <kbd>Tab</kbd> next <kbd>Esc</kbd> leave`
          : html`<em>The bot is offline: nobody will answer.</em>`
      }
    </span>`
  const label = option?.name ?? command.label
  return html`<${Suggestions} id="option-list" label=${label} head=${head} empty=${empty} ...${list} />`
}
