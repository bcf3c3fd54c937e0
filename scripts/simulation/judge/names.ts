import { isBefore, type Moment, type Span } from './moments.ts'

interface OperatorDecision {
  readonly user: string
  readonly name: string
  readonly span: Span
  readonly doubtful: boolean
}

/** Which user of the service had which gamertag when, as they chose and were told. */
export class Names {
  readonly #words: OperatorDecision[] = []

  /** `doubtful`: nobody was told that it is done, but it may be. */
  chosen(user: string, name: string, span: Span, doubtful = false): void {
    this.#words.push({ user, name, span, doubtful })
  }

  /** A user's name when the world began. */
  begins(user: string, name: string, at: Moment): void {
    this.chosen(user, name, { from: at, to: at, again: false })
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
