import { api } from '../state/api.ts'
import { commandsHere } from '../state/commands.ts'
import { follow, tell } from '../state/interactions.ts'
import { channel, me, personById, refreshView, visit } from '../state/session.ts'
import { type MenuItem, openMenu } from './menu.ts'
import { openProfile } from './profile.ts'

/** What can be done with somebody, the bot's own commands among it. */
export function openPersonMenu(event: MouseEvent, personId: string): void {
  const opener = event.currentTarget as HTMLElement
  const name = personById(personId)?.name ?? 'Person'
  openMenu(event, {
    label: name,
    items: [{ label: 'Profile', icon: 'people', run: () => openProfile(personId, opener) }, ...personItems(personId)],
  })
}

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
