/** When something happened, as the judge saw it. */
export interface Moment {
  /** Counts what the judge sees, one by one. */
  readonly order: number
  /** How often everything had come to rest by then: work before and after a rest never overlaps. */
  readonly rest: number
  /** The world's true time. */
  readonly ms: number
  /** The bot's own clock, right or wrong. */
  readonly wall: number
}

/** The time from a request to its answer. */
export interface Span {
  readonly from: Moment
  readonly to: Moment
  /** Whether the bot died meanwhile, so that the request was repeated. */
  readonly again: boolean
}

/** Whether one span ended before the other began. */
export function isBefore(one: Span, other: Span): boolean {
  return one.to.order < other.from.order
}
