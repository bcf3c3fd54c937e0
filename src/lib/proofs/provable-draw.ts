import { createHash, createHmac } from 'node:crypto'
import { randomnessOf } from './beacon.ts'

/**
 * A draw that everybody can compute again (docs/VERIFY.md explains it). The bot publishes the SHA-256 of a secret seed
 * before anybody enters, the hash of the entrants after entry closes, and only then the seed. So the person who runs
 * the draw can neither choose the seed after the entrants are known nor change the entrants after their hash is
 * published. If a public beacon is mixed in, nobody can compute the draw before that beacon's time, not even with the
 * seed.
 */

/**
 * A person in the draw. `interaction` is the id of the press by which the person entered, and shows the time of the
 * press.
 */
export interface Entrant {
  readonly member: string
  readonly interaction: string
  /** The number of the person's tickets. Default: one. */
  readonly chances?: number | undefined
}

export const SEED_BYTES = 32

/** Returns the published commitment to a secret seed: the seed's SHA-256, in hexadecimal. */
export function commitmentTo(seed: Uint8Array): string {
  return createHash('sha256').update(seed).digest('hex')
}

/**
 * Returns the key that determines a draw's random numbers: the seed, or, with the beacon's signature, the SHA-256 of
 * the seed and the beacon's random value.
 */
export function keyOfDraw(seed: Uint8Array, signature: string | null): Uint8Array {
  return signature === null ? seed : createHash('sha256').update(seed).update(randomnessOf(signature)).digest()
}

/**
 * Sorts entrants in the only valid order: by the ids of their interactions, compared as numbers. Discord's ids grow
 * with time.
 */
export function inOrder<E extends Entrant>(entrants: readonly E[]): E[] {
  return entrants.toSorted(
    (one, other) =>
      one.interaction.length - other.interaction.length ||
      Number(one.interaction > other.interaction) - Number(one.interaction < other.interaction),
  )
}

/**
 * Returns the SHA-256, in hexadecimal, of a text with the draw's id on the first line, and then the entrants in order,
 * one on each line, followed by the number of the entrant's chances if it is more than one.
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
 * Returns the entrants in the order that the key (`keyOfDraw`) determines: the first ones win, and those after them are
 * the winners of later draws. `entrants` must be sorted; `count` limits the result. The order results from a
 * Fisher–Yates shuffle of the entrants' tickets with numbers from `numbersFrom`.
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
 * Returns a function that draws a number below a limit from HMAC-SHA256(key, entrants hash ‖ block number): 32 bits at
 * a time, big endian. Skips numbers that would make some outcomes likelier than others.
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
