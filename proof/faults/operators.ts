import type { Tipping } from '../../src/tipping/tipping.ts'
import { fund, linkSomewhere, members } from '../people/chapters/chapter.ts'
import { tip } from '../people/tips.ts'
import type { Complaint } from '../world/watchful-log.ts'
import { Bug } from '../world/world.ts'
import type { Fault, Strike } from './fault.ts'
import { administrationOf } from './keys.ts'
import { forgetfulProvider, saysForgotten } from './provider.ts'

const SAT = 1_000n
/**
 * The orders of a booking, in turn. The first operator is impatient and repeats the order before anybody else has heard
 * of it, which must not count.
 */
const WORDS = [
  { operator: 'operator-1', again: false },
  { operator: 'operator-1', again: true },
  { operator: 'operator-2', again: false },
]
/** The time within which an audit accepts an unexplained difference, which it must find twice, five minutes apart. */
const UNTIL_SEEN_MS = 10 * 60_000
const MAX_LOOKS = 18

type Booking = Parameters<Tipping['administration']['book']>[0]

/**
 * Whether a complaint tells operators about other operators' bookings, or about a wallet that holds more than the books
 * say.
 */
export const saysBooked = ({ alert }: Complaint) => ['booking-proposed', 'booking-done', 'cover'].includes(alert ?? '')

/**
 * An operator pays sats into the bot's wallet, and two operators book them, sometimes only after an audit has noticed.
 */
export const topUps: Fault = {
  name: 'top-ups that are booked',
  async strike(strike) {
    const { chance, stage, later, happened } = strike
    const sats = chance.between(1, 5_000)
    await payIn(strike, sats)
    if (chance.happens(0.5)) await stage.pause(20 * 60_000)
    const book = async () => {
      if (await bookTopUp(strike, BigInt(sats) * SAT)) happened()
    }
    // The surplus is gone once an audit has put it into suspense, and is then taken from there.
    later(0, book)
    later(Number.POSITIVE_INFINITY, () => explain(strike, undefined))
  },
  excuses: { bot: saysBooked },
}

/** Unexplained sats arrive in the bot's wallet. Finally, operators give them to the right member. */
export const surpluses: Fault = {
  name: 'surpluses that operators give to a member',
  async strike(strike) {
    const { chance, later, happened } = strike
    const sats = chance.between(1, 2_000)
    await payIn(strike, sats)
    happened()
    later(Number.POSITIVE_INFINITY, () => explain(strike, `member-${chance.between(0, 9)}`))
  },
  excuses: { bot: saysBooked },
}

/** Operators decide an unknown payment wrongly, and correct it later. */
export const correctedDecisions: Fault = {
  name: 'decisions that are corrected',
  async strike(strike) {
    const { world, chance, stage, happened } = strike
    world.operators.mistakes += chance.between(1, 3)
    world.operators.mistaken = happened
    // A payout arrives, its answer is lost, and the provider forgets its key: only operators can tell how it ended.
    const [from = '', to = ''] = members(stage, 2)
    if ((await fund(stage, from, 300)) && (await linkSomewhere(stage, to)) !== undefined) {
      world.provider.loseAnswers(1)
      await tip(stage, from, { typed: String(chance.between(20, 200)), split: false, to: [to] })
    }
    await forgetfulProvider.strike({ ...strike, happened: () => {} })
  },
  excuses: { bot: saysForgotten },
}

/** Pays sats from the service's node into the bot's wallet, for an operator. */
async function payIn({ world, chance }: Strike, sats: number): Promise<void> {
  const amount = BigInt(sats) * SAT
  const administration = await administrationOf(world, chance)
  world.judge.unexplained += amount
  world.funded.all += amount
  try {
    await administration.fundProject(world.projects.bot.id, amount as Parameters<typeof administration.fundProject>[1])
  } finally {
    await administration.close()
  }
  world.trace.note(`an operator pays ${sats} into the bot's wallet`)
}

/**
 * Lets two operators book the sats. Resolves to whether they are booked; sats that the wallet does not show are
 * refused.
 */
async function bookIfPossible(
  { stage, world }: Strike,
  booking: Omit<Booking, 'operator' | 'reason'>,
): Promise<boolean> {
  // Operators are alerted to each booking, so they learn of it even if the second operator's answer was lost.
  const done = () => world.botBook.rows(`SELECT "id" FROM "Booking" WHERE "state" = 'done'`).length
  const before = done()
  for (const { operator, again } of WORDS) {
    const command = { ...booking, operator, reason: 'as the statement of the wallet says' }
    const asked = `${booking.amount} (${booking.what}${booking.member === undefined ? '' : ` for ${booking.member}`})`
    const heard = world.judge.secondWords.says(`the booking of ${asked}`, operator)
    const book = (tipping: Tipping) => tipping.administration.book(command)
    const ending = await stage.insist(`${operator} books ${asked}`, book, 'once')
    if ('done' in ending && ending.done.state === 'done') {
      heard()
      return true
    }
    // The answer was lost, and the repeated order is refused or is a new proposal.
    if (ending.span.again && done() > before) return true
    // The result is a proposal, or one of this operator's own that still waits for another.
    if ('done' in ending || again || ending.refused.code === 'booking-needs-another') continue
    return false
  }
  return false
}

/** Lets two operators book the sats as a top-up. Resolves to whether the sats are booked for the operator. */
async function bookTopUp(strike: Strike, amount: bigint): Promise<boolean> {
  const { judge } = strike.world
  if (!(await bookIfPossible(strike, { what: 'top-up', amount: inSats(amount) }))) return false
  judge.unexplained -= amount
  judge.booked += amount
  return true
}

/**
 * After the calm, waits until an audit has put unexplained sats into suspense, and lets operators book them. Sums that
 * open requests may still explain never get into suspense, and are booked as a top-up.
 */
export async function explain(strike: Strike, member: string | undefined): Promise<void> {
  const { world, stage } = strike
  for (let looks = 0; world.judge.unexplained > 0n && looks < MAX_LOOKS; looks += 1) {
    const amount = world.botBook.balance('suspense', 'suspense')
    if (amount > 0n && (await bookIfPossible(strike, { what: 'suspense', amount: inSats(amount), member }))) {
      world.judge.unexplained -= amount
      if (member !== undefined) world.model.give(member, amount)
      else world.judge.booked += amount
    }
    await stage.pause(UNTIL_SEEN_MS)
  }
  const left = world.judge.unexplained
  if (left > 0n) {
    // A provider with an unconfirmed clock keeps codes longer than they are valid.
    await world.service.confirmClock()
    await stage.pause(UNTIL_SEEN_MS)
  }
  if (left > 0n && !(await bookTopUp(strike, left)))
    throw new Bug(`${left} msats that an operator has paid in cannot be booked`)
}

/**
 * Returns an amount in sats, with four decimals if it is not whole: `325.220` could mean thousands, and would be
 * refused.
 */
function inSats(amount: bigint): string {
  return amount % SAT === 0n ? String(amount / SAT) : `${amount / SAT}.${String(amount % SAT).padStart(3, '0')}0`
}
