import { z } from 'zod'
import { timeOfSnowflake } from '../snowflake-time.ts'
import { type BeaconChain, isSignatureOfRound, QUICKNET, roundAfter, timeOfRound } from './beacon.ts'
import { type ClaimProof, claimShape, faultsOfClaims } from './claim-rounds.ts'
import { printableId } from './printable-id.ts'
import { commitmentTo, drawLine, hashOfEntrants, inOrder, keyOfDraw, SEED_BYTES } from './provable-draw.ts'

/** The time between the close of entry and the beacon, in milliseconds. The entrants' hash is published in between. */
export const BEACON_DELAY_MS = 30_000
/** How long in advance an early end must be announced, in milliseconds. */
export const EARLY_END_NOTICE_MS = 60_000

/** The most chances of one entrant. */
export const MAX_CHANCES = 10

const snowflake = z.string().regex(/^\d{1,20}$/, { error: 'must be an id of Discord’s' })
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const moment = z.iso.datetime()

const drawShape = z.object({
  kind: z.literal('satchel-giveaway'),
  giveaway: printableId,
  startedBy: printableId,
  startedAt: moment,
  endedAt: moment,
  /** The prize of each winner, in msats. */
  prizeMsats: z.string().regex(/^[1-9]\d{0,18}$/),
  /** The number of winners. */
  winners: z.int().min(1),
  commitment: hash,
  entrants: z.array(
    z.object({ member: printableId, interaction: snowflake, chances: z.int().min(2).max(MAX_CHANCES).optional() }),
  ),
  entrantsHash: hash,
  seed: hash,
  /** The winners of the first draw. If prizes must be claimed, `claim` shows who claimed them. */
  won: z.array(printableId),
  /** The winners of later draws, in the order of these draws. */
  drawnAgain: z.array(printableId),
})

/** A giveaway's terms. */
const terms = z.object({ prizeMsats: z.string().regex(/^[1-9]\d{0,18}$/), winners: z.int().min(1), endsAt: moment })

/** The file that proves a giveaway's draw. Everything in the file is public after the draw. Version 1 has no beacon. */
export const drawProofShape = z.discriminatedUnion('version', [
  drawShape.extend({ version: z.literal(1) }),
  drawShape.extend({
    version: z.literal(2),
    /** The time until which people could enter, as announced. */
    endsAt: moment,
    /**
     * The time at which the giveaway's starter announced that end, if that end is earlier than the one first announced;
     * otherwise null.
     */
    shortenedAt: moment.nullable(),
    /**
     * The number of days within which people must have written in the server to be able to enter. Default: everybody
     * could enter.
     */
    activeDays: z.int().min(1).optional(),
    /** The changes made while people could enter, oldest first. Default: none. */
    edits: z.array(z.object({ by: printableId, at: moment, from: terms, to: terms })).optional(),
    /** How prizes were claimed and drawn again. Default: they were paid immediately. */
    claim: claimShape.optional(),
    /** The id of the message that published the entrants' hash; null if it is unknown. */
    entrantsMessage: snowflake.nullable(),
    /**
     * The public value that was announced for the draw; null if there was none. If the signature is null, the beacon
     * was not available, and the seed alone decided.
     */
    beacon: z
      .object({
        chain: printableId,
        round: z.int().min(1),
        signature: z
          .string()
          .regex(/^[0-9a-f]{96}$/)
          .nullable(),
      })
      .nullable(),
  }),
])

export type DrawProof = z.infer<typeof drawProofShape>
type BeaconProof = Extract<DrawProof, { version: 2 }>

/** Returns the beacon's round that decides a giveaway that ends at `endsAtMs` (milliseconds since 1970). */
export function roundOfDraw(chain: BeaconChain, endsAtMs: number): number {
  return roundAfter(chain, endsAtMs + BEACON_DELAY_MS)
}

/**
 * Checks a proof by computing the draw again. Returns every fault of the proof as a sentence; none if the proof is
 * valid.
 */
export function faultsOfDraw(proof: DrawProof, chain: BeaconChain = QUICKNET): string[] {
  const faults: string[] = []
  const seed = Buffer.from(proof.seed, 'hex')
  const { entrants, won, drawnAgain } = proof
  if (seed.length !== SEED_BYTES) faults.push(`the seed has ${seed.length} bytes, not ${SEED_BYTES}`)
  const commitment = commitmentTo(seed)
  if (commitment !== proof.commitment) {
    faults.push(`the seed's SHA-256 is ${commitment}, but the commitment is ${proof.commitment}`)
  }
  for (const key of ['member', 'interaction'] as const) {
    if (new Set(entrants.map((entrant) => entrant[key])).size < entrants.length) {
      faults.push(`an entrant is in the list twice (the same ${key})`)
    }
  }
  if (JSON.stringify(entrants) !== JSON.stringify(inOrder(entrants))) {
    faults.push('the entrants are not in the order of their interactions')
  }
  const entrantsHash = hashOfEntrants(proof.giveaway, entrants)
  if (entrantsHash !== proof.entrantsHash) {
    faults.push(`the entrants' hash is ${entrantsHash}, but the proof says ${proof.entrantsHash}`)
  }
  if (proof.version === 2) faults.push(...faultsOfEdits(proof), ...faultsOfBeacon(proof, chain))
  const key = keyOfDraw(seed, signatureIn(proof))
  const line = drawLine(key, entrantsHash, entrants).map(({ member }) => member)
  const places = Math.min(proof.winners, line.length)
  mustBe('the winners', won, line.slice(0, places), faults)
  mustBe('those drawn again', drawnAgain, line.slice(places, places + drawnAgain.length), faults)
  const claim = claimIn(proof)
  if (claim === undefined) return faults
  const redrawn = claim.rounds.slice(1).flatMap(({ named }) => named)
  // Another prize of the starter is drawn only after these are settled.
  if (claim.settledAt === null) mustBe('those drawn again', drawnAgain, redrawn, faults)
  else mustBe('those drawn for unclaimed prizes', redrawn, drawnAgain.slice(0, redrawn.length), faults)
  return [...faults, ...faultsOfClaims(claim, line, proof.winners)]
}

