/** The moment of an event, as the judge saw it. */
export interface Moment {
  /** The event's number among all events that the judge has seen. */
  readonly order: number
  /**
   * The number of times that everything had come to rest by that moment; work before a rest never overlaps with work
   * after it.
   */
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
