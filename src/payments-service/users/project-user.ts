import type { CoreParts } from '../core/core-parts.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import type { ServiceSettings } from '../core/settings.ts'
import { type NameParts, takeName } from '../engine/names/gamertags.ts'

/** A user whom a project opened for one of its own people. */
export interface ProjectUser {
  readonly id: string
  readonly gamertag: string
}

interface Person {
  readonly projectId: string
  /** The project's own identifier for this person. */
  readonly reference: string
  /** The gamertag that is requested for this person. */
  readonly gamertag: string
}

/** Finds the user whom a project opened under this reference; undefined if there is none. */
export async function findProjectUser(
  read: Pick<Tx, 'user'>,
  projectId: string,
  reference: string,
): Promise<ProjectUser | undefined> {
  const user = await read.user.findUnique({ where: { projectId_reference: { projectId, reference } } })
  return user === null ? undefined : { id: user.id, gamertag: user.gamertag }
}

/**
 * Finds or opens a project's user, within a ledger change. If the requested gamertag is taken, appends a number or
 * letters. Throws ServiceRefusal (too_many_identifiers) if the project has reached its limit of users.
 */
export async function openProjectUser(
  parts: NameParts & Pick<CoreParts, 'entropy'> & { readonly settings: Pick<ServiceSettings, 'usersPerProject'> },
  tx: Tx,
  { projectId, reference, gamertag: requested }: Person,
): Promise<ProjectUser & { readonly created: boolean }> {
  const known = await findProjectUser(tx, projectId, reference)
  if (known !== undefined) return { ...known, created: false }
  const most = parts.settings.usersPerProject
  if (most !== 0 && (await tx.user.count({ where: { projectId } })) >= most) {
    const advice = 'Ask the person who runs the service to raise USERS_PER_PROJECT.'
    throw new ServiceRefusal('too_many_identifiers', `This project has opened ${most} users, the maximum. ${advice}`)
  }
  const id = parts.entropy.uuid()
  const gamertag = await takeNameLike(parts, tx, requested, id)
  await tx.user.create({ data: { id, gamertag, createdAt: new Date(parts.clock.now()), projectId, reference } })
  return { id, gamertag, created: true }
}

const MAX_LENGTH = 30

async function takeNameLike(
  parts: NameParts & Pick<CoreParts, 'entropy'>,
  tx: Tx,
  requested: string,
  userId: string,
): Promise<string> {
  for (const display of namesLike(requested, () => parts.entropy.bytes(4).toString('hex'))) {
    try {
      await takeName(parts, tx, { display }, { userId })
      return display
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error
    }
  }
  throw new ServiceRefusal('nothing_sent', 'No free name was found. Try again.')
}

function* namesLike(requested: string, letters: () => string): Generator<string> {
  yield requested
  for (let number = 2; number <= 9; number += 1) yield `${requested.slice(0, MAX_LENGTH - 1)}${number}`
  yield `${requested.slice(0, MAX_LENGTH - 9)}-${letters()}`
  // A name that looks official stays so with any suffix.
  for (let attempt = 0; attempt < 3; attempt += 1) yield `tipper-${letters()}`
}
