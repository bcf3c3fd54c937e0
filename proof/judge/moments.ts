/** When something happened, as the judge saw it. */
export interface Moment {
  /** Counts what the judge sees, one by one. */
  readonly order: number
  /** How often everything had come to rest by then: what one rest divides was not under way at once. */
  readonly rest: number
  /** By the world's one true time. */
  readonly ms: number
  /** The bot's own clock, right or wrong. */
  readonly wall: number
}

/** From when somebody asked for something to when they had the answer. */
export interface Span {
  readonly from: Moment
  readonly to: Moment
  /** Whether the bot died over it, so that it was asked for again. */
  readonly again: boolean
}

/** One that had its answer before the other was asked for. */
export function isBefore(one: Span, other: Span): boolean {
  return one.to.order < other.from.order
}
