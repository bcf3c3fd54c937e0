import { isBefore, type Moment, type Span } from './moments.ts'

interface Choice {
  readonly user: string
  readonly name: string
  readonly span: Span
  readonly doubtful: boolean
}

const NEVER = Number.POSITIVE_INFINITY
const AT_THE_END: Moment = { order: NEVER, rest: NEVER, ms: NEVER, wall: NEVER }

/** Each user's gamertags at the service over time, as users chose them and were told the results. */
export class Names {
  readonly #words: Choice[] = []

  /**
   * Notes that a user begins to choose a name, which may be theirs from now on. The returned function must be called
   * with the result; `doubtful` means that nobody was told, but the choice may have succeeded.
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

  /** Notes a user's name at the beginning of the world. */
  begins(user: string, name: string, at: Moment): void {
    this.chooses(user, name, at)('done', at)
  }

  /** Returns the users who may have had this gamertag at some moment of a span. */
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
