import { z } from 'zod'
import { timeOfSnowflake } from '../snowflake-time.ts'
import { printableId } from './printable-id.ts'

/** The most draws of a giveaway. Each draw after the first is for unclaimed prizes. */
export const MAX_CLAIM_ROUNDS = 5

const MINUTE_MS = 60_000
const moment = z.iso.datetime()

/** The rounds of a giveaway with a claim time: the people who were drawn, and those who claimed. */
export const claimShape = z.object({
  /** The number of minutes that winners had to claim their prizes. */
  minutes: z.int().min(1),
  rounds: z.array(
    z.object({
      drawnAt: moment,
      until: moment,
      named: z.array(printableId),
      /** The claims, each with the id of the press, which shows the time of the press. */
      claimed: z.array(z.object({ member: printableId, press: z.string().regex(/^\d{1,20}$/), at: moment })),
    }),
  ),
  /** The time when every prize had been claimed or had gone back; null while people can still claim. */
  settledAt: moment.nullable(),
  /** Whether the bot was winding down, so that unclaimed prizes went back although others were next in the order. */
  cutShort: z.literal(true).optional(),
})

export type ClaimProof = z.infer<typeof claimShape>
type Round = ClaimProof['rounds'][number]

/**
 * Checks a draw's rounds by following the prizes through them. The order determines who is next, and the number of
 * unclaimed prizes determines how many people are next. `line` contains all members in that order; `winners` is the
 * number of prizes. Returns the faults as sentences.
 */
export function faultsOfClaims(claim: ClaimProof, line: readonly string[], winners: number): string[] {
  const faults: string[] = []
  const { rounds, settledAt } = claim
  if (rounds.length > MAX_CLAIM_ROUNDS) faults.push(`there are ${rounds.length} rounds, more than ${MAX_CLAIM_ROUNDS}`)
  let [place, open] = [0, winners]
  for (const [nth, round] of rounds.entries()) {
    const named = line.slice(place, place + open)
    if (round.named.join() !== named.join()) {
      const said = round.named.join(', ') || 'nobody'
      faults.push(`round ${nth + 1} must name ${named.join(', ') || 'nobody'}, but the proof says ${said}`)
    }
    faults.push(...faultsOfRound(round, rounds[nth - 1], claim.minutes, nth + 1))
    // Prizes beyond the end of the order go back, and are not drawn again.
    open = round.named.length - round.claimed.length
    place += round.named.length
  }
  const last = rounds.at(-1)
  if (last === undefined) return line.length > 0 ? [...faults, 'nobody was drawn'] : faults
  if (settledAt === null) return faults
  if (open > 0 && Date.parse(settledAt) < Date.parse(last.until))
    faults.push('prizes were returned before the time to claim them was over')
  const mayEnd = open === 0 || rounds.length >= MAX_CLAIM_ROUNDS || place >= line.length || claim.cutShort === true
  if (!mayEnd) faults.push('prizes were returned although others were in line')
  return faults
}

function faultsOfRound(
  { drawnAt, until, named, claimed }: Round,
  before: Round | undefined,
  minutes: number,
  nth: number,
): string[] {
  const faults: string[] = []
  const untilMs = Date.parse(until)
  if (untilMs - Date.parse(drawnAt) < minutes * MINUTE_MS)
    faults.push(`the people of round ${nth} had less than ${minutes} minutes to claim`)
  if (before !== undefined && Date.parse(drawnAt) < Date.parse(before.until))
    faults.push(`round ${nth} was drawn before the claim time of the previous round was over`)
  if (new Set(claimed.map(({ member }) => member)).size < claimed.length)
    faults.push(`somebody claimed twice in round ${nth}`)
  for (const { member, press, at } of claimed) {
    if (!named.includes(member)) faults.push(`${member} claimed in round ${nth} without being drawn`)
    if (Math.max(Date.parse(at), timeOfSnowflake(press) ?? 0) >= untilMs)
      faults.push(`${member} claimed after the claim time of round ${nth}`)
  }
  return faults
}
