import { api } from '../state/api.ts'
import { commandsHere } from '../state/commands.ts'
import { follow, tell } from '../state/interactions.ts'
import { channel, holdsSats, me, personById, refreshView, visit } from '../state/session.ts'
import type { MenuItem } from './menu.ts'

/** Lists the menu items for a person: their wallet, a direct message, their id, and the bot's user commands. */
export function personItems(personId: string): MenuItem[] {
  const here = channel.value?.id ?? ''
  const apps = commandsHere.value.filter(({ kind }) => kind === 'user')
  const self = personId === me.value?.id
  return [
    ...(personById(personId)?.bot === false && holdsSats.value
      ? [
          {
            label: self ? 'Open my wallet' : 'Open this wallet',
            icon: 'external' as const,
            run: () => openWallet(personId),
          },
        ]
      : []),
    ...(self ? [] : [{ label: 'Message', icon: 'chat' as const, run: () => void converse(personId) }]),
    { label: 'Copy user ID', icon: 'copy', run: () => void navigator.clipboard.writeText(personId) },
    ...apps.map((command, at) => ({
      label: command.label,
      icon: 'bolt' as const,
      ...(at === 0 ? { under: 'Apps' } : {}),
      run: () => void follow(api.useOnPerson(here, personId, command.path), command.label),
    })),
  ]
}

/**
 * Opens a person's wallet page in a tab of its own. Browsers require that the tab opens immediately, so it is empty
 * until the link arrives.
 */
export function openWallet(personId: string): void {
  const tab = window.open('', '_blank')
  void tell(api.walletOf(personId)).then((opened) => {
    if (opened === undefined) tab?.close()
    else if (tab !== null) tab.location.href = opened.link
  })
}

async function converse(personId: string): Promise<void> {
  const opened = await tell(api.converse(personId))
  if (opened === undefined) return
  await refreshView()
  visit(opened.id)
}
