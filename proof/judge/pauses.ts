import type { Moment } from './moments.ts'

interface OperatorDecision {
  readonly what: 'pause' | 'go on'
  /**
   * The kind of the pause, which only an order of the same kind ends. A restored book's pause ends when the book is
   * proven, whatever operators say.
   */
  readonly of: 'operators' | 'restored book'
  readonly from: Moment
  to: Moment | undefined
}

/**
 * The times when nothing may leave, as far as anybody can know: between an order and its answer, a pause may or may not
 * hold.
 */
export class Pauses {
  readonly #words: OperatorDecision[] = []

  /** Notes an operator's order. The returned function must be called with the moment of the answer. */
  said(what: OperatorDecision['what'], from: Moment): (to: Moment) => void {
    const word: OperatorDecision = { what, of: 'operators', from, to: undefined }
    this.#words.push(word)
    return (to) => {
      word.to = to
    }
  }

  /**
   * Notes that the book was restored: nothing leaves until the bot has proven the book. The returned function must be
   * called when somebody has seen that the book is proven.
   */
  restored(from: Moment, next: Moment): (to: Moment) => void {
    const goesOn: OperatorDecision = { what: 'go on', of: 'restored book', from: next, to: undefined }
    this.#words.push({ what: 'pause', of: 'restored book', from, to: from }, goesOn)
    return (to) => {
      goesOn.to = to
    }
  }

  /** Whether certainly nothing may leave: everything has come to rest since an operator was told of the pause. */
  holdsAt(at: Moment): boolean {
    return this.#words.some(
      (pause) =>
        pause.what === 'pause' &&
        pause.of === 'operators' &&
        pause.to !== undefined &&
        pause.to.rest < at.rest &&
        !this.#words.some(
          (word) => isEndOf(word, pause) && (word.to === undefined || word.to.order > pause.from.order),
        ),
    )
  }

  /** Whether a pause may have held at some moment of a span, whose end is also bounded by the world's time in ms. */
  mayHold(from: Moment, to: Pick<Moment, 'order' | 'ms'>): boolean {
    return this.#words.some((pause) => {
      if (pause.what !== 'pause' || pause.from.order > to.order || pause.from.ms > to.ms) return false
      const over = this.#words.some(
        (word) =>
          isEndOf(word, pause) &&
          word.from.order > (pause.to?.order ?? Number.POSITIVE_INFINITY) &&
          word.to !== undefined &&
          word.to.order < from.order,
      )
      return !over
    })
  }
}

function isEndOf(word: OperatorDecision, pause: OperatorDecision): boolean {
  return word.what === 'go on' && word.of === pause.of
}
