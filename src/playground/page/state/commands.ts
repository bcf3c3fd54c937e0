import type { CommandView } from '../../../discord-emulator/views.ts'
import { effect, signal } from '../html.ts'
import { api } from './api.ts'
import { looks, place } from './session.ts'

/** The person's commands in the open channel: slash commands, and the commands in the menus of messages and people. */
export const commandsHere = signal<readonly CommandView[]>([])

/** The command whose mention the person pressed in a message; null once the composer has taken it. */
export const pressedCommand = signal<CommandView | null>(null)

/** Finds the slash command with this path, such as `voucher redeem`, if the person can use it. */
export function slashCommand(path: string): CommandView | undefined {
  return commandsHere.value.find((command) => command.kind === 'slash' && command.path === path)
}

effect(() => {
  const { channel } = place.value
  if (channel === '' || looks.value === 0) return
  void api.commands(channel).then(
    (commands) => {
      if (place.value.channel === channel) commandsHere.value = commands
    },
    () => {},
  )
})
