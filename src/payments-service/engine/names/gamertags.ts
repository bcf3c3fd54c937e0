import { Sql } from '@prisma/client/runtime/client'
import type { Clock } from '../../../lib/clock.ts'
import { createBatchLoader } from '../../../lib/database/batch-loader.ts'
import { isReservedName } from '../../../lib/reserved-names.ts'
import type { CoreParts } from '../../core/core-parts.ts'
import type { PaymentsDatabase, Tx } from '../../core/database.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'
import type { ServiceSettings } from '../../core/settings.ts'
import type { Name } from '../../generated/client.ts'

const DAY_MS = 24 * 3_600_000
/** How often users may change their gamertags themselves. Each change reserves a name, and may mislead payers. */
const MAX_RENAMES = 3
const RENAMES_DAYS = 30
/** The most rows that one commit deletes, few enough that no payment waits long behind it. */
const BATCH_SIZE = 200

/** A name's present owner. Gamertags and Lightning Address identifiers share one name space, regardless of case. */
export interface NameOwner {
  /** The name as its owner writes it. */
  readonly display: string
  /** The user who has this gamertag; undefined for an identifier. */
  readonly userId: string | undefined
  /** The static charge that has this identifier; undefined for a gamertag. */
  readonly staticChargeId: string | undefined
}

/** Looks names up. Simultaneous look-ups share one query. */
export interface NameDirectory {
  /** Returns a name's owner, regardless of case; undefined if the name is free or reserved. */
  find(name: string): Promise<NameOwner | undefined>
  /** Returns the id of the user with this gamertag. Throws ServiceRefusal (gamertag_not_found). */
  userId(gamertag: string): Promise<string>
}

type CurrentName = Pick<Name, 'folded' | 'display' | 'userId' | 'staticChargeId'>

const OWNED = [
  'SELECT n."folded", n."display", n."userId", n."staticChargeId" FROM ',
  ' JOIN "Name" AS n ON n."folded" = wanted."folded" WHERE n."reservedUntil" IS NULL',
]

export function createNameDirectory({ readRaw, rows }: Pick<PaymentsDatabase, 'readRaw' | 'rows'>): NameDirectory {
  const names = createBatchLoader<string, CurrentName>({
    load: async (keys) => {
      const wanted = rows.as(
        'wanted',
        ['folded'],
        [...keys].map((key) => [key]),
      )
      const found = await readRaw.$queryRaw<CurrentName[]>(new Sql(OWNED, [wanted]))
      return new Map(found.map((row) => [row.folded, row]))
    },
  })
  async function find(name: string): Promise<NameOwner | undefined> {
    if (!isName(name)) return undefined
    const row = await names.load(fold(name))
    if (row === undefined) return undefined
    return { display: row.display, userId: row.userId ?? undefined, staticChargeId: row.staticChargeId ?? undefined }
  }
  return {
    find,
    async userId(gamertag) {
      const owner = await find(gamertag)
      if (owner?.userId === undefined) {
        throw new ServiceRefusal('gamertag_not_found', 'Nobody has this gamertag. Check the spelling.')
      }
      return owner.userId
    },
  }
}

/**
 * Lists the gamertags after a given one, sorted without regard to case. Leaves out reserved gamertags, which nobody
 * has.
 */
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

/** A user's earlier name that is still reserved. */
export interface FormerName {
  readonly display: string
  readonly reservedUntil: Date
}

/** Lists the earlier names that a user may take back. */
export async function listFormerNames(
  { database, clock }: Pick<CoreParts, 'database' | 'clock'>,
  userId: string,
): Promise<FormerName[]> {
  const where = { userId, reservedUntil: { gt: new Date(clock.now()) } }
  const rows = await database.read.name.findMany({ where, orderBy: { reservedUntil: 'asc' } })
  return rows.flatMap(({ display, reservedUntil }) => (reservedUntil === null ? [] : [{ display, reservedUntil }]))
}

type Taker = { readonly userId: string } | { readonly staticChargeId: string }

/** The dependencies of the register of names. */
export interface NameParts {
  readonly clock: Clock
  readonly settings: Pick<ServiceSettings, 'gamertagReservedDays' | 'reservedNames'>
}

/**
 * A requested name. `reserved` is true for an operator, who may assign names that are reserved for those who run the
 * place.
 */
export interface NameRequest {
  readonly display: string
  readonly reserved?: boolean | undefined
}

/**
 * Assigns a name to a user or a static charge, within a ledger change. Throws ServiceRefusal (identifier_taken) if
 * somebody else has the name, or released it so recently that it is still reserved. Users may take back their own
 * former names. Only an operator may assign a name that suggests authority, or one that looks similar.
 */
