import { type Msats, msats } from '../../lib/money/amount.ts'
import { pot } from '../core/chart-of-accounts.ts'
import type { Tx } from '../core/database.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { ServerPreferences } from '../engine/preferences/preferences.ts'
import { type ApprovedFunding, type Funding, mustBeOfPool } from '../engine/spending/spending.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { makeCodes } from '../vouchers/make-codes.ts'
import { reserveVoucher } from '../vouchers/reserve-voucher.ts'
import type { DropCommand } from './drops.ts'
import type { Puzzle } from './puzzles.ts'

const DEFAULT_MINUTES = 60
const MAX_MINUTES = 7 * 24 * 60

/** A drop that is about to be opened. */
export interface NewDrop {
  readonly id: string
  readonly card: string
  readonly command: DropCommand
  readonly digest: string
  readonly puzzle: Puzzle | undefined
  readonly share: Msats
  readonly funding: ApprovedFunding
  /** The connection of the wallet that pays each claimed share; undefined if no wallet pays. */
  readonly connection: string | undefined
  /** The server's settings for rain, which also apply to its drops. */
  readonly rain: Pick<ServerPreferences, 'rainAccountDays' | 'rainMemberDays'>
  readonly at: Date
}

/**
 * Opens a drop with its pot, its codes, or the wallet that pays. Throws what the drop's funding throws, and then opens
 * nothing.
 */
export async function writeDrop(context: TippingContext, drop: NewDrop): Promise<void> {
  if (drop.connection !== undefined) return await writeForWallet(context, drop)
  const funding = mustBeOfPool(drop.funding)
  await (drop.command.codes ? writeCodes : writePot)(context, drop, funding)
}

function rowsOf(context: TippingContext, drop: NewDrop) {
  const { id, card, command, digest, puzzle, share, funding, connection, rain, at } = drop
  const { member, shares, origin, draw = false, codes = false, role } = command
  // A server's settings for rain also apply to its drops, unless their giver chooses others.
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
      ...{ pool: funding.pool, connection: connection ?? null },
      closesAt,
      createdAt: at,
    },
  }
}

async function writePot(context: TippingContext, drop: NewDrop, funding: Funding): Promise<void> {
  const { id, command, share } = drop
  const parts = rowsOf(context, drop)
  const whole = msats(share * BigInt(command.shares))
  const moves = [{ from: funding.account, to: pot(id), amount: whole }]
  await context.commit({
    entries: [...funding.entries, { operation: id, step: 'reserve', moves }],
    rows: parts.rows,
    write: (tx) => write(tx, drop, parts),
  })
  void context.poller.wake()
}

async function write(tx: Tx, { id, card, funding, at }: NewDrop, parts: ReturnType<typeof rowsOf>): Promise<void> {
  await funding.write(tx, { id, card })
  await tx.drop.create({ data: parts.drop })
  await schedulePoll(tx, { id, kind: 'drop', bornAt: at }, parts.closesAt)
}

/** Makes every share a separate voucher from the start, so that the codes exist when somebody presses. */
async function writeCodes(context: TippingContext, drop: NewDrop, funding: Funding): Promise<void> {
  const { id, card, command, share, at } = drop
  const { member, shares } = command
  const parts = rowsOf(context, drop)
  const about = { member, amount: share, pool: funding.pool, description: 'A share of a drop', drop: id, card, at }
  const vouchers = Array.from({ length: shares }, () => reserveVoucher(context, about))
  await context.commit({
    entries: [...funding.entries, ...vouchers.map(({ entry }) => entry)],
    rows: [...parts.rows, ...vouchers.flatMap(({ operation, row }) => [operation, row])],
    write: (tx) => write(tx, drop, parts),
  })
  makeCodes(
    context,
    vouchers.map((voucher) => voucher.id),
  )
  void context.poller.wake()
}

/**
 * Opens a drop that a wallet pays. Nothing is reserved, because the wallet pays each share when that share is claimed.
 * The payments belong to a tip with the drop's id, because every payment from a wallet belongs to a tip.
 */
async function writeForWallet(context: TippingContext, drop: NewDrop): Promise<void> {
  const { id, card, command, share, funding, at } = drop
  const { member: sender, shares, origin } = command
  const parts = rowsOf(context, drop)
  const about = { sender, note: '', total: share * BigInt(shares), pool: funding.pool, message: null }
  const { guild, channel } = origin
  await context.commit({
    rows: [...parts.rows, { table: 'Tip', values: { id, ...about, guild, channel, card, createdAt: at } }],
    write: (tx) => write(tx, drop, parts),
  })
  void context.poller.wake()
}
