import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Links } from './links.ts'
import type { Moment, Span } from './moments.ts'

/** The limits that a server's moderators chose, in msats; undefined if there is none. */
export interface ServerLimits {
  readonly smallestTip: bigint | undefined
  readonly largestTip: bigint | undefined
  readonly perDay: bigint | undefined
  /** The daily limit for a member whose Discord account is new. */
  readonly newAccountPerDay: bigint | undefined
  /** The pause between two gifts of one member. */
  readonly coolDownSeconds: number | undefined
  /** The amount above which a reward waits for a second moderator. */
  readonly approvalAbove: bigint | undefined
}

/** A reward as its moderator was shown it. */
export interface AskedReward {
  readonly id: string
  readonly recipient: string
  /** The amount in msats. */
  readonly amount: bigint
  readonly state: string
}

interface PaidAtOnce {
  readonly id: string
  readonly people: { readonly moderator: string; readonly recipient: string }
  /** The amount in msats. */
  readonly amount: bigint
  readonly span: Span
}

interface Giver {
  readonly member: string
  /** The wallets that the giver certainly had when the gift was requested. */
  readonly wallets: ReadonlySet<string>
}

interface Choice<Value> {
  readonly value: Value
  readonly span: Span
}

/**
 * Choices, of which the last one before a span counts if it is certain: no other choice overlaps with it or with the
 * span.
 */
class Chosen<Value> {
  readonly #words: Choice<Value>[] = []

  said(value: Value, span: Span): void {
    this.#words.push({ value, span })
  }

  /** Returns the certain choice during a span, and since when it holds; undefined if none is certain. */
  during({ from, to }: Span, open: readonly Moment[]): { readonly value: Value; readonly since: Moment } | undefined {
    if (open.some(({ order }) => order < to.order)) return undefined
    const before = this.#words.filter(({ span }) => span.to.order < from.order)
    if (this.#words.some(({ span }) => span.to.order >= from.order && span.from.order <= to.order)) return undefined
    const last = before.reduce<Choice<Value> | undefined>(
      (latest, word) => (latest === undefined || word.span.to.order > latest.span.to.order ? word : latest),
      undefined,
    )
    // Nobody knows which of two simultaneous choices holds.
    const certain =
      last !== undefined && before.every((word) => word === last || word.span.to.order < last.span.from.order)
    return certain ? { value: last.value, since: last.span.to } : undefined
  }
}

const DAY_MS = 24 * 3_600_000

/** Moderators' and budgets' limits on people's gifts, as far as the choices of the time are certain. */
export class Limits {
  /** Members whose Discord accounts are younger than any age that a server requires. */
  readonly young = new Set<string>()
  readonly #faults: Faults
  readonly #server = new Chosen<ServerLimits>()
  readonly #budget = new Chosen<bigint | undefined>()
  /** The choices under way. */
  readonly #open: Moment[] = []
  /** Gifts that count towards the limit, by the days of the bot's clock. */
  readonly #given: { readonly giver: Giver; readonly day: number; readonly total: bigint }[] = []
  readonly #rewards: { readonly key: string; readonly amount: bigint; readonly at: Moment; readonly id: string }[] = []
  /** Rewards that were paid without a second moderator. */
  readonly #paidAtOnce: PaidAtOnce[] = []
  readonly #denied = new Set<string>()
  /** People who must not approve a waiting reward: its author and its recipient. */
  readonly #partial = new Map<string, readonly string[]>()
  readonly #clock: Clocks
  /** The gifts after which a server's pause is counted. */
  readonly #gifts: { readonly giver: Giver; readonly span: Span }[] = []
  readonly #links: Links

  constructor(faults: Faults, clock: Clocks, links: Links) {
    this.#faults = faults
    this.#clock = clock
    this.#links = links
  }

  /** Notes that somebody changes the limits. Call the returned function with the answer. */
  chooses(from: Moment): (chosen: ServerLimits | undefined, span: Span) => void {
    this.#open.push(from)
    return (chosen, span) => {
      this.#open.splice(this.#open.indexOf(from), 1)
      if (chosen !== undefined) this.#server.said(chosen, span)
    }
  }

  setsBudget(from: Moment): (amount: bigint | undefined, span: Span) => void {
    this.#open.push(from)
    return (amount, span) => {
      this.#open.splice(this.#open.indexOf(from), 1)
      this.#budget.said(amount, span)
    }
  }

