import type { BookWatch } from './book-watch.ts'
import type { Clocks } from './clocks.ts'
import type { Faults } from './faults.ts'
import type { Links } from './links.ts'
import type { Moment, Span } from './moments.ts'

/** A drop as its owner asked for it, and was shown it. */
export interface OpenedDrop {
  readonly id: string
  readonly owner: string
  readonly minutes: number
  /** Only for people with this role. */
  readonly role: string | undefined
  /** Only for accounts of at least so many days. */
  readonly accountDays: number | undefined
  /** The answer to its puzzle. */
  readonly answer: string | undefined
  readonly span: Span
}

/** Somebody presses a drop's button. */
export interface Press {
  readonly drop: string
  readonly member: string
  readonly roles: readonly string[]
  /** Their account is younger than any drop asks for that asks for an age. */
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

/** The people who may take a drop's share, and the time that remains. */
export class Drops {
  readonly #faults: Faults
  readonly #clocks: Clocks
  readonly #opened = new Map<string, OpenedDrop>()
  readonly #presses: Press[] = []
  readonly #refused = new Set<Press>()
  /** Drops that somebody may have closed before their time. */
  readonly #ending = new Set<string>()
  /** Drops that a moderator asked to close, and whether it is certain that they did. */
  readonly #cancelled = new Map<string, boolean>()
  readonly #closed = new Map<string, { readonly row: Closed; readonly at: Moment }>()

  readonly #links: Links
  /** Certain owners of a share or a chance with each wallet: by drop and wallet. */
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

  /** Somebody presses; they have no answer yet. */
  presses(press: Press): void {
    this.#presses.push(press)
  }

  /** They are told that it gave them nothing. */
  refused(press: Press): void {
    this.#refused.add(press)
  }

  /** When somebody who has a share may have got it: with this press, or with an earlier one that was never answered. */
  sharedIn({ drop, member }: Press, { to, again }: Span): Span {
    const own = this.#presses.filter((each) => each.drop === drop && each.member === member && !this.#refused.has(each))
    const [first, ...others] = own.sort((one, other) => one.at.order - other.at.order)
    if (first === undefined) throw new Error(`nobody pressed the drop ${drop} for ${member}`)
    return { from: first.at, to, again: again || others.length > 0 }
  }

  /** They are told that they have a share, or are in the draw: by this press or by an earlier one. */
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
   * One wallet has one share, no matter with how many members. Which one counts for somebody who had several is the order
   * of their links by the bot's clock: they are left out.
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

  /** A first press after its end gains nothing. */
  #judgeLate({ id, span, minutes }: OpenedDrop, own: readonly Press[], to: Moment): void {
    const endsAt = this.#clocks.latest(span) + minutes * MINUTE_MS
    const lateMs = Math.min(...own.map(({ at }) => this.#clocks.earliest({ from: at, to }))) - endsAt
    this.#faults.expect(lateMs < 0, () => `the drop ${id} gave something to somebody who pressed ${lateMs} ms too late`)
  }

  /** Its owner or a moderator is about to close it. */
  mayEnd(id: string, member: string): void {
    this.#ending.add(id)
    if (member !== this.#opened.get(id)?.owner && !this.#cancelled.has(id)) this.#cancelled.set(id, false)
  }

  /** Somebody was shown whom it was closed by. */
  endedBy(id: string, member: string | undefined): void {
    if (this.#cancelled.has(id) && member !== undefined && member !== this.#opened.get(id)?.owner)
      this.#cancelled.set(id, true)
  }

  /** The possible winners among those who entered its draw: nobody, if a moderator closed it, who may be in it. */
  mayDraw(id: string): 'all' | 'none' | 'either' {
    const cancelled = this.#cancelled.get(id)
    if (cancelled === undefined) return 'all'
    return cancelled ? 'none' : 'either'
  }

  /** Looks for drops that have been closed since the last time. */
  look(botBook: BookWatch, now: Moment): void {
    const rows = botBook.rows<Closed>(`SELECT "id", "claimed", "shares", "draw" FROM "Drop" WHERE "state" = 'closed'`)
    if (rows.length === this.#closed.size) return
    for (const row of rows) {
      if (this.#closed.has(row.id)) continue
      this.#closed.set(row.id, { row, at: now })
      this.#judgeEnd(row, now)
    }
  }

  /** By the bot's own clock, right or wrong; a drop of which nothing is left ends at once. */
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
