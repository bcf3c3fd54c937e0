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
/** Each code needs a request to the provider. */
const MAX_CODES = 25

/** Does the same as `openDrop`. Above the server's confirmation limit it asks first. */
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
 * Opens a confirmed drop, once for any number of confirmations. Throws TippingRefusal as `openDrop`, `not-there`,
 * `not-yours`.
 */
export async function confirmDrop(context: TippingContext, word: Confirmation): Promise<DropView> {
  const gift = await pendingGift(context, DROP_GIFTS, word)
  return await openDrop(context, gift.command)
}

/** Takes the pot from a balance, and opens a drop that closes when it is empty or expires. */
export async function openDrop(context: TippingContext, command: DropCommand): Promise<DropView> {
  return await viewDrop(context, await performOnce(context, command))
}

/** Takes the pot from a pool, if no second moderator must approve that. */
export async function openDropFromPool(
  context: TippingContext,
  command: DropCommand,
): Promise<DropView | AwaitedReward> {
  const id = await performOnce(context, command)
  return (await awaitedReward(context, id)) ?? (await viewDrop(context, id))
}

/** Opens an approved drop from a pool, paid from `funding`. */
export async function openApprovedDrop(
  context: TippingContext,
  command: DropCommand,
  funding: ApprovedFunding,
): Promise<void> {
  await performOnce(context, command, funding)
}

/** Resolves to the drop, or to the reward that waits for a second moderator. */
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

/** An approved request is paid as it was made. */
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
