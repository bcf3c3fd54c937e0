import { InsufficientFunds } from '../../ledger/ledger.ts'
import { msats } from '../../lib/money/amount.ts'
import { MAX_CLAIM_ROUNDS } from '../../lib/proofs/claim-rounds.ts'
import { pot } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { giverOf } from '../core/giver.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { announcedEnd } from '../engine/incoming/deposits-open.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { restoredSince } from '../engine/outgoing/outgoing-payments-switch.ts'
import { END, inMs, type Next } from '../engine/polling/poller.ts'
import { logReturn } from '../engine/spending/log-return.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway, GiveawayClaim } from '../generated/client.ts'
import { findGiveaway } from './find-giveaway.ts'
import type { GiveawayDecision, GiveawayView } from './giveaways.ts'
import { lineOf } from './line-of-draw.ts'
import { cardsOf, claimedIn, nameWinners } from './name-winners.ts'
import { viewGiveaway } from './view-giveaway.ts'

const MINUTE_MS = 60_000
/** How long to wait for the next check while the clocks disagree. Nobody loses a prize meanwhile. */
const UNSTEADY_MS = 60_000

/**
 * Manages prizes that people must claim. When the claim time is over, names the next people in the order for the
 * unclaimed prizes. When all prizes are claimed, everybody has been named, or the last round is over, returns the rest.
 */
export async function settleClaims(context: TippingContext, giveaway: Giveaway): Promise<Next> {
  const { id, claimMinutes } = giveaway
  const claims = await context.database.read.giveawayClaim.findMany({ where: { giveawayId: id } })
  const { round, open, until } = lastRound(claims)
  if (open.length > 0) {
    const leftMs = until.getTime() - context.clock.now()
    if (leftMs > 0) return inMs(leftMs)
    if (!context.clockWatch.isSteady()) return inMs(UNSTEADY_MS)
    const runsSince = new Date(until.getTime() - (claimMinutes ?? 0) * MINUTE_MS)
    if (await restoredSince(context.database.read, runsSince)) return await giveTimeAgain(context, giveaway, open)
  }
  const claimed = claims.filter(({ claimedAt }) => claimedAt !== null).length
  const place = claims.length
  const mayGoOn = open.length > 0 && round + 1 < MAX_CLAIM_ROUNDS && (await announcedEnd(context)) === null
  const next = mayGoOn ? (await lineOf(context, giveaway, place + open.length)).slice(place) : []
  if (next.length === 0) return await giveBack(context, giveaway, claimed)
  const members = next.map(({ member }) => member)
  await nameWinners(context, giveaway, { round: round + 1, place, members, claimed })
  return inMs(0)
}

/** Returns the last round: its number, the claims that are still open, and the end of the claim time. */
export function lastRound(claims: readonly GiveawayClaim[]) {
  const round = Math.max(...claims.map((claim) => claim.round))
  const those = claims.filter((claim) => claim.round === round)
  const until = new Date(Math.max(...those.map((claim) => claim.until.getTime())))
  return { round, open: those.filter(({ claimedAt }) => claimedAt === null), until }
}

/**
 * Gives people a new claim time after a restore. Restored books lack the claims made since the backup, and the people
 * who made those claims must not lose their prizes.
 */
async function giveTimeAgain(
  context: TippingContext,
  giveaway: Giveaway,
  open: readonly GiveawayClaim[],
): Promise<Next> {
  const until = new Date(context.clock.now() + (giveaway.claimMinutes ?? 0) * MINUTE_MS)
  await context.commit({
    write: async (tx) => {
      const ids = open.map(({ id }) => id)
      await tx.giveawayClaim.updateMany({ where: { id: { in: ids }, claimedAt: null }, data: { until } })
      await context.cards.raise(tx, await cardsOf(tx, giveaway))
    },
  })
  return inMs(0)
}

/** Ends the claims, and returns the unclaimed prizes to the payer. */
async function giveBack(context: TippingContext, giveaway: Giveaway, claimed: number): Promise<Next> {
  const { id, prize, winners, starter, pool } = giveaway
  const amount = msats(prize * BigInt(winners - claimed))
  const moves = [{ from: pot(id), to: giverOf({ giver: starter, pool }).account, amount }]
  const isSettled = await context
    .commit({
      entries: amount > 0n ? [{ operation: id, step: 'post', moves }] : [],
      write: async (tx) => {
        // Somebody claimed at the same moment, or another process settled it.
        if ((await claimedIn(tx, id)) !== claimed) throw new TippingRefusal('giveaway-changed', {})
        const where = { id, state: 'drawn', settledAt: null }
        const { count } = await tx.giveaway.updateMany({ where, data: { settledAt: now(context) } })
        if (count === 0) throw new TippingRefusal('giveaway-over', {})
        await context.cards.raise(tx, await cardsOf(tx, giveaway))
        await logReturn(context, tx, { pool, by: null, record: id, amount })
        return true
      },
    })
    .catch((error: unknown) => {
      if (error instanceof TippingRefusal || error instanceof InsufficientFunds) return false
      throw error
    })
  return isSettled ? END : inMs(0)
}

/**
 * Draws unclaimed prizes again after the claim time is over. Throws TippingRefusal `giveaway-not-found`, `not-yours`,
 * `giveaway-not-drawn`, `giveaway-claim-runs` if that time is not over, or `giveaway-over` if nothing is left to claim.
 */
export async function redrawGiveaway(context: TippingContext, command: GiveawayDecision): Promise<GiveawayView> {
  const { member, moderator } = command
  const giveaway = await findGiveaway(context, command)
  const { id, starter, guild, state, claimMinutes, settledAt } = giveaway
  if (starter !== member && !moderator) throw new TippingRefusal('not-yours', {})
  if (state !== 'drawn') throw new TippingRefusal('giveaway-not-drawn', {})
  if (claimMinutes === null || settledAt !== null) throw new TippingRefusal('giveaway-over', {})
  const claims = await context.database.read.giveawayClaim.findMany({ where: { giveawayId: id } })
  const { open, until } = lastRound(claims)
  if (open.length > 0 && until.getTime() > context.clock.now()) {
    throw new TippingRefusal('giveaway-claim-runs', { until })
  }
  await settleClaims(context, giveaway)
  const after = await viewGiveaway(context, id)
  const changed = after.claim?.settledAt !== undefined || after.claim?.named.length !== claims.length
  if (changed && guild !== null) {
    const about = { giveaway: id, ...(member !== starter && { of: starter }), prizes: open.length }
    await context.commit({
      write: (tx) => logModeration(context, tx, { guild, member, action: 'giveaway-redrawn', about }),
    })
  }
  return after
}
