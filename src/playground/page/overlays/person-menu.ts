import { personById } from '../state/session.ts'
import { openMenu } from './menu.ts'
import { personItems } from './person-items.ts'
import { openProfile } from './profile.ts'

/** Opens the menu of actions on a person, including the bot's own commands. */
export function openPersonMenu(event: MouseEvent, personId: string): void {
  const opener = event.currentTarget as HTMLElement
  const name = personById(personId)?.name ?? 'Person'
  openMenu(event, {
    label: name,
    items: [{ label: 'Profile', icon: 'people', run: () => openProfile(personId, opener) }, ...personItems(personId)],
  })
}
