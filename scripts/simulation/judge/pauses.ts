import type { Moment } from './moments.ts'

interface OperatorDecision {
  readonly what: 'pause' | 'go on'
  readonly from: Moment
  to: Moment | undefined
}

/** When operators let nothing leave, as far as anybody can know: between a word and its answer it may hold or not. */
export class Pauses {
  readonly #words: OperatorDecision[] = []

  /** An operator says it. The answer is told to what is given back. */
  said(what: OperatorDecision['what'], from: Moment): (to: Moment) => void {
    const word: OperatorDecision = { what, from, to: undefined }
    this.#words.push(word)
    return (to) => {
      word.to = to
    }
  }

  /** Whether it is certain that nothing may leave: everything has come to rest since an operator was told so. */
  holdsAt(at: Moment): boolean {
    return this.#words.some(
      (pause) =>
        pause.what === 'pause' &&
        pause.to !== undefined &&
        pause.to.rest < at.rest &&
        !this.#words.some(
          (word) => word.what === 'go on' && (word.to === undefined || word.to.order > pause.from.order),
        ),
    )
  }

  /** Whether it may have held at some moment between these, or by so many ms of the world's time. */
  mayHold(from: Moment, to: Pick<Moment, 'order' | 'ms'>): boolean {
    return this.#words.some((pause) => {
      if (pause.what !== 'pause' || pause.from.order > to.order || pause.from.ms > to.ms) return false
      const over = this.#words.some(
        (word) =>
          word.what === 'go on' &&
          word.from.order > (pause.to?.order ?? Number.POSITIVE_INFINITY) &&
          word.to !== undefined &&
          word.to.order < from.order,
      )
      return !over
    })
  }
}
