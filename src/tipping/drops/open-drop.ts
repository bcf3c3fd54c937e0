import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount } from '../core/chart-of-accounts.ts'
import { type CoreContext, now } from '../core/context.ts'
import { isRelative } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { pendingGift, requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { Confirmation, PendingTip } from '../engine/gifts/gifts.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { awaitedReward, spendPool, spendServerWallet } from '../engine/spending/spend-pool.ts'
import { type ApprovedFunding, type AwaitedReward, fromBalance, fromOwnWallet } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { needVouchers } from '../vouchers/create-voucher.ts'
import { DROP_GIFTS } from './drop-gift.ts'
import type { DropCommand, DropView } from './drops.ts'
import { makePuzzle } from './puzzles.ts'
import { costOfDrop, shareOfDrop, tooLittleForDrop } from './share-of-drop.ts'
import { viewDrop } from './view-drop.ts'
import { walletOfDrop } from './wallet-shares.ts'
import { writeDrop } from './write-drop.ts'

const MAX_SHARES = 100
/** The most shares of a drop of codes, because each code needs a request to the provider. */
const MAX_CODES = 25

/** Opens a drop as `openDrop` does, but requests a confirmation first above the server's confirmation limit. */
export async function askToDrop(context: TippingContext, command: DropCommand): Promise<DropView | PendingTip> {
  const { shares, codes = false, origin } = command
  mustBeShares(shares, codes)
  const asked = await requireConfirmation(context, DROP_GIFTS, origin, async () => {
    // Refuse before anybody is asked.
    await walletOfDrop(context, command)
    if (codes) needVouchers(context)
    makePuzzle(context.entropy, command)
    return { kind: 'drop', command }
  })
  return asked ?? (await openDrop(context, command))
}

/**
 * Opens a confirmed drop, only once, however often it is confirmed. Throws TippingRefusal `not-there` or `not-yours`,
 * or a refusal of `openDrop`.
 */
export async function confirmDrop(context: TippingContext, word: Confirmation): Promise<DropView> {
  const gift = await pendingGift(context, DROP_GIFTS, word)
  return await openDrop(context, gift.command)
}

/** Opens a drop that the giver's balance or wallet pays. The drop closes when it is empty or expires. */
export async function openDrop(context: TippingContext, command: DropCommand): Promise<DropView> {
  return await viewDrop(context, await performOnce(context, command))
}

/**
 * Opens a drop that a server pays. If a second moderator must approve the drop first, resolves to the reward that
 * waits.
 */
export async function openDropFromPool(
  context: TippingContext,
  command: DropCommand,
): Promise<DropView | AwaitedReward> {
  const id = await performOnce(context, command)
  return (await awaitedReward(context, id)) ?? (await viewDrop(context, id))
}

/** Opens a drop that a second moderator has approved, paid from `funding`. */
export async function openApprovedDrop(
  context: TippingContext,
  command: DropCommand,
  funding: ApprovedFunding,
): Promise<void> {
  await performOnce(context, command, funding)
}

/**
 * Opens a drop once per command. Resolves to the id of the drop, or of the reward that waits for a second moderator.
 */
async function performOnce(context: TippingContext, command: DropCommand, approved?: ApprovedFunding): Promise<string> {
  const { origin, accountSince: _, pool, ...content } = command
  return await context.once.perform(
    // A moderator's roles may have changed before a second delivery.
    { interaction: origin.interaction, verb: 'drop', content: [JSON.stringify({ ...content, reason: pool?.reason })] },
    (digest) => perform(context, command, digest, approved),
  )
}

type Write = (share: Msats, funding: ApprovedFunding) => Promise<string>

async function perform(
  context: TippingContext,
  command: DropCommand,
  digest: string,
  approved: ApprovedFunding | undefined,
): Promise<string> {
  const { codes = false, shares, origin, pool } = command
  mustBeShares(shares, codes)
  const connection = await payerOf(context, command, approved)
  if (codes) needVouchers(context)
  const puzzle = makePuzzle(context.entropy, command)
  const rain = await context.preferences.inForce(origin.guild)
  const write: Write = async (share, funding) => {
    const [id, card] = [context.entropy.uuid(), context.entropy.uuid()]
    await writeDrop(context, { id, card, command, digest, puzzle, share, funding, connection, rain, at: now(context) })
    return id
  }
  if (pool === undefined) return await (connection ? performFromWallet : performFromBalance)(context, command, write)
  const share = shareOfDrop(context, command)
  if (approved !== undefined) return await write(share, approved)
  const { needed: amount } = costOfDrop(command, share)
  const gift = DROP_GIFTS.exact({ kind: 'drop', command }, share)
  const { member } = command
  const spending = { kind: 'drop', member, pool, amount, shares: [], gift, origin, digest } as const
  return await (connection ? spendServerWallet : spendPool)(context, spending, (funding) => write(share, funding))
}

/**
 * Returns the connection of the wallet that pays; undefined if no wallet does. An approved request is paid from the
 * source for which it was approved.
 */
async function payerOf(
  context: TippingContext,
  command: DropCommand,
  approved: ApprovedFunding | undefined,
): Promise<string | undefined> {
  if (approved === undefined) return await walletOfDrop(context, command)
  return 'wallet' in approved ? await walletOfDrop(context, command, 'wallet') : undefined
}

async function performFromWallet(context: CoreContext, command: DropCommand, write: Write): Promise<string> {
  const { member, accountSince, shares, origin } = command
  const { guild } = origin
  const limits = await context.limits.limitsFor(guild)
  const share = shareOfDrop(context, command)
  const amount = msats(share * BigInt(shares))
  const funding = fromOwnWallet((tx) => spendAllowance(context, tx, { member, guild, amount, limits, accountSince }))
  return await write(share, funding)
}

async function performFromBalance(context: CoreContext, command: DropCommand, write: Write): Promise<string> {
  const { member, accountSince, shares, origin } = command
  const { guild } = origin
  const limits = await context.limits.limitsFor(guild)
  for (let attempt = 0; ; attempt += 1) {
    const balance = msats(await context.ledger.balance(memberAccount(member)))
    const share = shareOfDrop(context, command, balance)
    const amount = msats(share * BigInt(shares))
    const funding = fromBalance(member, (tx) =>
      spendAllowance(context, tx, { member, guild, amount, limits, accountSince }),
    )
    try {
      return await write(share, funding)
    } catch (error) {
      if (!(error instanceof InsufficientFunds)) throw error
      if (isRelative(command.amount) && attempt < 5) continue
      throw tooLittleForDrop(command, share, msats(costOfDrop(command, share).needed - error.missing))
    }
  }
}

function mustBeShares(shares: number, codes: boolean): void {
  const most = codes ? MAX_CODES : MAX_SHARES
  if (!Number.isInteger(shares) || shares < 1 || shares > most) throw new TippingRefusal('drop-shares', { most })
}
