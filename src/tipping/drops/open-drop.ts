import { InsufficientFunds } from '../../ledger/ledger.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { member as memberAccount, pot } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import type { Limits } from '../core/limits.ts'
import { isRelative } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { pendingGift, requireConfirmation } from '../engine/gifts/confirmation.ts'
import type { Confirmation, PendingTip } from '../engine/gifts/gifts.ts'
import { spendAllowance } from '../engine/gifts/spend-allowance.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { sendReserved } from '../engine/outgoing/send-outgoing.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { ServerPreferences } from '../engine/preferences/preferences.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { needVouchers } from '../vouchers/create-voucher.ts'
import { reserveVoucher } from '../vouchers/reserve-voucher.ts'
import { VOUCHERS } from '../vouchers/voucher-kind.ts'
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
/** Codes that are made at once. */
const MAX_CONCURRENT_CODES = 8

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
  const { origin, accountSince: _, ...content } = command
  const id = await context.once.perform(
    { interaction: origin.interaction, verb: 'drop', content: [JSON.stringify(content)] },
    (digest) => perform(context, command, digest),
  )
  return await viewDrop(context, id)
}

interface NewDrop {
  readonly id: string
  readonly card: string
  readonly command: DropCommand
  readonly digest: string
  readonly puzzle: Puzzle | undefined
  readonly share: Msats
  readonly limits: Limits
  /** What the server has chosen for its rain. */
  readonly rain: Pick<ServerPreferences, 'rainAccountDays' | 'rainMemberDays'>
  readonly at: Date
}

async function perform(context: TippingContext, command: DropCommand, digest: string): Promise<string> {
  const { codes = false, shares } = command
  if (codes) needVouchers(context)
  mustBeShares(shares, codes)
  const puzzle = makePuzzle(context.entropy, command)
  const limits = await context.limits.limitsFor(command.origin.guild)
  const rain = await context.preferences.inForce(command.origin.guild)
  for (let attempt = 0; ; attempt += 1) {
    const balance = msats(await context.ledger.balance(memberAccount(command.member)))
    const share = shareOfDrop(context, command, balance)
    const [id, card] = [context.entropy.uuid(), context.entropy.uuid()]
    const drop = { id, card, command, digest, puzzle, share, limits, rain }
    try {
      await (codes ? writeCodes : writePot)(context, { ...drop, at: now(context) })
      return drop.id
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

function rowsOf(context: TippingContext, { id, card, command, digest, puzzle, share, rain, at }: NewDrop) {
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
      closesAt,
      createdAt: at,
    },
  }
}

async function writePot(context: TippingContext, drop: NewDrop): Promise<void> {
  const { id, command, share } = drop
  const parts = rowsOf(context, drop)
  const whole = msats(share * BigInt(command.shares))
  await context.commit({
    entries: [
      { operation: id, step: 'reserve', moves: [{ from: memberAccount(command.member), to: pot(id), amount: whole }] },
    ],
    rows: parts.rows,
    write: (tx) => writeDrop(context, tx, drop, parts),
  })
  void context.poller.wake()
}

async function writeDrop(
  context: TippingContext,
  tx: Tx,
  { id, command, share, limits, at }: NewDrop,
  parts: ReturnType<typeof rowsOf>,
): Promise<void> {
  const { member, accountSince, origin } = command
  const amount = msats(share * BigInt(command.shares))
  await spendAllowance(context, tx, { member, guild: origin.guild, amount, limits, accountSince })
  await tx.drop.create({ data: parts.drop })
  await schedulePoll(tx, { id, kind: 'drop', bornAt: at }, parts.closesAt)
}

/** Every share is a voucher of its own from the start, so that the codes are there when somebody presses. */
async function writeCodes(context: TippingContext, drop: NewDrop): Promise<void> {
  const { id, card, command, share, at } = drop
  const { member, shares } = command
  const parts = rowsOf(context, drop)
  const vouchers = Array.from({ length: shares }, () =>
    reserveVoucher(context, { member, amount: share, description: 'A share of a drop', drop: id, card, at }),
  )
  await context.commit({
    entries: vouchers.map(({ entry }) => entry),
    rows: [...parts.rows, ...vouchers.flatMap(({ operation, row }) => [operation, row])],
    write: (tx) => writeDrop(context, tx, drop, parts),
  })
  const waiting = vouchers.map((voucher) => voucher.id)
  const makeCodes = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await sendReserved(context, VOUCHERS, next)
  }
  for (let i = 0; i < MAX_CONCURRENT_CODES; i += 1) void context.activity.run('codes of a drop', makeCodes)
  void context.poller.wake()
}
