import { isBefore, type Moment, type Span } from './moments.ts'

interface Choice {
  readonly user: string
  readonly name: string
  readonly span: Span
  readonly doubtful: boolean
}

const NEVER = Number.POSITIVE_INFINITY
const AT_THE_END: Moment = { order: NEVER, rest: NEVER, ms: NEVER, wall: NEVER }

/** Each user's gamertags at the service over time, as they chose and were told. */
export class Names {
  readonly #words: Choice[] = []

  /**
   * A user begins to choose a name: from now on it may be theirs, though nobody was told yet. The result is to be called with
   * how it ended; `doubtful`: nobody was told that it is done, but it may be.
   */
  chooses(user: string, name: string, from: Moment): (end: 'done' | 'refused' | 'doubtful', to: Moment) => void {
    const underWay = { user, name, span: { from, to: AT_THE_END, again: false }, doubtful: true }
    this.#words.push(underWay)
    return (end, to) => {
      this.#words.splice(this.#words.indexOf(underWay), 1)
      if (end !== 'refused')
        this.#words.push({ ...underWay, span: { from, to, again: false }, doubtful: end === 'doubtful' })
    }
  }

  /** A user's name when the world began. */
  begins(user: string, name: string, at: Moment): void {
    this.chooses(user, name, at)('done', at)
  }

  /** Those who may have had this gamertag at some moment of a span. */
  ownersIn(name: string, { from, to }: Pick<Span, 'from' | 'to'>): Set<string> {
    const owners = this.#words.filter((word) => {
      if (word.name !== name || word.span.from.order > to.order) return false
      return !this.#words.some(
        (later) =>
          later.user === word.user &&
          later.name !== name &&
          !later.doubtful &&
          isBefore(word.span, later.span) &&
          later.span.to.order < from.order,
      )
    })
    return new Set(owners.map(({ user }) => user))
  }
}
