import { api } from '../state/api.ts'
import { commandsHere } from '../state/commands.ts'
import { follow, tell } from '../state/interactions.ts'
import { channel, me, refreshView, visit } from '../state/session.ts'
import type { MenuItem } from './menu.ts'

/** Direct message, and the bot's user commands. */
export function personItems(personId: string): MenuItem[] {
  const here = channel.value?.id ?? ''
  const apps = commandsHere.value.filter(({ kind }) => kind === 'user')
  const self = personId === me.value?.id
  return [
    ...(self ? [] : [{ label: 'Message', icon: 'chat' as const, run: () => void converse(personId) }]),
    ...apps.map((command, at) => ({
      label: command.label,
      icon: 'bolt' as const,
      ...(at === 0 ? { under: 'Apps' } : {}),
      run: () => void follow(api.useOnPerson(here, personId, command.path), command.label),
    })),
  ]
}

async function converse(personId: string): Promise<void> {
  const opened = await tell(api.converse(personId))
  if (opened === undefined) return
  await refreshView()
  visit(opened.id)
}