export async function takeName(parts: NameParts, tx: Tx, request: NameRequest, taker: Taker): Promise<void> {
  const { display, reserved = false } = request
  const folded = fold(display)
  const owner = { display, userId: null, staticChargeId: null, reservedUntil: null, ...taker }
  const present = await tx.name.findUnique({ where: { folded } })
  const isTakers = present !== null && 'userId' in taker && present.userId === taker.userId
  if (isTakers) return void (await tx.name.update({ where: { folded }, data: owner }))
  const isOurs = !reserved && isReservedName(display, parts.settings.reservedNames)
  const isFree = present === null || isOver(present, await knownTime(parts, tx))
  if (isOurs || !isFree) {
    throw new ServiceRefusal('identifier_taken', `The name "${display}" is taken or reserved. Choose another one.`)
  }
  await tx.name.upsert({ where: { folded }, create: { folded, ...owner }, update: owner })
}

/**
 * Changes a user's gamertag, within a ledger change. The old gamertag stays reserved for GAMERTAG_RESERVED_DAYS. Throws
 * ServiceRefusal (user_not_found, identifier_taken).
 */
export async function renameUser(parts: NameParts, tx: Tx, userId: string, request: NameRequest): Promise<void> {
  const user = await tx.user.findUnique({ where: { id: userId } })
  if (user === null) throw new ServiceRefusal('user_not_found', 'There is no user with this id. Check the id.')
  const gamertag = request.display
  await takeName(parts, tx, request, { userId })
  await tx.user.update({ where: { id: userId }, data: { gamertag } })
  if (fold(user.gamertag) === fold(gamertag)) return
  await abandon(parts, tx, user.gamertag)
}

/**
 * Renames a user at their own request, within a ledger change, at most MAX_RENAMES times in thirty days. Throws
 * ServiceRefusal: rate_limited, or what `renameUser` throws.
 */
export async function renameOneself(parts: NameParts, tx: Tx, userId: string, gamertag: string): Promise<void> {
  const time = await knownTime(parts, tx)
  const at = { gt: new Date(time - RENAMES_DAYS * DAY_MS) }
  const lately = await tx.gamertagChange.findMany({ where: { userId, at }, orderBy: { at: 'asc' } })
  const [oldest] = lately
  if (oldest !== undefined && lately.length >= MAX_RENAMES) {
    const wait = Math.max(1, Math.ceil((oldest.at.getTime() + RENAMES_DAYS * DAY_MS - time) / 1_000))
    throw new ServiceRefusal(
      'rate_limited',
      `A gamertag can be changed ${MAX_RENAMES} times in ${RENAMES_DAYS} days. Try again in ${daysOf(wait)}, or ask the person who runs this service to change the gamertag.`,
      { 'retry-after': String(wait) },
    )
  }
  await tx.gamertagChange.create({ data: { userId, at: new Date(time) } })
  await renameUser(parts, tx, userId, { display: gamertag })
}

/** Deletes some gamertag changes that no longer count. Resolves to whether there may be more. */
export async function forgetGamertagChanges({ database, ledger, clock }: CoreParts): Promise<boolean> {
  const where = { at: { lte: new Date(clock.now() - RENAMES_DAYS * DAY_MS) } }
  const found = await database.read.gamertagChange.findMany({ where, select: { id: true }, take: BATCH_SIZE })
  if (found.length === 0) return false
  const id = { in: found.map((change) => change.id) }
  await ledger.commit({ write: async (tx) => void (await tx.gamertagChange.deleteMany({ where: { id } })) })
  return found.length === BATCH_SIZE
}

/**
 * Reserves a name that its owner has left: nobody else gets it for GAMERTAG_RESERVED_DAYS. Returns the end of that
 * time; undefined if the name is free at once.
 */
export async function abandon({ clock, settings }: NameParts, tx: Tx, name: string): Promise<Date | undefined> {
  const where = { folded: fold(name) }
  if (settings.gamertagReservedDays === 0) {
    await tx.name.delete({ where })
    return undefined
  }
  const reservedUntil = new Date(clock.now() + settings.gamertagReservedDays * DAY_MS)
  await tx.name.update({ where, data: { reservedUntil } })
  return reservedUntil
}

/** Whether a text can be a gamertag or identifier. Other texts are not looked up. */
function isName(name: string): boolean {
  return /^[A-Za-z0-9._-]{3,64}$/.test(name)
}

/** Reduces a gamertag or an identifier to the form in which equal names are equal. */
export function fold(name: string): string {
  return name.toLowerCase()
}

function isOver(name: Name, now: number): boolean {
  return name.reservedUntil !== null && name.reservedUntil.getTime() <= now
}

/** Returns the book's time or the clock's, whichever is earlier, so a fast clock frees no name early. */
async function knownTime({ clock }: NameParts, tx: Tx): Promise<number> {
  const now = clock.now()
  const known = await tx.bookTime.findUnique({ where: { id: 1 } })
  return Math.min(now, known?.at.getTime() ?? now)
}

function daysOf(seconds: number): string {
  const days = Math.ceil((seconds * 1_000) / DAY_MS)
  return days === 1 ? 'a day' : `${days} days`
}
