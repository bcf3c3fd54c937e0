import { createHash, createHmac } from 'node:crypto'
import type { Beacons } from './beacons.ts'
import type { Faults } from './faults.ts'
import type { StartedGiveaway } from './giveaways.ts'
import type { ShownDraw } from './shown.ts'

export interface DrawEvidence {
  readonly faults: Faults
  readonly beacons: Beacons
  readonly started: ReadonlyMap<string, StartedGiveaway>
  /** Each giveaway's number of prizes, as its starter typed it. */
  readonly prizes: ReadonlyMap<string, { readonly winners: bigint }>
  /** The draws that members were told they had entered, by giveaway and member. */
  readonly entered: ReadonlySet<string>
  /** The prizes that winners claimed and were told are theirs, by giveaway and member. */
  readonly claimed: ReadonlySet<string>
}

/**
 * Computes every draw once more, according to docs/VERIFY.md, from the published data and from the entries that people
 * were shown.
 */
export function judgeDraws(draws: readonly ShownDraw[], evidence: DrawEvidence): void {
  for (const draw of draws) judgeDraw(draw, evidence)
}

function judgeDraw({ id, proof, won }: ShownDraw, evidence: DrawEvidence): void {
  const { faults, started, prizes, entered, beacons } = evidence
  const say = (what: string) => faults.add(`the draw of ${id} ${what}`)
  if (proof === undefined) {
    say('has no proof')
    return
  }
  const seed = Buffer.from(proof.seed, 'hex')
  const commitment = createHash('sha256').update(seed).digest('hex')
  if (commitment !== started.get(id)?.commitment) say('was made with another seed than its starter was shown')
  judgeBeacon(proof, beacons, say)
  const shown = [...entered].filter((key) => key.startsWith(`${id} `)).map((key) => key.slice(id.length + 1))
  const listed = proof.entrants.map(({ member }) => member)
  if (listed.toSorted().join() !== shown.toSorted().join()) say(`was among ${listed}, and ${shown} had entered`)
  const inTheirOrder = proof.entrants.toSorted((one, other) => byNumber(one.interaction, other.interaction))
  const list = [`satchel giveaway ${id}`, ...inTheirOrder.map(lineOf)]
  const hash = createHash('sha256')
    .update(`${list.join('\n')}\n`)
    .digest()
  const line = shuffled(
    inTheirOrder.flatMap(({ member, chances = 1 }) => Array.from({ length: chances }, () => member)),
    streamOf(keyOf(seed, proof.beacon?.signature), hash),
  )
  const first = won.filter(({ again }) => !again).map(({ member }) => member)
  const later = won.filter(({ again }) => again).map(({ member }) => member)
  if (proof.claim !== undefined) {
    const named = judgeClaims(proof.claim, line, Number(prizes.get(id)?.winners ?? 0n), say)
    const claimed = proof.claim.rounds.flatMap((round) => round.claimed.map(({ member }) => member))
    const told = new Set([...evidence.claimed].filter((key) => key.startsWith(`${id} `)))
    if (first.toSorted().join() !== claimed.toSorted().join()) say(`was claimed by ${claimed}, and ${first} were paid`)
    const untold = [...told].filter((key) => !claimed.includes(key.slice(id.length + 1)))
    if (untold.length > 0) say(`gives nothing to ${untold}, who were told that they have it`)
    const next = line.slice(named, named + later.length)
    if (later.join() !== next.join()) say(`went on with ${later}, and its seed says ${next}`)
    return
  }
  const places = Math.min(Number(prizes.get(id)?.winners ?? 0n), line.length)
  if (first.join() !== line.slice(0, places).join())
    say(`was won by ${first.join() || 'nobody'}, and its seed says ${line.slice(0, places).join() || 'nobody'}`)
  const next = line.slice(places, places + later.length)
  if (later.join() !== next.join()) say(`went on with ${later}, and its seed says ${next}`)
}

