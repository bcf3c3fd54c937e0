import type { Clock } from '../../lib/clock.ts'
import { createBatchLoader } from '../../lib/database/batch-loader.ts'
import { rowsAs } from '../../lib/database/sql-rows.ts'
import type { PaymentsDatabase, Tx } from '../database.ts'
import type { Name } from '../generated/client.ts'
import { ServiceRefusal } from '../service-refusal.ts'
import type { ServiceSettings } from '../settings.ts'

const DAY_MS = 24 * 3_600_000

/** Who stands behind a name now: gamertags and Lightning Address identifiers share one name space, whatever their case. */
export interface NameOwner {
  /** As its owner writes it. */
  readonly display: string
  /** The user who has this gamertag … */
  readonly userId: string | undefined
  /** … or the static charge that has this identifier. */
  readonly staticChargeId: string | undefined
}

/** Looks names up; those that are asked for together are one query. */
export interface NameDirectory {
  /** The owner of a name, in any case; undefined for one that nobody has, a reserved one included. */
  find(name: string): Promise<NameOwner | undefined>
  /** The id of the user with this gamertag. Throws ServiceRefusal (gamertag_not_found). */
  userId(gamertag: string): Promise<string>
}

export function createNameDirectory({ read }: PaymentsDatabase): NameDirectory {
  const names = createBatchLoader<string, Name>({
    load: async (keys) => {
      const wanted = rowsAs(
        'wanted',
        ['folded'],
        [...keys].map((key) => [key]),
      )
      const rows = await read.$queryRaw<Name[]>`
        SELECT n.* FROM ${wanted} JOIN "Name" AS n ON n."folded" = wanted."folded" WHERE n."reservedUntil" IS NULL`
      return new Map(rows.map((row) => [row.folded, row]))
    },
  })
  async function find(name: string): Promise<NameOwner | undefined> {
    const row = await names.load(fold(name))
    if (row === undefined) return undefined
    return { display: row.display, userId: row.userId ?? undefined, staticChargeId: row.staticChargeId ?? undefined }
  }
  return {
    find,
    async userId(gamertag) {
      const owner = await find(gamertag)
      if (owner?.userId === undefined) {
        throw new ServiceRefusal('gamertag_not_found', 'Nobody has this gamertag. Check how it is written.')
      }
      return owner.userId
    },
  }
}

/** Gamertags in their order, without regard to case, that come after one; reserved ones, which nobody has, are left out. */
export async function listGamertags(
  read: PaymentsDatabase['read'],
  after: string,
  most: number,
): Promise<{ userId: string; gamertag: string }[]> {
  const rows = await read.name.findMany({
    where: { folded: { gt: fold(after) }, userId: { not: null }, reservedUntil: null },
    orderBy: { folded: 'asc' },
    take: most,
  })
  return rows.flatMap(({ userId, display }) => (userId === null ? [] : [{ userId, gamertag: display }]))
}

type Taker = { readonly userId: string } | { readonly staticChargeId: string }

/**
 * Gives a name to a user or a static charge, within a ledger change. Throws ServiceRefusal (identifier_taken) when somebody
 * else has it, or released it so lately that it is still reserved; its former owner may take it back.
 */
export async function takeName(tx: Tx, display: string, taker: Taker, now: number): Promise<void> {
  const folded = fold(display)
  const owner = { display, userId: null, staticChargeId: null, reservedUntil: null, ...taker }
  const present = await tx.name.findUnique({ where: { folded } })
  // By a clock that stands ahead, no name is free early: the book's own time has to come, too.
  const known = await tx.bookTime.findUnique({ where: { id: 1 } })
  const earliest = Math.min(now, known?.at.getTime() ?? now)
  if (present !== null && !isFree(present, taker, earliest)) {
    throw new ServiceRefusal('identifier_taken', `The name "${display}" is taken or reserved. Choose another one.`)
  }
  await tx.name.upsert({ where: { folded }, create: { folded, ...owner }, update: owner })
}

/**
 * Changes a user's gamertag, within a ledger change; the old one stays reserved for GAMERTAG_RESERVED_DAYS. Throws
 * ServiceRefusal (user_not_found, identifier_taken).
 */
export async function renameUser(
  { clock, settings }: { readonly clock: Clock; readonly settings: Pick<ServiceSettings, 'gamertagReservedDays'> },
  tx: Tx,
  userId: string,
  gamertag: string,
): Promise<void> {
  const now = clock.now()
  const user = await tx.user.findUnique({ where: { id: userId } })
  if (user === null) throw new ServiceRefusal('user_not_found', 'There is no user with this id.')
  await takeName(tx, gamertag, { userId }, now)
  await tx.user.update({ where: { id: userId }, data: { gamertag } })
  if (fold(user.gamertag) === fold(gamertag)) return
  const where = { folded: fold(user.gamertag) }
  if (settings.gamertagReservedDays === 0) await tx.name.delete({ where })
  else await tx.name.update({ where, data: { reservedUntil: new Date(now + settings.gamertagReservedDays * DAY_MS) } })
}

function isFree(name: Name, taker: Taker, now: number): boolean {
  if ('userId' in taker && name.userId === taker.userId) return true
  return name.reservedUntil !== null && name.reservedUntil.getTime() <= now
}

function fold(name: string): string {
  return name.toLowerCase()
}
