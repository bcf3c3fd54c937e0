import { TippingRefusal } from '../../core/tipping-refusal.ts'
import type { ServerPreferences } from './preferences.ts'

interface Somebody {
  readonly id: string
  /** The ids of the person's roles in the server. */
  readonly roles: readonly string[]
}

/** Whether a server's moderators have excluded somebody from the gifts to everybody in that server. */
export function isBlocked(
  { blockedMembers, blockedRoles }: Pick<ServerPreferences, 'blockedMembers' | 'blockedRoles'>,
  { id, roles }: Somebody,
): boolean {
  return blockedMembers.includes(id) || roles.some((role) => blockedRoles.includes(role))
}

/** Throws TippingRefusal `blocked` if the server's moderators have excluded this person. */
export function mustNotBeBlocked(server: ServerPreferences, somebody: Somebody): void {
  if (isBlocked(server, somebody)) throw new TippingRefusal('blocked', {})
}
