import type { Giveaway } from '../generated/client.ts'
import type { RequiredRoles } from './giveaways.ts'

/** Returns a giveaway's required roles; undefined if everybody may enter. */
export function rolesOf({
  role,
  moreRoles,
  allRoles,
}: Pick<Giveaway, 'role' | 'moreRoles' | 'allRoles'>): RequiredRoles | undefined {
  if (role === null) return undefined
  return { ids: [role, ...(JSON.parse(moreRoles) as string[])], need: allRoles ? 'all' : 'any' }
}