/** Returns how the prizes were claimed; undefined if they were paid immediately. */
export function claimIn(proof: DrawProof): ClaimProof | undefined {
  return proof.version === 2 ? proof.claim : undefined
}

function signatureIn(proof: DrawProof): string | null {
  return proof.version === 2 ? (proof.beacon?.signature ?? null) : null
}

/**
 * Returns the faults of the edits, which may be made only while people can enter, and must make neither the prizes
 * smaller nor the end earlier.
 */
function faultsOfEdits({ edits = [], prizeMsats, winners, endsAt, shortenedAt }: BeaconProof): string[] {
  const isKept = shortenedAt !== null || edits.length === 0 || edits.at(-1)?.to.endsAt === endsAt
  const faults = isKept ? [] : ['the end differs from the one that the last change announced']
  for (const [nth, { by, at, from, to }] of edits.entries()) {
    const next = edits[nth + 1]?.from ?? { prizeMsats, winners }
    const isSmaller = BigInt(to.prizeMsats) < BigInt(from.prizeMsats) || to.winners < from.winners
    if (isSmaller) faults.push(`${by}’s change made the prizes smaller`)
    if (Date.parse(to.endsAt) < Date.parse(from.endsAt)) faults.push(`${by}’s change made the end earlier`)
    if (Date.parse(at) >= Date.parse(from.endsAt)) faults.push(`${by}’s change came after the end`)
    const isNext = to.prizeMsats === next.prizeMsats && to.winners === next.winners
    if (!isNext) faults.push(`the prizes differ from those that ${by}’s change announced`)
  }
  return faults
}

function faultsOfBeacon({ endsAt, shortenedAt, beacon, entrants }: BeaconProof, chain: BeaconChain): string[] {
  const faults: string[] = []
  const endsAtMs = Date.parse(endsAt)
  if (shortenedAt !== null && endsAtMs - Date.parse(shortenedAt) < EARLY_END_NOTICE_MS) {
    faults.push(`the earlier end was announced at ${shortenedAt}, less than a minute before it`)
  }
  if (beacon === null) return faults
  const late = entrants.find(({ interaction }) => (timeOfSnowflake(interaction) ?? 0) >= endsAtMs)
  if (late !== undefined) faults.push(`${late.member} entered after the end`)
  if (beacon.chain !== chain.name) return [...faults, `the beacon is ${beacon.chain}'s, not ${chain.name}'s`]
  const round = roundOfDraw(chain, endsAtMs)
  if (beacon.round !== round)
    faults.push(`the end leads to round ${round} of the beacon, but the proof says ${beacon.round}`)
  if (beacon.signature !== null && !isSignatureOfRound(chain, beacon.round, beacon.signature)) {
    faults.push(`the beacon's signature is not that of round ${beacon.round}`)
  }
  return faults
}

/**
 * The strength of a valid proof: who could have known the draw's outcome in advance.
 * - `seed-only`: anybody who could read the seed.
 * - `beacon-missed`: anybody who could read the seed, because the announced beacon was not available.
 * - `beacon`: nobody, before the beacon's time. `hashLeadMs` is the time from the publication of the entrants' hash to
 *   the beacon; negative if the hash was published later, and undefined if its message is unknown.
 */
export type DrawStrength =
  | { readonly kind: 'seed-only' }
  | { readonly kind: 'beacon-missed'; readonly round: number; readonly at: Date }
  | { readonly kind: 'beacon'; readonly round: number; readonly at: Date; readonly hashLeadMs: number | undefined }

export function strengthOfDraw(proof: DrawProof, chain: BeaconChain = QUICKNET): DrawStrength {
  if (proof.version === 1 || proof.beacon === null) return { kind: 'seed-only' }
  const { round, signature } = proof.beacon
  const atMs = timeOfRound(chain, round)
  const at = new Date(atMs)
  if (signature === null) return { kind: 'beacon-missed', round, at }
  const publishedMs = proof.entrantsMessage === null ? undefined : timeOfSnowflake(proof.entrantsMessage)
  return { kind: 'beacon', round, at, hashLeadMs: publishedMs === undefined ? undefined : atMs - publishedMs }
}

function mustBe(who: string, said: readonly string[], computed: readonly string[], faults: string[]): void {
  if (said.join() === computed.join()) return
  faults.push(`${who} must be ${computed.join(', ') || 'nobody'}, but the proof says ${said.join(', ') || 'nobody'}`)
}