  /** Checks a gift that is shown as given. Every recipient of a tip gets `each`. */
  gave(what: string, member: string, total: bigint, span: Span, each?: bigint): void {
    const giver = { member, wallets: this.#links.everHad(member, span.from) }
    const known = this.#server.during(span, this.#open)
    if (known === undefined) return
    const { smallestTip, largestTip, perDay: forAll, newAccountPerDay, coolDownSeconds } = known.value
    const perDay = lower(forAll, this.young.has(member) ? newAccountPerDay : undefined)
    if (coolDownSeconds !== undefined) this.#coolDown(what, giver, span, coolDownSeconds, known.since)
    if (each !== undefined) {
      this.#faults.expect(
        smallestTip === undefined || each >= smallestTip,
        () => `${what}: ${each} msats each, the least is ${smallestTip}`,
      )
      this.#faults.expect(
        largestTip === undefined || each <= largestTip,
        () => `${what}: ${each} msats each, the most is ${largestTip}`,
      )
    }
    const [day, then] = [dayOf(span.from), dayOf(span.to)]
    if (perDay === undefined || day !== then) return
    this.#given.push({ giver, day, total })
    for (const whose of purses(giver)) {
      const used = this.#given
        .filter((gift) => gift.day === day && purses(gift.giver).includes(whose))
        .reduce((sum, gift) => sum + gift.total, 0n)
      this.#faults.expect(
        used <= perDay,
        () => `${what} by ${member}: ${whose} has given ${used} msats in a day, the most is ${perDay}`,
      )
    }
  }

  /** Checks that the request of one gift and the answer to the next are at least the pause apart. */
  #coolDown(what: string, giver: Giver, span: Span, seconds: number, since: Moment): void {
    const own = purses(giver)
    const gifts = this.#gifts.filter((gift) => purses(gift.giver).some((whose) => own.includes(whose)))
    this.#gifts.push({ giver, span })
    const hasty = gifts.find(({ span: gift }) => {
      const [from, to] = [gift, span].toSorted((one, other) => one.from.order - other.from.order) as [Span, Span]
      const apartMs = Math.max(gift.to.ms, span.to.ms) - from.from.ms
      const alone = this.#clock.isSteady(from.from, gift.to.order > to.to.order ? gift.to : to.to)
      return gift.from.order > since.order && alone && apartMs < seconds * 1_000
    })
    this.#faults.expect(
      hasty === undefined,
      () =>
        `${what}: ${giver.member} gave, or somebody with the same wallet, within the ${seconds} s that their server wants after ${hasty?.giver.member} gave`,
    )
  }

  /** Checks a reward that is shown as given or requested, by a moderator who has the role with the budget. */
  rewarded({ id, recipient, amount, state }: AskedReward, moderator: string, span: Span): void {
    if (state === 'asked') this.#partial.set(id, [moderator, recipient])
    else this.#isSmall({ id, amount, people: { moderator, recipient }, span })
    const key = `${moderator} ${dayOf(span.from)}`
    if (dayOf(span.from) !== dayOf(span.to)) return
    this.#rewards.push({ key, amount, at: span.from, id })
    const budget = this.#budget.during(span, this.#open)
    if (budget === undefined) return
    const { value: most, since } = budget
    const used = this.#rewards
      .filter((reward) => reward.key === key && reward.at.order > since.order && !this.#denied.has(reward.id))
      .reduce((sum, reward) => sum + reward.amount, 0n)
    this.#faults.expect(
      most !== undefined && used <= most,
      () => `${moderator} has given ${used} msats in rewards, the budget is ${most ?? 'none'}`,
    )
  }

  /**
   * Checks that an immediate reward stays within the limit, together with the last day's rewards by the same giver and
   * to the same recipient.
   */
  #isSmall(reward: PaidAtOnce): void {
    const { id, people, span } = reward
    const approvalAbove = this.#server.during(span, this.#open)?.value.approvalAbove
    const lately = this.#paidAtOnce.filter(
      ({ span: { from, to } }) =>
        to.order < span.from.order && this.#clock.isSteady(from, span.to) && span.to.ms - from.ms < DAY_MS,
    )
    this.#paidAtOnce.push(reward)
    if (approvalAbove === undefined) return
    for (const who of ['moderator', 'recipient'] as const) {
      const sum = lately
        .filter((other) => other.people[who] === people[who])
        .reduce((all, { amount }) => all + amount, reward.amount)
      this.#faults.expect(
        sum <= approvalAbove,
        () =>
          `the reward ${id} was paid at once, and makes ${sum} msats of the ${who} ${people[who]} in a day: more than ${approvalAbove} takes an approval`,
      )
    }
  }

  /** Notes that a member was told that their approval paid the reward. */
  approved(id: string, member: string): void {
    this.#faults.expect(
      !this.#partial.get(id)?.includes(member),
      () => `the reward ${id} was approved by ${member}, who asked for it or gets it`,
    )
  }

  /** Notes that somebody may have denied the reward, which returns its sum to the budget. */
  mayBeDenied(id: string): void {
    this.#denied.add(id)
  }
}

/** Returns the lower of two limits, if there are any. */
function lower(one: bigint | undefined, other: bigint | undefined): bigint | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one
}

/** Returns the allowances that a gift uses: the giver's own, and those of all wallets that they ever had. */
function purses({ member, wallets }: Giver): string[] {
  return [member, ...[...wallets].map((user) => `the wallet of ${user}`)]
}

function dayOf({ wall }: Moment): number {
  return Math.floor(wall / DAY_MS)
}
