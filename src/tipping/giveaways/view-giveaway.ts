import { type Msats, msats } from '../../lib/money/amount.ts'
import { type BeaconChain, timeOfRound } from '../../lib/proofs/beacon.ts'
import type { DrawProof } from '../../lib/proofs/draw-proof.ts'
import { inOrder } from '../../lib/proofs/provable-draw.ts'
import type { CoreContext } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { showPayout } from '../engine/payouts/payout-shown.ts'
import { reasonOf } from '../engine/spending/reason.ts'
import type { Giveaway, GiveawayClaim, GiveawayWin, Payout, GiveawayEdit as StoredEdit } from '../generated/client.ts'
import { findGiveaway } from './find-giveaway.ts'
import type {
  GiveawayEdit,
  GiveawayEntrants,
  GiveawayPrize,
  GiveawayProof,
  GiveawayRerollView,
  GiveawayState,
  Giveaways,
  GiveawayTerms,
  GiveawayView,
} from './giveaways.ts'
import { claimProof } from './prove-claims.ts'
import { rolesOf } from './role-columns.ts'

type Stored = Giveaway & {
  wins: GiveawayWin[]
  edits: StoredEdit[]
  claims: GiveawayClaim[]
  _count: { entries: number }
}

const include = {
  edits: { orderBy: { ordinal: 'asc' } },
  wins: { orderBy: { place: 'asc' } },
  claims: { orderBy: { place: 'asc' } },
  _count: { select: { entries: true } },
} as const

/** Returns a giveaway's present view. Throws TippingRefusal `not-there`. */
export async function viewGiveaway(context: CoreContext, id: string): Promise<GiveawayView> {
  const { database, beacons } = context
  const giveaway = await database.read.giveaway.findUnique({ where: { id }, include })
  if (giveaway === null) throw new TippingRefusal('not-there', {})
  // Stryker disable next-line ObjectLiteral: avoids reading other rows, because each prize finds its own by id.
  const payouts = await database.read.payout.findMany({ where: { cause: { in: giveaway.wins.map((win) => win.id) } } })
  const reason = giveaway.pool === null ? undefined : await reasonOf(context, id)
  return view(giveaway, payouts, beacons.chain, reason)
}

/** Returns the server's giveaways, newest first, without their payouts and without a pool's reasons. */
export async function listGiveaways(
  { database, beacons }: CoreContext,
  { guild, limit }: Parameters<Giveaways['list']>[0],
): Promise<GiveawayView[]> {
  const found = await database.read.giveaway.findMany({
    where: { guild },
    orderBy: { createdAt: 'desc' },
    take: limit,
    include,
  })
  return found.map((giveaway) => view(giveaway, [], beacons.chain, giveaway.pool === null ? undefined : ''))
}

const ENTRANTS_A_PAGE = 20

/** Returns a page of a giveaway's entrants. Throws TippingRefusal `giveaway-not-found`. */
export async function viewEntrants(
  context: CoreContext,
  command: Parameters<Giveaways['entrants']>[0],
): Promise<GiveawayEntrants> {
  const giveaway = await viewGiveaway(context, (await findGiveaway(context, command)).id)
  const pages = Math.max(Math.ceil(giveaway.entrants / ENTRANTS_A_PAGE), 1)
  const page = Math.min(Math.max(Math.trunc(command.page) || 0, 0), pages - 1)
  const entrants = await context.database.read.giveawayEntry.findMany({
    where: { giveawayId: giveaway.id },
    orderBy: [{ createdAt: 'asc' }, { member: 'asc' }],
    select: { member: true, chances: true },
    skip: page * ENTRANTS_A_PAGE,
    take: ENTRANTS_A_PAGE,
  })
  return { giveaway, entrants, page, pages }
}

/** Returns one prize that was drawn later. Throws TippingRefusal `not-there`. */
export async function viewReroll(context: CoreContext, id: string): Promise<GiveawayRerollView> {
  const win = await context.database.read.giveawayWin.findUnique({ where: { id } })
  if (win === null) throw new TippingRefusal('not-there', {})
  const payout = await context.database.read.payout.findUnique({ where: { cause: id } })
  const giveaway = await viewGiveaway(context, win.giveawayId)
  return { id, card: win.card, giveaway, ...prizeOf(win, payout ?? undefined) }
}

