import { Addresses } from './addresses.ts'
import { Balances } from './balances.ts'
import { Beacons } from './beacons.ts'
import type { BookWatch } from './book-watch.ts'
import { Clocks } from './clocks.ts'
import { Drops } from './drops.ts'
import { Faults } from './faults.ts'
import { Fundraisers } from './fundraisers.ts'
import { Giveaways } from './giveaways.ts'
import { Keepers } from './keepers.ts'
import { Limits } from './limits.ts'
import { Links } from './links.ts'
import type { Moment, Span } from './moments.ts'
import { Names } from './names.ts'
import { Neighbours } from './neighbours.ts'
import { NodeComparisons } from './node-comparisons.ts'
import { OfferInvoices } from './offer-invoices.ts'
import type { DecidedPayout } from './onward.ts'
import { Outgoing } from './outgoing.ts'
import { OwnWallets } from './own-wallets.ts'
import { Pauses } from './pauses.ts'
import { Prices } from './prices.ts'
import { Privacy } from './privacy.ts'
import { Programs } from './programs.ts'
import { ALL, CONFIRM_ABOVE, typedMsats } from './promises.ts'
import { Rules } from './rules.ts'
import { Schedules } from './schedules.ts'
import { SecondWords } from './second-words.ts'
import { ServerWallets } from './server-wallets.ts'
import { Unclaimed } from './unclaimed.ts'
import { Verifications } from './verifications.ts'
import { Wire } from './wire.ts'
import { type HandedOut, Withdrawals } from './withdrawals.ts'
import { Zaps } from './zaps.ts'

/** The judge's source of time. */
export interface JudgesClock {
  /** Returns how often everything has come to rest. */
  rests(): number
  /** Returns the world's true time. */
  ms(): number
  /** Returns the time of the bot's own clock. */
  wall(): number
  /** Returns the time of the provider's clock. */
  provider(): number
}

/**
 * Judges the product by what people typed and were shown, by the network's traffic, and by the Lightning network's own
 * records. It imports nothing of the product; actors and the network report to it.
 */
export class Judge {
  readonly faults = new Faults()
  readonly botClock = new Clocks()
  readonly providerClock = new Clocks()
  readonly addresses = new Addresses(this.faults)
  readonly balances = new Balances(this.faults)
  readonly beacons = new Beacons(Date.UTC(2029, 11, 1))
  readonly links = new Links()
  /** The external Lightning Addresses to which members have their tips forwarded. */
  readonly forwards = new Links()
  readonly keepers = new Keepers()
  readonly drops = new Drops(this.faults, this.botClock, this.links)
  readonly fundraisers = new Fundraisers(this.faults)
  readonly giveaways = new Giveaways(this.faults, this.botClock)
  readonly limits = new Limits(this.faults, this.botClock, this.links)
  readonly names = new Names()
  readonly neighbours = new Neighbours(this.faults)
  readonly nodeComparisons = new NodeComparisons(this.faults)
  readonly offers = new OfferInvoices()
  readonly ownWallets = new OwnWallets(this.faults)
  readonly serverWallets = new ServerWallets(this.faults)
  readonly outgoing = new Outgoing(this.faults, this.offers)
  readonly pauses = new Pauses()
  readonly prices = new Prices(this.faults, this.botClock)
  readonly privacy = new Privacy(this.faults, this.links, this.forwards)
  readonly programs = new Programs(this.faults)
  readonly rules = new Rules(this.faults)
  readonly schedules = new Schedules(this.faults)
  readonly secondWords = new SecondWords(this.faults)
  readonly wire = new Wire(this.faults, this.pauses)
  readonly withdrawals = new Withdrawals(this.faults, this.keepers, this.forwards, this.botClock)
  /** The value of each shown code, as its maker requested it. */
  readonly codes = new Map<string, bigint>()
  /** The invoices that external addresses handed out. */
  readonly handedOut = new Map<string, HandedOut>()
  /** The service's invoices that somebody was shown as paid from a balance there. */
  readonly paidInside = new Set<string>()
  /** The sats that each member has chosen for a reaction, at any time. */
  readonly reactionTips = new Map<string, readonly number[]>()
  /** The sats that each of the server's emoji gives, at any time. */
  readonly emojiTips = new Map<string, readonly number[]>()
  /** The highest daily limit that each member ever set for tips by the server's emoji, in sats. */
  readonly emojiCeilings = new Map<string, number>()
  readonly unclaimed = new Unclaimed(this.faults, this.botClock)
  readonly verifications = new Verifications(this.faults)
  readonly zaps = new Zaps(this.faults)
  /**
   * The spans in which people were shown each tip, claim, share of a drop and reward, by id: from the request to the
   * answer; undefined if nobody was answered.
   */
  readonly shown = {
    tips: new Map<string, Span | undefined>(),
    claims: new Map<string, Span>(),
    dropClaims: new Map<string, Span>(),
    rewards: new Map<string, Span | undefined>(),
    vouchers: new Set<string>(),
    redemptions: new Set<string>(),
  }
  /** Keys of payments that operators decided were paid, according to the provider's books. */
  readonly decidedPaid = new Set<string>()
  /** Payouts that operators decided had failed, by key. */
  readonly decidedFailed = new Map<string, DecidedPayout>()
  /** Operators' deposits into the bot's wallet that are not booked yet, in msats. */
  unexplained = 0n
  /** The sum that operators booked for the operator, in msats. */
  booked = 0n
  readonly #clock: JudgesClock
  /** The ends of the bot's lives. */
  readonly ends: Moment[] = []
  #order = 0

  constructor(clock: JudgesClock) {
    this.#clock = clock
  }

  now(): Moment {
    this.#order += 1
    const [ms, wall] = [this.#clock.ms(), this.#clock.wall()]
    this.botClock.note(ms, wall)
    this.providerClock.note(ms, this.#clock.provider())
    return { order: this.#order, rest: this.#clock.rests(), ms, wall }
  }

  botEnded(): void {
    this.ends.push(this.now())
  }

  /**
   * Checks a gift that is shown as given. `asked` is whether it was confirmed, as it must be above the limit or if its
   * giver typed `all`. A member who types `half` may receive more at the same moment, half of which then also counts,
   * unless the balance that they `had` all the time is known.
   */
  gave(what: string, typed: string, total: bigint, asked: boolean, had?: bigint): void {
    const takesConfirmation = total > CONFIRM_ABOVE || typed === ALL
    const mayHaveGrown = typedMsats(typed) === undefined && typed !== ALL && had === undefined
    this.faults.expect(
      asked === takesConfirmation || (mayHaveGrown && !asked),
      () =>
        `${what}: ${total} msats of "${typed}" were given ${asked ? 'after' : 'without'} a confirmation; it takes one above ${CONFIRM_ABOVE}, and for ${ALL}`,
    )
  }

  /** Runs the checks that apply now and then while everything comes to its end. */
  whileSettling(botBook: BookWatch, serviceBook: BookWatch): string[] {
    this.neighbours.look(serviceBook, botBook)
    const now = this.now()
    this.drops.look(botBook, now)
    this.withdrawals.look(botBook, now)
    return this.faults.found
  }

  /** Runs the checks that apply after every step. */
  afterStep(botBook: BookWatch, serviceBook: BookWatch): string[] {
    this.neighbours.look(serviceBook, botBook)
    const now = this.now()
    this.unclaimed.look(botBook, now)
    this.drops.look(botBook, now)
    this.withdrawals.look(botBook, now)
    return this.faults.found
  }
}
