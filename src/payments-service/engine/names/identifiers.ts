import type { Tx } from '../../core/database.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'
import type { ServiceSettings } from '../../core/settings.ts'
import type { StaticCharge } from '../../generated/client.ts'
import { abandon, fold, type NameParts, takeName } from './gamertags.ts'

/**
 * Assigns an identifier to a new static charge, within a ledger change. Throws ServiceRefusal (identifier_taken, or
 * too_many_identifiers if the project has reached its limit).
 */
export async function takeIdentifier(
  parts: NameParts & { readonly settings: Pick<ServiceSettings, 'identifiersPerProject'> },
  tx: Tx,
  { id, projectId }: Pick<StaticCharge, 'id' | 'projectId'>,
  identifier: string,
): Promise<void> {
  const most = parts.settings.identifiersPerProject
  // Exclude the new charge, which may already be written.
  const where = { projectId, identifier: { not: null }, id: { not: id } }
  if (most !== 0 && (await tx.staticCharge.count({ where })) >= most) {
    const advice = 'Use one that you have, or ask the person who runs the service to release some.'
    throw new ServiceRefusal('too_many_identifiers', `This project has ${most} identifiers, the maximum. ${advice}`)
  }
  await takeName(parts, tx, { display: identifier }, { staticChargeId: id })
}

/** The state of a released name. */
export interface ReleasedName {
  readonly name: string
  /** The time before which nobody else gets the name; null if the name is free. */
  readonly reservedUntil: string | null
}

/**
 * Releases a name by one step, within a ledger change: an identifier in use becomes reserved, and a reserved name
 * becomes free. Returns undefined for a free name, and `in use` for a gamertag, which only a rename releases.
 */
export async function releaseName(
  parts: NameParts,
  tx: Tx,
  name: string,
): Promise<ReleasedName | 'in use' | undefined> {
  const present = await tx.name.findUnique({ where: { folded: fold(name) } })
  if (present === null) return undefined
  const { folded, display, staticChargeId, reservedUntil } = present
  if (reservedUntil !== null) {
    await tx.name.delete({ where: { folded } })
    return { name: display, reservedUntil: null }
  }
  if (staticChargeId === null) return 'in use'
  await tx.staticCharge.update({ where: { id: staticChargeId }, data: { identifier: null } })
  const until = await abandon(parts, tx, folded)
  return { name: display, reservedUntil: until?.toISOString() ?? null }
}

/**
 * Frees a user's earlier name at the user's own request, within a ledger change. Returns false if it is not an earlier
 * name of this user.
 */
export async function releaseOwnName(tx: Tx, userId: string, name: string): Promise<boolean> {
  const where = { folded: fold(name), userId, reservedUntil: { not: null } }
  return (await tx.name.deleteMany({ where })).count > 0
}
