import { each, type ReadRows, type ReadValue } from '../../lib/database/engine/reader.ts'
import { systemEntropy } from '../../lib/entropy.ts'
import { keyedHash } from '../../lib/proofs/keyed-hash.ts'
import { ALL_GIFTS } from '../insights/gifts.ts'

const DAYS = 'SELECT "guild", "day", "side", "member", "amount" FROM "GiftDay" ORDER BY "guild", "day"'
const MONTHS = 'SELECT "guild", "month", "side", "member", "amount" FROM "GiftMonth" ORDER BY "guild", "month"'

const DAY_LENGTH = '2026-11-27'.length
const MONTH_LENGTH = '2026-11'.length
/** The most faults that are described one by one. */
const MAX_NAMED = 3

/** An amount that a member gave or received in a server in a period. */
interface Part {
  readonly guild: string
  /** A day or a month. */
  readonly time: string
  /** The side, such as `giver`, and the member. */
  readonly of: string
  readonly amount: bigint
}

/** The total of the parts of one server and period. */
interface Group {
  readonly guild: string
  readonly time: string
  /** The sum of all amounts, each multiplied by the weight of its side and member. */
  readonly print: bigint
}

/**
 * Compares the leaderboards' sums with the gifts themselves, and the sums of months with those of days. Each fault is a
 * sentence. The memory needed does not grow with the number of members: weights are random, so if any two sums differ,
 * the prints of their day or month differ too, except with a probability of 2⁻⁶⁴.
 */
export async function compareGiftSums(rows: ReadRows): Promise<string[]> {
  const hash = keyedHash(systemEntropy.bytes(32))
  const grouped = groupedBy((of) => hash(of).readBigUInt64BE())
  return [
    ...(await differences(grouped(gifts(rows)), grouped(sums(rows(DAYS), DAY_LENGTH)))),
    ...(await differences(grouped(sums(rows(DAYS), MONTH_LENGTH)), grouped(sums(rows(MONTHS), MONTH_LENGTH)))),
  ]
}

async function* gifts(rows: ReadRows): AsyncGenerator<Part> {
  for await (const [server, at, giver, named, getter, sum] of each(rows(ALL_GIFTS))) {
    const [guild, time, amount] = [String(server), String(at).slice(0, DAY_LENGTH), sum as bigint]
    if (named !== null) yield { guild, time, amount, of: `giver ${named}` }
    if (getter !== null) yield { guild, time, amount, of: `getter ${getter}` }
    else if (giver !== null) yield { guild, time, amount, of: 'unclaimed ' }
  }
}

async function* sums(read: AsyncIterable<readonly ReadValue[][]>, length: number): AsyncGenerator<Part> {
  for await (const [guild, time, side, member, amount] of each(read))
    yield {
      guild: String(guild),
      time: String(time).slice(0, length),
      of: `${side} ${member}`,
      amount: amount as bigint,
    }
}

/**
 * Returns a function that groups parts, which must be sorted by server and period, and leaves out groups whose sums are
 * all zero.
 */
function groupedBy(weight: (of: string) => bigint): (parts: AsyncIterable<Part>) => AsyncGenerator<Group> {
  return async function* grouped(parts) {
    let group: Group | undefined
    for await (const { guild, time, of, amount } of parts) {
      const same = group?.guild === guild && group.time === time ? group : undefined
      if (group !== undefined && same === undefined && group.print !== 0n) yield group
      group = { guild, time, print: (same?.print ?? 0n) + weight(of) * amount }
    }
    if (group !== undefined && group.print !== 0n) yield group
  }
}

/** Reads two sequences of groups side by side, and describes the servers and periods in which the groups differ. */
async function differences(made: AsyncGenerator<Group>, kept: AsyncGenerator<Group>): Promise<string[]> {
  const next = async (groups: AsyncGenerator<Group>): Promise<Group | undefined> => (await groups.next()).value
  const found: string[] = []
  let [one, other] = [await next(made), await next(kept)]
  for (;;) {
    const order = compare(one, other)
    const group = order > 0 ? other : one
    if (group === undefined) break
    if (order !== 0 || one?.print !== other?.print) found.push(faultOf(group))
    if (order <= 0) one = await next(made)
    if (order >= 0) other = await next(kept)
  }
  const more = found.length - MAX_NAMED
  return more > 0 ? [...found.slice(0, MAX_NAMED), `leaderboards are wrong for ${more} more days or months`] : found
}

/**
 * Returns a negative number if the first group comes before the second, and a positive number if it comes after the
 * second. The end of a sequence, undefined, comes last.
 */
function compare(one: Group | undefined, other: Group | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
  const [left, right] = one.guild === other.guild ? [one.time, other.time] : [one.guild, other.guild]
  return Number(left > right) - Number(left < right)
}

function faultOf({ guild, time }: Group): string {
  return `the leaderboard of server ${guild} is wrong for ${time}: its sums differ from the gifts; no balance is concerned`
}
