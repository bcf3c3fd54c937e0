import type { BookWatch } from './book-watch.ts'
import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Links } from './links.ts'
import type { Moment, Span } from './moments.ts'

/** A drop as its owner requested it and was shown it. */
export interface OpenedDrop {
  readonly id: string
  readonly owner: string
  readonly minutes: number
  /** The role that people need to take a share; undefined if there is none. */
  readonly role: string | undefined
  /** The least age, in days, of accounts that may take a share; undefined if there is none. */
  readonly accountDays: number | undefined
  /** The answer to the drop's puzzle. */
  readonly answer: string | undefined
  readonly span: Span
}

/** Somebody's press of a drop's button. */
export interface Press {
  readonly drop: string
  readonly member: string
  readonly roles: readonly string[]
  /** Whether the account is younger than any required age. */
  readonly young: boolean
  readonly answer: string | undefined
  readonly at: Moment
}

interface Closed {
  readonly id: string
  readonly claimed: bigint
  readonly shares: bigint
  readonly draw: bigint
}

const MINUTE_MS = 60_000

/** Judges who may take a drop's share, and when. */
export class Drops {
  readonly #faults: Faults
  readonly #clocks: Clocks
  readonly #opened = new Map<string, OpenedDrop>()
  readonly #presses: Press[] = []
  readonly #refused = new Set<Press>()
  /** Drops that somebody may have closed before their time. */
  readonly #ending = new Set<string>()
  /** Drops that a moderator asked to close, and whether they certainly did. */
  readonly #cancelled = new Map<string, boolean>()
  readonly #closed = new Map<string, { readonly row: Closed; readonly at: Moment }>()

  readonly #links: Links
  /** The members who certainly have a share or a chance, by drop and wallet. */
  readonly #wallets = new Map<string, string>()

  constructor(faults: Faults, clocks: Clocks, links: Links) {
    this.#faults = faults
    this.#clocks = clocks
    this.#links = links
  }

  opened(drop: OpenedDrop): void {
    this.#opened.set(drop.id, drop)
    const closed = this.#closed.get(drop.id)
    if (closed !== undefined) this.#judgeEnd(closed.row, closed.at)
  }

  /** Notes a press that has no answer yet. */
  presses(press: Press): void {
    this.#presses.push(press)
  }

  /** Notes that the press gained nothing. */
  refused(press: Press): void {
    this.#refused.add(press)
  }

  /**
   * Returns when a member may have got their share: with this press, or with an earlier one that was never answered.
   */
  sharedIn({ drop, member }: Press, { to, again }: Span): Span {
    const own = this.#presses.filter((each) => each.drop === drop && each.member === member && !this.#refused.has(each))
    const [first, ...others] = own.sort((one, other) => one.at.order - other.at.order)
    if (first === undefined) throw new Error(`nobody pressed the drop ${drop} for ${member}`)
    return { from: first.at, to, again: again || others.length > 0 }
  }

  /** Notes that somebody has a share or is in the draw, by this press or an earlier one. */
  told({ drop: id, member }: Press, at: Moment): void {
    const drop = this.#opened.get(id)
    if (drop === undefined) return
    const { owner, role, accountDays, answer } = drop
    const about = () => `${member} has a share or a chance of the drop ${id}`
    this.#faults.expect(member !== owner, () => `${about()}, which is their own`)
    const own = this.#presses.filter((press) => press.drop === id && press.member === member)
    const right = own.some(
      (press) =>
        (role === undefined || press.roles.includes(role)) &&
        (accountDays === undefined || !press.young) &&
        (answer === undefined || press.answer === answer),
    )
    this.#faults.expect(right, () => `${about()}, without its role, its age or the answer to its puzzle`)
    this.#judgeLate(drop, own, at)
    this.#judgeWallet(id, member, own)
  }

  /**
   * Checks that one wallet has one share, however many members it had. The bot's clock orders the links of members who
   * had several wallets, so such members are left out.
   */
  #judgeWallet(id: string, member: string, own: readonly Press[]): void {
    const first = own.reduce((earliest, press) => (press.at.order < earliest.at.order ? press : earliest))
    const wallet = this.#links.onlyWallet(member, first.at)
    if (wallet === undefined) return
    const other = this.#wallets.get(`${id} ${wallet}`) ?? member
    this.#wallets.set(`${id} ${wallet}`, other)
    this.#faults.expect(
      other === member,
      () => `${member} and ${other}, who have the same wallet, both have a share or a chance of the drop ${id}`,
    )
  }

  /** Checks that a first press after the end gains nothing. */
  #judgeLate({ id, span, minutes }: OpenedDrop, own: readonly Press[], to: Moment): void {
    const endsAt = this.#clocks.latest(span) + minutes * MINUTE_MS
    const lateMs = Math.min(...own.map(({ at }) => this.#clocks.earliest({ from: at, to }))) - endsAt
    this.#faults.expect(lateMs < 0, () => `the drop ${id} gave something to somebody who pressed ${lateMs} ms too late`)
  }

  /** Notes that a drop's owner or a moderator is about to close it. */
  mayEnd(id: string, member: string): void {
    this.#ending.add(id)
    if (member !== this.#opened.get(id)?.owner && !this.#cancelled.has(id)) this.#cancelled.set(id, false)
  }

  /** Notes who closed the drop, as somebody was shown. */
  endedBy(id: string, member: string | undefined): void {
    if (this.#cancelled.has(id) && member !== undefined && member !== this.#opened.get(id)?.owner)
      this.#cancelled.set(id, true)
  }

  /**
   * Returns which entrants may win: none if a moderator certainly closed the drop, and either all or none if a
   * moderator asked to close it.
   */
  mayDraw(id: string): 'all' | 'none' | 'either' {
    const cancelled = this.#cancelled.get(id)
    if (cancelled === undefined) return 'all'
    return cancelled ? 'none' : 'either'
  }

  /** Checks drops that were closed since the last time. */
  look(botBook: BookWatch, now: Moment): void {
    const rows = botBook.rows<Closed>(`SELECT "id", "claimed", "shares", "draw" FROM "Drop" WHERE "state" = 'closed'`)
    if (rows.length === this.#closed.size) return
    for (const row of rows) {
      if (this.#closed.has(row.id)) continue
      this.#closed.set(row.id, { row, at: now })
      this.#judgeEnd(row, now)
    }
  }

  /**
   * Checks that a drop did not end early by the bot's own clock, whether right or wrong. A drop with nothing left ends
   * immediately.
   */
  #judgeEnd({ id, claimed, shares, draw }: Closed, to: Moment): void {
    const drop = this.#opened.get(id)
    const isEmpty = draw === 0n && claimed === shares
    if (drop === undefined || isEmpty || this.#ending.has(id)) return
    const { span, minutes } = drop
    const openMs = this.#clocks.latest({ from: span.from, to }) - this.#clocks.earliest(span)
    this.#faults.expect(
      openMs >= minutes * MINUTE_MS,
      () => `the drop ${id} was closed after ${openMs} ms, and was to be open for ${minutes} minutes`,
    )
  }
}
