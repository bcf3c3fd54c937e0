import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { isRelative } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { pendingGift, requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { Confirmation, PendingTip } from '../engine/gifts/gifts.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { ServerPreferences } from '../engine/preferences/preferences.ts'
import { awaitedReward, spendPool } from '../engine/spending/spend-pool.ts'
import { type AwaitedReward, type Funding, fromBalance } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { needVouchers } from '../vouchers/create-voucher.ts'
import { makeCodes } from '../vouchers/make-codes.ts'
import { reserveVoucher } from '../vouchers/reserve-voucher.ts'
import { DROP_GIFTS } from './drop-gift.ts'
import type { DropCommand, DropView } from './drops.ts'
import { makePuzzle, type Puzzle } from './puzzles.ts'
import { costOfDrop, shareOfDrop, tooLittleForDrop } from './share-of-drop.ts'
import { viewDrop } from './view-drop.ts'

const MAX_SHARES = 100
/** Each code is a request to the provider. */
const MAX_CODES = 25
const DEFAULT_MINUTES = 60
const MAX_MINUTES = 7 * 24 * 60

/** The same as `openDrop`. Above the server's confirmation limit it asks first. */
export async function askToDrop(context: TippingContext, command: DropCommand): Promise<DropView | PendingTip> {
  const { shares, codes = false, origin } = command
  mustBeShares(shares, codes)
  const asked = await requireConfirmation(context, DROP_GIFTS, origin, () => {
    // What is refused is refused before anybody is asked.
    if (codes) needVouchers(context)
    makePuzzle(context.entropy, command)
    return { kind: 'drop', command }
  })
  return asked ?? (await openDrop(context, command))
}

/** The confirmation. However often it is given, one drop is opened. Throws TippingRefusal as `openDrop`, `not-there`, `not-yours`. */
export async function confirmDrop(context: TippingContext, word: Confirmation): Promise<DropView> {
  const gift = await pendingGift(context, DROP_GIFTS, word)
  return await openDrop(context, gift.command)
}

/** Takes the pot from a balance, and opens a drop that closes by itself when it is empty or its time is over. */
export async function openDrop(context: TippingContext, command: DropCommand): Promise<DropView> {
  return await viewDrop(context, await performOnce(context, command))
}

/** Takes the pot from a pool, where no second moderator must approve it. */
export async function openDropFromPool(
  context: TippingContext,
  command: DropCommand,
): Promise<DropView | AwaitedReward> {
  const id = await performOnce(context, command)
  return (await awaitedReward(context, id)) ?? (await viewDrop(context, id))
}

/** Opens a drop from a pool that was approved, paid as `funding` says. */
export async function openApprovedDrop(context: TippingContext, command: DropCommand, funding: Funding): Promise<void> {
  await performOnce(context, command, funding)
}

/** Resolves to the drop, or to the reward that waits for a second moderator. */
async function performOnce(context: TippingContext, command: DropCommand, approved?: Funding): Promise<string> {
  const { origin, accountSince: _, pool, ...content } = command
  return await context.once.perform(
    // A moderator's roles may have changed by a second delivery.
    { interaction: origin.interaction, verb: 'drop', content: [JSON.stringify({ ...content, reason: pool?.reason })] },
    (digest) => perform(context, command, digest, approved),
  )
}

interface NewDrop {
  readonly id: string
  readonly card: string
  readonly command: DropCommand
  readonly digest: string
  readonly puzzle: Puzzle | undefined
  readonly share: Msats
  readonly funding: Funding
  /** What the server has chosen for its rain. */
  readonly rain: Pick<ServerPreferences, 'rainAccountDays' | 'rainMemberDays'>
  readonly at: Date
}

async function perform(
  context: TippingContext,
  command: DropCommand,
  digest: string,
  approved: Funding | undefined,
): Promise<string> {
  const { codes = false, shares, origin, pool } = command
  if (codes) needVouchers(context)
  mustBeShares(shares, codes)
  const puzzle = makePuzzle(context.entropy, command)
  const rain = await context.preferences.inForce(origin.guild)
  const write = async (share: Msats, funding: Funding) => {
    const [id, card] = [context.entropy.uuid(), context.entropy.uuid()]
    const drop = { id, card, command, digest, puzzle, share, funding, rain, at: now(context) }
    await (codes ? writeCodes : writePot)(context, drop)
    return id
  }
  if (pool === undefined) return await performFromBalance(context, command, write)
  const share = shareOfDrop(context, command)
  if (approved !== undefined) return await write(share, approved)
  const { needed: amount } = costOfDrop(command, share)
  const gift = DROP_GIFTS.exact({ kind: 'drop', command }, share)
  const { member } = command
  const spending = { kind: 'drop', member, pool, amount, shares: [], gift, origin, digest } as const
  return await spendPool(context, spending, (funding) => write(share, funding))
}

async function performFromBalance(
  context: TippingContext,
  command: DropCommand,
  write: (share: Msats, funding: Funding) => Promise<string>,
): Promise<string> {
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

function rowsOf(context: TippingContext, { id, card, command, digest, puzzle, share, funding, rain, at }: NewDrop) {
  const { member, shares, origin, draw = false, codes = false, role } = command
  // What a server has chosen for its rain holds for its drops, where their giver does not say otherwise.
  const { accountDays = rain.rainAccountDays, memberDays = rain.rainMemberDays } = command
  const minutes = Math.min(Math.max(Math.round(command.minutes ?? DEFAULT_MINUTES), 1), MAX_MINUTES)
  const closesAt = new Date(at.getTime() + minutes * 60_000)
  return {
    closesAt,
    rows: [
      operationRow({ id, verb: 'drop', record: id, interaction: origin.interaction, digest, createdAt: at }),
      context.cards.row({ id: card, kind: 'drop', record: id, audience: { channel: origin.channel }, origin }),
    ],
    drop: {
      ...{ id, member, guild: origin.guild, channel: origin.channel, card, share, shares, state: 'open' },
      ...{ draw, codes, role: role ?? null, accountDays: accountDays || null, memberDays: memberDays || null },
      ...puzzle,
      pool: funding.pool,
      closesAt,
      createdAt: at,
    },
  }
}

async function writePot(context: TippingContext, drop: NewDrop): Promise<void> {
  const { id, command, share, funding } = drop
  const parts = rowsOf(context, drop)
  const whole = msats(share * BigInt(command.shares))
  const moves = [{ from: funding.account, to: pot(id), amount: whole }]
  await context.commit({
    entries: [...funding.entries, { operation: id, step: 'reserve', moves }],
    rows: parts.rows,
    write: (tx) => writeDrop(tx, drop, parts),
  })
  void context.poller.wake()
}

async function writeDrop(tx: Tx, { id, card, funding, at }: NewDrop, parts: ReturnType<typeof rowsOf>): Promise<void> {
  await funding.write(tx, { id, card })
  await tx.drop.create({ data: parts.drop })
  await schedulePoll(tx, { id, kind: 'drop', bornAt: at }, parts.closesAt)
}

/** Every share is a voucher of its own from the start, so that the codes are there when somebody presses. */
async function writeCodes(context: TippingContext, drop: NewDrop): Promise<void> {
  const { id, card, command, share, funding, at } = drop
  const { member, shares } = command
  const parts = rowsOf(context, drop)
  const about = { member, amount: share, pool: funding.pool, description: 'A share of a drop', drop: id, card, at }
  const vouchers = Array.from({ length: shares }, () => reserveVoucher(context, about))
  await context.commit({
    entries: [...funding.entries, ...vouchers.map(({ entry }) => entry)],
    rows: [...parts.rows, ...vouchers.flatMap(({ operation, row }) => [operation, row])],
    write: (tx) => writeDrop(tx, drop, parts),
  })
  makeCodes(
    context,
    vouchers.map((voucher) => voucher.id),
  )
  void context.poller.wake()
}
