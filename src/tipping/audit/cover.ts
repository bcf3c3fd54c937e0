import { type Msats, msats } from '../../lib/money/amount.ts'
import { WALLET } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import type { Uncertain, UncertainParts } from '../core/uncertain.ts'
import { INCOMING_KINDS, OUTGOING_KINDS } from '../provider-kinds.ts'

/** The half of the cover formula that is read before the wallet. */
export interface BeforeTheWallet {
  /** E: what the provider must hold by our book. */
  readonly expected: Msats
  readonly lastEntry: number
}

/** The half that is read after it. */
export interface AfterTheWallet {
  /** X: what may have left unseen. Y: what may have arrived unseen. */
  readonly mayHaveLeft: Msats
  readonly mayHaveArrived: Msats
  /** Income of the wallet by the journal since E was read. Y counts it. */
  readonly arrived: Msats
  readonly openOperations: number
}

/** Reads E, and how far the journal is. */
export async function readBeforeTheWallet(parts: UncertainParts): Promise<BeforeTheWallet> {
  const { read } = parts.database
  const last = await read.entry.findFirst({ orderBy: { id: 'desc' } })
  const wallet = await read.account.findUnique({ where: { kind_owner: WALLET } })
  return { expected: msats(-(wallet?.balance ?? 0n)), lastEntry: last?.id ?? 0 }
}

/** Reads X and Y together with the journal's later posts, so nothing falls in between. */
export async function readAfterTheWallet(parts: UncertainParts, before: BeforeTheWallet): Promise<AfterTheWallet> {
  // The journal last: what ends between these readings is then counted twice, never not at all.
  const open: Uncertain[] = []
  for (const kind of [...OUTGOING_KINDS, ...INCOMING_KINDS]) open.push(await kind.uncertain(parts))
  const since = await movedSince(parts.database.read, before.lastEntry)
  return {
    mayHaveLeft: msats(open.reduce((sum, { mayHaveLeft = 0n }) => sum + mayHaveLeft, since.out)),
    mayHaveArrived: msats(open.reduce((sum, { mayHaveArrived = 0n }) => sum + mayHaveArrived, since.in)),
    arrived: msats(since.in),
    openOperations: open.reduce((sum, { open = 0 }) => sum + open, 0),
  }
}

/**
 * E − X ≤ wallet ≤ E + Y: the shortfall and the surplus, in msats; at most one is above zero. Undefined if the wallet
 * did not answer.
 */
export function gapOf(
  wallet: bigint | undefined,
  { expected }: Pick<BeforeTheWallet, 'expected'>,
  { mayHaveLeft, mayHaveArrived }: Pick<AfterTheWallet, 'mayHaveLeft' | 'mayHaveArrived'>,
): { readonly short: bigint; readonly surplus: bigint } | undefined {
  if (wallet === undefined) return undefined
  return { short: positive(expected - mayHaveLeft - wallet), surplus: positive(wallet - expected - mayHaveArrived) }
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}

/**
 * Sums posted to and from the wallet after an entry, in msats. Sats that were given back since count as left: the
 * provider may still have withheld them when we read the wallet. A failed operation returns its whole reserve, and a
 * paid one the rest of its fee.
 */
async function movedSince(read: Tx, entryId: number): Promise<{ out: bigint; in: bigint }> {
  const after = { entryId: { gt: entryId } }
  const ends = { OR: [{ step: 'void' }, { moves: { some: { to: WALLET } } }] }
  const [out, back, into] = await Promise.all([
    read.move.aggregate({ where: { ...after, to: WALLET }, _sum: { amount: true } }),
    read.move.aggregate({ where: { ...after, entry: ends, NOT: { to: WALLET } }, _sum: { amount: true } }),
    arrivedSince(read, entryId),
  ])
  return { out: (out._sum.amount ?? 0n) + (back._sum.amount ?? 0n), in: into }
}

/** Income of the wallet by the journal after an entry, in msats: credited, booked by operators, or a surplus. */
export async function arrivedSince(read: Tx, entryId: number): Promise<bigint> {
  const where = { entryId: { gt: entryId }, from: WALLET }
  return (await read.move.aggregate({ where, _sum: { amount: true } }))._sum.amount ?? 0n
}
