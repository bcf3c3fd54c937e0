import { LedgerUnavailable } from '../../src/ledger/ledger.ts'
import { pause } from '../../src/lib/clock.ts'
import type { GuardedFetch } from '../../src/lib/http/guarded-fetch.ts'
import type { Msats } from '../../src/lib/money/amount.ts'
import { createPaymentsClient, type PaymentsClient } from '../../src/payments-api/payments-api.ts'
import { type Origin, type Tipping, TippingRefusal } from '../../src/tipping/tipping.ts'
import type { Credit } from '../judge/holdings.ts'
import type { Moment, Span } from '../judge/moments.ts'
import type { CodeToScan } from '../judge/outgoing.ts'
import type { Chance } from '../world/chance.ts'
import { Died, Life } from '../world/crashing-database.ts'
import { isDatabaseAway } from '../world/database-away.ts'
import { simulatedDispatcher, simulatedFetch } from '../world/simulated-http.ts'
import { Bug, SERVICE_URL, type SimWorld } from '../world/world.ts'

/** The outcome of a person's request, which was carried out, or refused with an explanation. */
export type Ending<T> = ({ readonly done: T } | { readonly refused: TippingRefusal }) & { readonly span: Span }

/**
 * One kind of people and what they do, in one file for each noun. `weight` is the frequency of their actions relative
 * to the others'.
 */
export interface Actor {
  readonly name: string
  readonly weight: number
  readonly act: (stage: Stage) => Promise<void>
}

const LONG_AGO = new Date(Date.UTC(2020, 0, 1))

/** What actors work with: the world, their source of chance, and the things that other actors have left. */
export class Stage {
  readonly world: SimWorld
  readonly chance: Chance
  /** Codes that anybody can pay, and what must follow a payment. */
  readonly payables: PayableRequest[] = []
  /** Codes of members' Lightning Addresses. */
  readonly addresses: PayableRequest[] = []
  /** Codes that pay the wallets that scan them. */
  readonly claimables: CodeToScan[] = []
  /** Voucher codes that were shown. */
  readonly codes: string[] = []
  /** The stranger's project's charges, by id. */
  readonly charges: string[] = []
  readonly gamertagCharges: string[] = []
  readonly projectCharges: { readonly id: string; readonly amount: Msats }[] = []
  readonly gamertagPayments: string[] = []
  readonly strangersVouchers: string[] = []
  readonly vouchers: { readonly id: string; readonly member: string }[] = []
  readonly giveaways: { readonly id: string; readonly owner: string }[] = []
  /** Requests for gifts, each with the sum of gifts so far, as givers were told. */
  readonly asks: { readonly id: string; readonly owner: string; given: bigint }[] = []
  readonly fundraisers: { readonly id: string; readonly owner: string }[] = []
  readonly drops: { readonly id: string; readonly owner: string; readonly answer: string | undefined }[] = []
  /** Rewards that may wait for a second moderator. */
  readonly rewards: string[] = []
  /** Rewards of a server's wallet that may wait for a second moderator. */
  readonly walletRewards: string[] = []
  /** Drops that a member's own wallet pays. */
  readonly walletDrops: { readonly id: string; readonly owner: string; readonly share: bigint }[] = []
  /** Each recipient's part of a reward with different parts, by reward and recipient. */
  readonly promised = new Map<string, ReadonlyMap<string, bigint>>()
  /** Programs' keys, each with the member who made it. */
  readonly keys: { readonly id: string; readonly owner: string }[] = []
  /** Programs' rewards as requested, each with its key, Idempotency-Key, recipient, and amount in sats. */
  readonly keyRewards: {
    readonly id: string
    readonly key: string
    readonly event: string
    readonly to: string
    readonly sats: number
  }[] = []
  /** The judge's numbers of the programs that may continue to read events. */
  readonly readers: number[] = []
  readonly schedules: { readonly id: string; readonly owner: string }[] = []
  /** The schedules' posts that somebody has seen so far, and the moment of the last look at them. */
  readonly posted: { readonly seen: Set<string>; at: Moment | undefined } = { seen: new Set(), at: undefined }
  /** Rules that moderators have made. */
  readonly rules: string[] = []
  /** The bot's invoices, which members can pay. */
  readonly invoices: { readonly id: string; readonly amount: string; readonly payable: PayableRequest }[] = []
  /** The stranger's client of the service, and the stranger's access to LNURL services. */
  readonly client: PaymentsClient
  readonly fetch: GuardedFetch
  #count = 0

