import { z } from 'zod'
import { printableId } from './printable-id.ts'
import { commitmentTo, drawLine, hashOfEntrants, inOrder, SEED_BYTES } from './provable-draw.ts'

const interactionId = z.string().regex(/^\d{1,20}$/, { error: 'must be the id of an interaction' })
const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** The file that proves a giveaway's draw. Everything in it is public once the draw is done. */
export const drawProofShape = z.object({
  kind: z.literal('satchel-giveaway'),
  version: z.literal(1),
  giveaway: printableId,
  startedBy: printableId,
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** What each winner got. */
  prizeMsats: z.string().regex(/^[1-9]\d{0,18}$/),
  /** How many could win. */
  winners: z.int().min(1),
  commitment: hash,
  entrants: z.array(z.object({ member: printableId, interaction: interactionId })),
  entrantsHash: hash,
  seed: hash,
  won: z.array(printableId),
  /** Who was drawn again later, in that order. */
  drawnAgain: z.array(printableId),
})

export type DrawProof = z.infer<typeof drawProofShape>

/** Computes a draw again. Returns everything that is wrong with the proof, as sentences; nothing when it holds. */
export function faultsOfDraw(proof: DrawProof): string[] {
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
  const line = drawLine(seed, entrantsHash, entrants).map(({ member }) => member)
  const places = Math.min(proof.winners, line.length)
  mustBe('the winners', won, line.slice(0, places), faults)
  mustBe('those drawn again', drawnAgain, line.slice(places, places + drawnAgain.length), faults)
  return faults
}

function mustBe(who: string, said: readonly string[], computed: readonly string[], faults: string[]): void {
  if (said.join() === computed.join()) return
  faults.push(`${who} must be ${computed.join(', ') || 'nobody'}, but the proof says ${said.join(', ') || 'nobody'}`)
}
