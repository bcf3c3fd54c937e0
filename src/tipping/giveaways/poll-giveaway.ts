import { timeOfRound } from '../../lib/proofs/beacon.ts'
import { END, inMs, type Next } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Giveaway } from '../generated/client.ts'
import { drawGiveaway } from './draw-giveaway.ts'
import { sealGiveaway } from './seal-giveaway.ts'
import { settleClaims } from './settle-claims.ts'

/** How long to wait for the next check while the clocks disagree. Nothing ends meanwhile. */
const UNSTEADY_MS = 60_000
/**
 * How long a draw waits for the message with the entrants' hash. It does not wait forever, because a thread may be
 * archived, and the book contains the hash anyway.
 */
const PUBLISHING_TIMEOUT_MS = 2 * 60_000

/** How long a draw waits for its beacon, and the longest pause between two requests for that beacon. */
const BEACON_TIMEOUT_MS = 24 * 3_600_000
const BEACON_PAUSE_MS = 5 * 60_000

/**
 * Takes a giveaway from step to step: seals it at its end, draws it when the entrants' hash was published and the
 * beacon is available, and then manages the claims. Each step is durable, so a restart continues from there.
 */
export async function pollGiveaway(context: TippingContext, id: string): Promise<Next> {
  const giveaway = await context.database.read.giveaway.findUnique({ where: { id } })
  if (giveaway?.state === 'open') return await untilItsTime(context, giveaway)
  if (giveaway?.state === 'sealed') return await untilPublished(context, giveaway)
  if (giveaway?.state === 'drawn' && giveaway.claimMinutes !== null && giveaway.settledAt === null) {
    return await settleClaims(context, giveaway)
  }
  return END
}

async function untilItsTime(context: TippingContext, { id, endsAt }: Giveaway): Promise<Next> {
  const leftMs = endsAt.getTime() - context.clock.now()
  if (leftMs > 0) return inMs(leftMs)
  if (!context.clockWatch.isSteady()) return inMs(UNSTEADY_MS)
  await sealGiveaway(context, id)
  return inMs(0)
}

async function untilPublished(context: TippingContext, giveaway: Giveaway): Promise<Next> {
  const { id, sealedAt, beaconRound } = giveaway
  const { card: cards } = context.database.read
  const own = await cards.findUnique({ where: { kind_record: { kind: 'giveaway-sealed', record: id } } })
  const card = own ?? (await cards.findUnique({ where: { id: giveaway.card } }))
  const sealedForMs = context.clock.now() - (sealedAt?.getTime() ?? 0)
  // Its sealed state was shown, or given up because the channel is gone.
  const published = card === null || card.shown >= card.revision
  if (!published && sealedForMs < PUBLISHING_TIMEOUT_MS) return inMs(sealedForMs < 10_000 ? 250 : 5_000)
  if (beaconRound !== null) return await untilItsBeacon(context, giveaway, beaconRound)
  await drawGiveaway(context, id, null)
  return afterDraw(giveaway)
}

/** Returns when to poll after the draw: immediately if winners have to claim their prizes. */
function afterDraw({ claimMinutes }: Giveaway): Next {
  return claimMinutes === null ? END : inMs(0)
}

/**
 * Waits for the beacon, and then draws. A round's signature is always the same, so any process may request it, any
 * number of times. After a day the seed alone decides.
 */
async function untilItsBeacon(context: TippingContext, giveaway: Giveaway, round: number): Promise<Next> {
  const { beacons, clock } = context
  const leftMs = timeOfRound(beacons.chain, round) - clock.now()
  if (leftMs > 0) return inMs(leftMs)
  const signature = await beacons.signatureOf(round)
  const waitedMs = -leftMs
  if (signature === undefined && (waitedMs < BEACON_TIMEOUT_MS || !context.clockWatch.isSteady())) {
    return inMs(Math.min(Math.max(waitedMs, 1_000), BEACON_PAUSE_MS))
  }
  await drawGiveaway(context, giveaway.id, signature ?? null)
  return afterDraw(giveaway)
}
