import type { Moment } from './moments.ts'

interface OperatorDecision {
  readonly what: 'pause' | 'go on'
  /** A pause ends by a word of the same: a book that was put back goes on when it is proven, whatever operators say. */
  readonly of: 'operators' | 'restored book'
  readonly from: Moment
  to: Moment | undefined
}

/** When operators let nothing leave, as far as anybody can know: between a word and its answer it may hold or not. */
export class Pauses {
  readonly #words: OperatorDecision[] = []

  /** An operator says it. Call the returned function with the answer. */
  said(what: OperatorDecision['what'], from: Moment): (to: Moment) => void {
    const word: OperatorDecision = { what, of: 'operators', from, to: undefined }
    this.#words.push(word)
    return (to) => {
      word.to = to
    }
  }

  /**
   * The book was put back: nothing leaves from here on, until the bot has proven it. The bot that sees that it has
   * tells the refund.
   */
  restored(from: Moment, next: Moment): (to: Moment) => void {
    const goesOn: OperatorDecision = { what: 'go on', of: 'restored book', from: next, to: undefined }
    this.#words.push({ what: 'pause', of: 'restored book', from, to: from }, goesOn)
    return (to) => {
      goesOn.to = to
    }
  }

  /** Whether it is certain that nothing may leave: everything has come to rest since an operator was told so. */
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

  /** Whether it may have held at some moment between these, or by so many ms of the world's time. */
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
