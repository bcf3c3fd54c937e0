import type { Span } from './moments.ts'

interface Word {
  readonly keeps: boolean
  readonly span: Span
  /** Nobody was told that it is done, but it may be. */
  readonly doubtful: boolean
}

/** Members who have all that they get stay here, linked or not: as they said and were told. */
export class Keepers {
  readonly #words = new Map<string, Word[]>()

  /** More than they will ever have is to stay here, or nothing. */
  said(member: string, keeps: boolean, span: Span, doubtful: boolean): void {
    const words = this.#words.get(member) ?? []
    words.push({ keeps, span, doubtful })
    this.#words.set(member, words)
  }

  /** Whether certainly all was to stay, from before everything that was under way when this began until its end. */
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

  /** Whether any of it may have been to stay at some moment between these. */
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