  constructor(world: SimWorld) {
    this.world = world
    this.chance = world.chance.child('people')
    const road = { network: world.network, life: new Life(() => undefined), server: world.internet }
    this.fetch = simulatedFetch(road)
    this.client = createPaymentsClient({
      baseUrl: SERVICE_URL,
      apiKey: world.projects.stranger.apiKey,
      clock: world.timeline,
      replaysKeys: () => true,
      dispatcher: simulatedDispatcher(road),
    })
  }

  /** Returns a number that is returned only once. */
  count(): number {
    this.#count += 1
    return this.#count
  }

  /** Returns somebody who may or may not have used the bot. */
  member(): string {
    return this.chance.happens(0.9) ? `member-${this.chance.between(0, 9)}` : `guest-${this.chance.between(0, 200)}`
  }

  /** Returns somebody whose Discord account is as old as this world. */
  youngMember(): string {
    const member = `young-${this.chance.between(0, 3)}`
    this.world.judge.limits.young.add(member)
    return member
  }

  /** Returns when a member's Discord account was made, as Discord reports it with a command. */
  accountSince(member: string): Date {
    const { timeline, judge } = this.world
    return judge.limits.young.has(member) ? new Date(timeline.now() - timeline.monotonic()) : LONG_AGO
  }

  /** Returns an amount as somebody types it: mostly small, and now and then `all` or `half`. */
  amount(): string {
    if (this.chance.happens(0.08)) return this.chance.one(['all', 'half'])
    const sats = this.chance.between(1, this.chance.one([50, 500, 5_000]))
    const way = this.chance.weighted({ digits: 80, unit: 8, comma: 6, thousands: 6 })
    if (way === 'unit') return `${sats} sats`
    if (way === 'comma') return new Intl.NumberFormat('en').format(sats)
    return way === 'thousands' && sats >= 1_000 ? `${(sats / 1_000).toFixed(1)}k` : String(sats)
  }

  origin(): Origin {
    const interaction = `interaction-${this.count()}`
    return { interaction, guild: 'guild', channel: 'channel', reply: 'reply', locale: 'en' }
  }

  pause(mostMs: number): Promise<void> {
    return pause(this.world.timeline, this.chance.between(0, mostMs))
  }

  note(text: string): void {
    this.world.trace.note(text)
  }

  /**
   * Repeats a command to the bot until its end is known. A person who gets no answer because the bot has died repeats
   * the command; now and then it is delivered twice simultaneously. Throws Bug for anything that is neither an answer
   * nor a refusal.
   */
  async insist<T extends { readonly id?: string }>(
    what: string,
    command: (tipping: Tipping) => Promise<T>,
    deliveries: 'once' | 'perhaps twice' = 'perhaps twice',
  ): Promise<Ending<T>> {
    const { bot, judge } = this.world
    const from = judge.now()
    for (let again = false; ; again = true) {
      const heard = [await bot.anyUp()]
      try {
        // Each delivery may reach another bot.
        if (deliveries !== 'once' && this.chance.happens(0.05)) heard.push(await bot.anyUp())
        const lives = heard.map(({ process }) => process.life.death)
        const given = heard.map(({ tipping }) => command(tipping))
        const done = one(what, await Promise.race([Promise.allSettled(given), ...lives]))
        this.note(`${what}: done ${done.id ?? ''}`)
        return { done, span: { from, to: judge.now(), again } }
      } catch (error) {
        const stops = heard.some(({ process }) => process.stopping) && error instanceof LedgerUnavailable
        if (error instanceof Died || stops || isDatabaseAway(error, this.world.faults)) {
          await this.pause(20_000)
          continue
        }
        if (!(error instanceof TippingRefusal))
          throw error instanceof Bug ? error : new Bug(`${what} threw`, { cause: error })
        this.note(`${what}: refused ${error.code}`)
        return { refused: error, span: { from, to: judge.now(), again } }
      }
    }
  }
}

/**
 * Returns the outcome of a command that may have been delivered twice: it must have been carried out once, or refused
 * each time.
 */
function one<T extends { readonly id?: string }>(what: string, outcomes: readonly PromiseSettledResult<T>[]): T {
  const errors: unknown[] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  const [done, again] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const bug = errors.find((error) => !(error instanceof TippingRefusal))
  if (bug !== undefined || done === undefined) throw bug ?? errors[0]
  if (again !== undefined && again.id !== done.id) throw new Bug(`${what}: done twice, as ${done.id} and ${again.id}`)
  return done
}

/** Something that can be paid from outside, and what must follow the payment. */
export interface PayableRequest {
  readonly code: string
  /** The amount in msats; undefined if the payer chooses. */
  readonly amount: bigint | undefined
  readonly credit: Credit
  /** Whether the bot counts payments of exactly this amount; operators book any excess that a wallet pays. */
  readonly counted?: boolean
}
