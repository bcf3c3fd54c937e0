import type { CommandView } from '../../../discord-emulator/views.ts'
import { effect, signal } from '../html.ts'
import { api } from './api.ts'
import { looks, place } from './session.ts'

/** What the person can use in the channel that is open: slash commands, and those of the menus. */
export const commandsHere = signal<readonly CommandView[]>([])

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
