import type { Span } from './moments.ts'

interface Word {
  readonly keeps: boolean
  readonly span: Span
  /** Whether nobody was told that the choice was saved, although it may have been. */
  readonly doubtful: boolean
}

/** The members who keep all receipts here, linked or not, as they said and were told. */
export class Keepers {
  readonly #words = new Map<string, Word[]>()

  /** Notes that a member keeps either everything here, or nothing. */
  said(member: string, keeps: boolean, span: Span, doubtful: boolean): void {
    const words = this.#words.get(member) ?? []
    words.push({ keeps, span, doubtful })
    this.#words.set(member, words)
  }

  /**
   * Whether everything certainly had to stay here: from before the work under way at the span's beginning, until its
   * end.
   */
  keepsAll(member: string, { from, to }: Pick<Span, 'from' | 'to'>): boolean {
    const words = this.#words.get(member) ?? []
    return words.some(
      (word) =>
        word.keeps &&
        !word.doubtful &&
        word.span.to.rest < from.rest &&
        !words.some(
          (other) => !other.keeps && other.span.to.order > word.span.from.order && other.span.from.order < to.order,
        ),
    )
  }

  /** Whether anything may have stayed here at some moment of a span. */
  mayKeep(member: string, { from, to }: Pick<Span, 'from' | 'to'>): boolean {
    const words = this.#words.get(member) ?? []
    return words.some(
      (word) =>
        word.keeps &&
        word.span.from.order < to.order &&
        !words.some(
          (other) =>
            !other.keeps &&
            !other.doubtful &&
            other.span.from.order > word.span.to.order &&
            other.span.to.order < from.order,
        ),
    )
  }
}
