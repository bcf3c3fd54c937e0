import type { CommandView } from '../../../discord-emulator/views.ts'
import { excerpt } from '../conversation/message.ts'
import { html, useEffect, useState, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { pressedCommand } from '../state/commands.ts'
import { replyingTo } from '../state/conversations.ts'
import { channel, me } from '../state/session.ts'
import { CommandEntry } from './command-entry.ts'
import { TextEntry } from './text-entry.ts'

/** Draws the place for writing a message, or a command with its options. */
export function Composer(): VNode {
  const here = channel.value
  return html`<${ChannelComposer} key=${`${me.value?.id} ${here?.id}`} />`
}

function ChannelComposer(): VNode {
  const [chosen, setChosen] = useState<{ command: CommandView; rest: string } | null>(null)
  const [wasCommand, setWasCommand] = useState(false)
  const leave = () => {
    setChosen(null)
    setWasCommand(true)
  }
  const pressed = pressedCommand.value
  useEffect(() => {
    if (pressed === null) return
    pressedCommand.value = null
    setChosen({ command: pressed, rest: '' })
  }, [pressed])
  const answered = replyingTo.value
  return html`<div class="composer" data-tour="composer">
    ${
      answered !== null &&
      html`<div class="replying">
        <span>Replying to <strong>${answered.author.name}</strong> <span class="excerpt">${excerpt(answered)}</span></span>
        <button
          type="button"
          class="round small"
          aria-label="Do not reply"
          onClick=${() => {
            replyingTo.value = null
          }}
        >
          <${Icon} name="close" size=${16} />
        </button>
      </div>`
    }
    ${
      chosen === null
        ? html`<${TextEntry}
            focusNow=${wasCommand}
            onCommand=${(command: CommandView, rest: string) => setChosen({ command, rest })}
          />`
        : html`<${CommandEntry} key=${chosen.command.path} command=${chosen.command} rest=${chosen.rest} onLeave=${leave} />`
    }
  </div>`
}
