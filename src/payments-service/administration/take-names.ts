import type { Ledger } from '../../ledger/ledger.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import { wallet } from '../core/chart-of-accounts.ts'
import type { PaymentsDatabase, Tx } from '../core/database.ts'
import { AdministrationRefusal } from './administration-refusal.ts'

interface TakeNamesParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: Clock
  readonly entropy: Entropy
}

/** The number of users in one transaction. */
const BATCH_SIZE = 200

/** Creates the action by which operators take back names that a project's key reserved for people who may not exist. */
export function takeNames({ database, ledger, entropy }: TakeNamesParts) {
  return {
    takeNames: async (projectId: string) => {
      if ((await database.read.project.findUnique({ where: { id: projectId } })) === null) {
        throw new AdministrationRefusal(`There is no project ${projectId}. "project list" shows all projects.`)
      }
      let [taken, kept, after] = [0, 0, '']
      for (;;) {
        const where = { projectId, id: { gt: after } }
        const users = await database.read.user.findMany({ where, orderBy: { id: 'asc' }, take: BATCH_SIZE })
        const last = users.at(-1)
        if (last === undefined) return { projectId, taken, kept }
        after = last.id
        const renamed = await ledger.commit({ write: (tx) => rename(tx, users, () => neutralName(entropy)) })
        taken += renamed
        kept += users.length - renamed
      }
    },
  }
}

/**
 * Renames those of the users who have never had a sat, and frees their earlier names. Resolves to the number of renamed
 * users.
 */
async function rename(tx: Tx, users: readonly { id: string }[], newName: () => string): Promise<number> {
  const ofWallet = (id: string) => wallet({ kind: 'user', id }).owner
  const used = await tx.account.findMany({ where: { owner: { in: users.map(({ id }) => ofWallet(id)) } } })
  const owners = new Set(used.map(({ owner }) => owner))
  const idle = users.filter(({ id }) => !owners.has(ofWallet(id)))
  await tx.name.deleteMany({ where: { userId: { in: idle.map(({ id }) => id) } } })
  for (const { id: userId } of idle) {
    const display = newName()
    await tx.name.create({ data: { folded: display, display, userId } })
    await tx.user.update({ where: { id: userId }, data: { gamertag: display } })
  }
  return idle.length
}

/** Returns a neutral new name for a user. */
function neutralName(entropy: Entropy): string {
  return `tipper-${entropy.bytes(8).toString('hex')}`
}