/** Returns all data for computing a draw again. Throws TippingRefusal `giveaway-not-found`. */
export async function proveGiveaway(
  context: CoreContext,
  command: Parameters<Giveaways['proof']>[0],
): Promise<GiveawayProof> {
  const { read } = context.database
  const stored = await findGiveaway(context, command)
  const giveaway = await viewGiveaway(context, stored.id)
  const sealed = await read.card.findUnique({
    where: { kind_record: { kind: 'giveaway-sealed', record: stored.id } },
  })
  const { seed, entrantsHash, endedAt } = giveaway
  const byCard = entrantsHash === undefined ? undefined : giveaway.card
  const published = { commitment: giveaway.card, entrants: sealed?.id ?? byCard }
  if (seed === undefined || entrantsHash === undefined || endedAt === undefined) {
    return { giveaway, published, proof: undefined }
  }
  const entrants = await read.giveawayEntry.findMany({ where: { giveawayId: stored.id } })
  const claims = await read.giveawayClaim.findMany({ where: { giveawayId: stored.id }, orderBy: { place: 'asc' } })
  const claim = claimProof(stored, claims, entrants.length)
  const members = (again: boolean) => giveaway.won.filter((prize) => prize.again === again).map(({ member }) => member)
  const [first, ...later] = claim?.rounds.map(({ named }) => named) ?? [members(false)]
  return {
    giveaway,
    published,
    proof: {
      kind: 'satchel-giveaway',
      version: 2,
      giveaway: stored.id,
      startedBy: stored.starter,
      startedAt: stored.createdAt.toISOString(),
      endsAt: stored.endsAt.toISOString(),
      shortenedAt: stored.shortenedAt?.toISOString() ?? null,
      endedAt: endedAt.toISOString(),
      prizeMsats: stored.prize.toString(),
      winners: stored.winners,
      commitment: stored.commitment,
      entrants: inOrder(entrants).map(({ member, interaction, chances }) => ({
        ...{ member, interaction },
        ...(chances > 1 && { chances }),
      })),
      entrantsHash,
      entrantsMessage: messageOf(sealed?.message),
      beacon: beaconOf(stored, context.beacons.chain),
      seed,
      ...(giveaway.activeDays !== undefined && { activeDays: giveaway.activeDays }),
      ...(giveaway.edits.length > 0 && { edits: giveaway.edits.map(editProof) }),
      ...(claim !== undefined && { claim }),
      won: first ?? [],
      drawnAgain: [...later.flat(), ...members(true)],
    },
  }
}

type BeaconProof = Extract<DrawProof, { version: 2 }>['beacon']

function beaconOf({ beaconRound: round, beaconSignature: signature }: Giveaway, { name }: BeaconChain): BeaconProof {
  return round === null ? null : { chain: name, round, signature }
}

function editProof({ by, at, from, to }: GiveawayEdit) {
  const terms = ({ prize, winners, endsAt }: GiveawayTerms) => ({
    prizeMsats: prize.toString(),
    winners,
    endsAt: endsAt.toISOString(),
  })
  return { by, at: at.toISOString(), from: terms(from), to: terms(to) }
}

/** Returns the id of the message that shows a card. The front writes this id at the end of `shown`. */
function messageOf(shown: string | null | undefined): string | null {
  return /\d{15,20}$/.exec(shown ?? '')?.[0] ?? null
}

function view(
  giveaway: Stored,
  payouts: readonly Payout[],
  chain: BeaconChain,
  reason: string | undefined,
): GiveawayView {
  const { id, card, starter, channel, guild, winners, accountDays, endsAt, endedAt, commitment } = giveaway
  const byPrize = new Map(payouts.map((payout) => [payout.cause, payout]))
  const state = giveaway.state as GiveawayState
  return {
    id,
    card,
    starter,
    channel,
    guild,
    prize: msats(giveaway.prize),
    winners,
    roles: rolesOf(giveaway),
    maxEntries: giveaway.maxEntries ?? undefined,
    minAgeDays: accountDays ?? undefined,
    activeDays: giveaway.activeDays ?? undefined,
    edits: giveaway.edits.map(viewEdit),
    bonus: bonusOf(giveaway),
    state,
    entrants: giveaway._count.entries,
    endsAt,
    endedAt: endedAt ?? undefined,
    cancelledBy: giveaway.cancelledBy ?? undefined,
    commitment,
    entrantsHash: giveaway.entrantsHash ?? undefined,
    beacon: viewBeacon(giveaway, chain),
    seed: state === 'drawn' ? giveaway.seed : undefined,
    won: giveaway.wins.map((win) => prizeOf(win, byPrize.get(win.id))),
    claim: claimsOf(giveaway),
    returned: returnedOf(giveaway),
    reason,
  }
}

function claimsOf({ claimMinutes: minutes, settledAt, claims }: Stored): GiveawayView['claim'] {
  if (minutes === null) return undefined
  const last = claims.at(-1)?.round
  const named = claims.map(({ member, round, until, claimedAt }) => {
    const isOver = settledAt !== null || round !== last
    return { member, round, until, state: claimedAt !== null ? 'claimed' : isOver ? 'missed' : 'open' } as const
  })
  return { minutes, named, settledAt: settledAt ?? undefined }
}

function viewEdit(edit: StoredEdit): GiveawayEdit {
  return {
    by: edit.member,
    at: edit.createdAt,
    from: { prize: msats(edit.prizeBefore), winners: edit.winnersBefore, endsAt: edit.endsAtBefore },
    to: { prize: msats(edit.prize), winners: edit.winners, endsAt: edit.endsAt },
  }
}

function viewBeacon(
  { beaconRound: round, beaconSignature, state }: Stored,
  chain: BeaconChain,
): GiveawayView['beacon'] {
  if (round === null) return undefined
  const drawn = beaconSignature === null ? 'missed' : 'mixed'
  return { round, at: new Date(timeOfRound(chain, round)), state: state === 'drawn' ? drawn : 'announced' }
}

function bonusOf({ bonusRole: role, bonusChances: chances }: Stored): GiveawayView['bonus'] {
  return role === null || chances === null ? undefined : { role, chances }
}

function returnedOf({ state, prize, winners, wins, claimMinutes, settledAt }: Stored): Msats {
  if (state === 'cancelled') return msats(prize * BigInt(winners))
  if (state !== 'drawn' || (claimMinutes !== null && settledAt === null)) return msats(0n)
  return msats(prize * BigInt(winners - wins.filter(({ again }) => !again).length))
}

function prizeOf({ member, again }: GiveawayWin, payout: Payout | undefined): GiveawayPrize {
  return { member, again, ...showPayout(payout) }
}
