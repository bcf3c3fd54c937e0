import { createHash, createHmac } from 'node:crypto'
import { randomnessOf } from './beacon.ts'

/**
 * A draw that everybody can compute again (docs/VERIFY.md explains it). The bot publishes the SHA-256 of a secret seed
 * before anybody enters, the hash of the entrants after entry closes, and only then the seed. So the drawer can choose
 * neither the seed after the entrants nor the entrants after the hash. If a public beacon is mixed in, nobody can
 * compute the draw before that beacon's time, not even with the seed.
 */

/** A person in the draw. The interaction is the id of the press that entered them, and shows its time. */
export interface Entrant {
  readonly member: string
  readonly interaction: string
  /** The number of their tickets. Default: one. */
  readonly chances?: number | undefined
}

export const SEED_BYTES = 32

/** Returns the published commitment to a secret seed: its SHA-256, in hexadecimal. */
export function commitmentTo(seed: Uint8Array): string {
  return createHash('sha256').update(seed).digest('hex')
}

/**
 * Returns the key of a draw's numbers: the seed, or, with the beacon's signature, the SHA-256 of the seed and the
 * beacon's random value.
 */
export function keyOfDraw(seed: Uint8Array, signature: string | null): Uint8Array {
  return signature === null ? seed : createHash('sha256').update(seed).update(randomnessOf(signature)).digest()
}

/** Sorts entrants in the only valid order: by interaction, as numbers. Discord's ids grow with time. */
export function inOrder<E extends Entrant>(entrants: readonly E[]): E[] {
  return entrants.toSorted(
    (one, other) =>
      one.interaction.length - other.interaction.length ||
      Number(one.interaction > other.interaction) - Number(one.interaction < other.interaction),
  )
}

/**
 * Returns the SHA-256, in hexadecimal, of a draw's id and its entrants in order, each on its own line, with their
 * chances if these are more than one.
 */
export function hashOfEntrants(draw: string, entrants: readonly Entrant[]): string {
  const lineOf = ({ member, interaction, chances = 1 }: Entrant) =>
    `${interaction} ${member}${chances > 1 ? ` ${chances}` : ''}`
  const lines = [`satchel giveaway ${draw}`, ...entrants.map(lineOf)]
  return createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
}

/**
 * Returns the order into which the key (`keyOfDraw`) puts the entrants: the first ones win, and the next person is
 * drawn again. `entrants` must be sorted; `count` limits the result. It is a Fisher–Yates shuffle of their tickets with
 * numbers from the stream.
 */
export function drawLine<E extends Entrant>(
  key: Uint8Array,
  entrantsHash: string,
  entrants: readonly E[],
  count: number = entrants.length,
): E[] {
  const tickets = entrants.flatMap((entrant) => Array.from({ length: entrant.chances ?? 1 }, () => entrant))
  const below = numbersFrom(key, entrantsHash)
  const line = new Map<string, E>()
  const wanted = Math.min(count, entrants.length)
  for (let place = 0; line.size < wanted && place < tickets.length; place += 1) {
    const chosen = place + below(tickets.length - place)
    const [here, there] = [tickets[place], tickets[chosen]]
    if (here === undefined || there === undefined) throw new RangeError('the draw has no entrants left')
    tickets[place] = there
    tickets[chosen] = here
    // A person with several tickets takes the place of the first.
    if (!line.has(there.interaction)) line.set(there.interaction, there)
  }
  return [...line.values()]
}

/**
 * Yields numbers from HMAC-SHA256(key, entrants hash ‖ block number): 32 bits at a time, big endian. Skips numbers that
 * would make some outcomes likelier than others.
 */
function numbersFrom(key: Uint8Array, entrantsHash: string): (below: number) => number {
  let block = Buffer.alloc(0)
  let blocks = 0
  const next = () => {
    if (block.length === 0) {
      const counter = Buffer.alloc(4)
      counter.writeUInt32BE(blocks)
      block = createHmac('sha256', key).update(Buffer.from(entrantsHash, 'hex')).update(counter).digest()
      blocks += 1
    }
    const number = block.readUInt32BE()
    block = block.subarray(4)
    return number
  }
  return (below) => {
    const limit = 2 ** 32 - (2 ** 32 % below)
    for (;;) {
      const number = next()
      if (number < limit) return number % below
    }
  }
}