/**
 * Checks that unclaimed prizes are drawn again, at most five times, each with the whole claim time. Returns how many
 * winners were named.
 */
function judgeClaims(
  { minutes, rounds, settledAt }: NonNullable<NonNullable<ShownDraw['proof']>['claim']>,
  line: readonly string[],
  prizes: number,
  say: (what: string) => void,
): number {
  let [named, left] = [0, prizes]
  for (const [nth, round] of rounds.entries()) {
    const due = line.slice(named, named + left)
    if (due.join() !== round.named.join()) say(`named ${round.named} in round ${nth}, and its seed says ${due}`)
    const [from, to] = [Date.parse(round.drawnAt), Date.parse(round.until)]
    if (to - from < minutes * 60_000) say(`gave ${to - from} ms to claim in round ${nth}`)
    if (nth > 0 && from < Date.parse(rounds[nth - 1]?.until ?? '')) say(`drew round ${nth} before its time`)
    named += round.named.length
    left = round.named.length - round.claimed.length
  }
  if (settledAt === null) say('never came to an end')
  if (left > 0 && rounds.length < 5 && named < line.length) say(`gave ${left} prizes back that others could have had`)
  return named
}

const DAY_MS = 24 * 3_600_000

/**
 * Checks that the draw uses the announced beacon as it was signed, and uses the seed alone only after a day without it.
 */
function judgeBeacon(
  { beacon, endsAt = '', endedAt }: NonNullable<ShownDraw['proof']>,
  beacons: Beacons,
  say: (what: string) => void,
): void {
  if (beacon === null || beacon === undefined) return
  const { round, signature } = beacon
  const expected = beacons.roundOfDraw(Date.parse(endsAt))
  if (round !== expected) say(`waited for the beacon's round ${round}, and its end leads to ${expected}`)
  if (signature === null) {
    const waitedMs = Date.parse(endedAt) - beacons.timeOf(round)
    if (waitedMs < DAY_MS) say(`gave its beacon up after ${waitedMs} ms`)
  } else if (signature !== beacons.signatureOf(round)) say(`used a beacon that was never signed for round ${round}`)
}

/** Returns the seed or, with a beacon, the SHA-256 of the seed followed by the SHA-256 of the beacon's signature. */
function keyOf(seed: Buffer, signature: string | null | undefined): Buffer {
  if (signature === null || signature === undefined) return seed
  const random = createHash('sha256').update(signature, 'hex').digest()
  return createHash('sha256').update(seed).update(random).digest()
}

type Entrant = NonNullable<ShownDraw['proof']>['entrants'][number]

function lineOf({ member, interaction, chances = 1 }: Entrant): string {
  return chances > 1 ? `${interaction} ${member} ${chances}` : `${interaction} ${member}`
}

/** Compares Discord's ids, which have no leading zeros, as numbers. */
function byNumber(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length
  return one < other ? -1 : 1
}

/** Yields 32 bits at a time of HMAC-SHA256(seed, hash and the block's number). */
function* streamOf(seed: Buffer, hash: Buffer): Generator<number, never> {
  for (let number = 0; ; number += 1) {
    const ending = Buffer.from(number.toString(16).padStart(8, '0'), 'hex')
    const block = createHmac('sha256', seed)
      .update(Buffer.concat([hash, ending]))
      .digest()
    for (let at = 0; at < block.length; at += 4) yield block.readUInt32BE(at)
  }
}

/** Shuffles as Fisher and Yates do, from the front. It skips numbers from the uneven end of the range. */
function shuffled(members: readonly string[], stream: Generator<number, never>): string[] {
  const left = [...members]
  const line: string[] = []
  for (let place = 0; place < members.length; place += 1) {
    const among = members.length - place
    const fair = 2 ** 32 - (2 ** 32 % among)
    let number = stream.next().value
    while (number >= fair) number = stream.next().value
    const at = place + (number % among)
    line.push(left[at] as string)
    left[at] = left[place] as string
  }
  return [...new Set(line)]
}
