import { type Msats, msats } from '../../lib/money/amount.ts'
import { WALLET } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import type { TippingSettings } from '../core/settings.ts'
import { outstandingFundraisers } from '../pools/poll-fundraiser.ts'
import { outstandingVouchers } from '../vouchers/outstanding-vouchers.ts'
import { countOpenWithdrawals, heldByWithdrawals } from '../withdrawals/open-withdrawals.ts'

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
  readonly openOperations: number
}

export interface CoverParts {
  readonly database: { readonly read: Tx }
  readonly settings: Pick<TippingSettings, 'maxAmount'>
}

/** Reads E, and how far the journal is. */
export async function readBeforeTheWallet(parts: CoverParts): Promise<BeforeTheWallet> {
  const { read } = parts.database
  const last = await read.entry.findFirst({ orderBy: { id: 'desc' } })
  const wallet = await read.account.findUnique({ where: { kind_owner: WALLET } })
  return { expected: msats(-(wallet?.balance ?? 0n)), lastEntry: last?.id ?? 0 }
}

/** Reads X and Y, and with them what the journal says was posted since, so that nothing falls through in between. */
export async function readAfterTheWallet(parts: CoverParts, before: BeforeTheWallet): Promise<AfterTheWallet> {
  const { read } = parts.database
  // The journal last: what ends between these readings is then counted twice, never not at all.
  const leaving = await heldByWithdrawals(read)
  const out = await read.payout.aggregate({ where: { state: { in: ['sending', 'unknown'] } }, _sum: { amount: true } })
  const open = await read.deposit.aggregate({
    where: { OR: [{ state: 'creating' }, { state: { in: ['open', 'closed'] }, disabled: false }] },
    _sum: { amount: true },
  })
  const fundraisers = await outstandingFundraisers(read)
  const vouchers = await outstandingVouchers(parts)
  const since = await movedSince(read, before.lastEntry)
  const payouts = await read.payout.count({ where: { state: { in: ['reserved', 'sending', 'unknown'] } } })
  return {
    mayHaveLeft: msats((out._sum.amount ?? 0n) + leaving + vouchers.mayHaveLeft + since.out),
    mayHaveArrived: msats((open._sum.amount ?? 0n) + fundraisers + vouchers.mayHaveArrived + since.in),
    openOperations: payouts + (await countOpenWithdrawals(parts)) + vouchers.open,
  }
}

/**
 * E − X ≤ wallet ≤ E + Y: what is short of it and what is beyond it, in msats; at most one is more than zero. Undefined
 * when the wallet could not be asked.
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
 * What was posted to and from the wallet after an entry, in msats. What was given back since counts as having left: a
 * provider keeps back what is under way, so it may still have lacked when the wallet was read. Given back is what an
 * operation that failed had set aside, and of one that was paid what its fee left over.
 */
async function movedSince(read: Tx, entryId: number): Promise<{ out: bigint; in: bigint }> {
  const after = { entryId: { gt: entryId } }
  const ends = { OR: [{ step: 'void' }, { moves: { some: { to: WALLET } } }] }
  const [out, back, into] = await Promise.all([
    read.move.aggregate({ where: { ...after, to: WALLET }, _sum: { amount: true } }),
    read.move.aggregate({ where: { ...after, entry: ends, NOT: { to: WALLET } }, _sum: { amount: true } }),
    read.move.aggregate({ where: { ...after, from: WALLET }, _sum: { amount: true } }),
  ])
  return { out: (out._sum.amount ?? 0n) + (back._sum.amount ?? 0n), in: into._sum.amount ?? 0n }
}
