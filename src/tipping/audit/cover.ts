import { type Msats, msats } from '../../lib/money/amount.ts'
import { WALLET } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import type { Uncertain, UncertainParts } from '../core/uncertain.ts'
import { INCOMING_KINDS, OUTGOING_KINDS } from '../provider-kinds.ts'

/** The half of the cover formula that is read before the wallet. */
export interface BeforeTheWallet {
  /** E: what the provider must hold according to the bot's book. */
  readonly expected: Msats
  readonly lastEntry: number
}

/** The half of the cover formula that is read after the wallet. */
export interface AfterTheWallet {
  /** X: the sum that may have left without being recorded. Y: the sum that may have arrived without being recorded. */
  readonly mayHaveLeft: Msats
  readonly mayHaveArrived: Msats
  /** The sum that arrived in the wallet, according to the journal, since E was read. Y includes this sum. */
  readonly arrived: Msats
  readonly openOperations: number
}

/** Reads E, and the number of the last journal entry. */
export async function readBeforeTheWallet(parts: UncertainParts): Promise<BeforeTheWallet> {
  const { read } = parts.database
  const last = await read.entry.findFirst({ orderBy: { id: 'desc' } })
  const wallet = await read.account.findUnique({ where: { kind_owner: WALLET } })
  return { expected: msats(-(wallet?.balance ?? 0n)), lastEntry: last?.id ?? 0 }
}

/** Reads X and Y, which include what the journal shows since E was read, so that nothing in between is missed. */
export async function readAfterTheWallet(parts: UncertainParts, before: BeforeTheWallet): Promise<AfterTheWallet> {
  // Read the journal last. An operation that ends between these readings is then counted twice rather than not at all.
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
 * Computes the gaps in E − X ≤ wallet ≤ E + Y: the shortfall and the surplus, in msats. At most one is above zero.
 * Returns undefined if the wallet did not answer.
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
 * Returns the sums posted to and from the wallet after an entry, in msats. Sats that were returned to their accounts
 * after that entry also count as left, because the provider may still have reserved them when the wallet was read. A
 * failed operation returns its whole reserve, and a paid operation returns the unused part of its fee limit.
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

/**
 * Returns the sums that arrived in the wallet after an entry, according to the journal, in msats: credited payments,
 * operators' bookings, and surpluses.
 */
export async function arrivedSince(read: Tx, entryId: number): Promise<bigint> {
  const where = { entryId: { gt: entryId }, from: WALLET }
  return (await read.move.aggregate({ where, _sum: { amount: true } }))._sum.amount ?? 0n
}
