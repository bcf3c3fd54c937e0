import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'

/** The most characters in a reason, which is the note of each tip. */
export const MAX_ASK_REASON = 200

/**
 * Asks, with which a member requests sats from the others in a channel, up to a goal. Each gift is a tip, which belongs
 * to that member immediately: limits, confirmations and invoices are those of tips, and nothing is held. One card
 * counts all gifts.
 */
export interface Asks {
  /** Opens an ask. Throws TippingRefusal `ask-too-many` or `blocked`, or a refusal of the amount or the reason. */
  open(command: OpenAsk): Promise<AskView>
  /**
   * Returns the tip with which a member gives to an ask, to be sent like any other tip. Throws TippingRefusal
   * `not-there`, `ask-own` or `ask-over`.
   */
  tipFor(command: GiveToAsk): Promise<TipCommand>
  /**
   * Ends an ask before its goal is reached. Only the person who asks, or a moderator, may do so. Throws TippingRefusal
   * `not-there`, `not-yours` or `ask-over`.
   */
  close(command: CloseAsk): Promise<AskView>
  view(id: string): Promise<AskView>
}

export interface OpenAsk {
  readonly member: string
  /** The ids of the member's roles in the server. */
  readonly roles: readonly string[]
  /** The goal, as typed. */
  readonly amount: string
  readonly reason: string
  /** The days until the ask closes, 1 to 30. Default: a week. */
  readonly days?: number | undefined
  readonly origin: Origin
}

export interface GiveToAsk extends Pick<TipCommand, 'from' | 'fromName' | 'amount' | 'accountSince' | 'origin'> {
  readonly ask: string
}

export interface CloseAsk {
  readonly ask: string
  readonly member: string
  readonly moderator: boolean
  /** The server in which the ask is to be closed, which must be the server in which it was opened. */
  readonly guild: string | null
}

/** The states of an ask. `over`: the ask has expired. */
export type AskState = 'open' | 'reached' | 'over' | 'closed'

export interface AskView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly guild: string
  readonly goal: Msats
  readonly reason: string
  /** The sum of all gifts, including those that exceed the goal. */
  readonly given: Msats
  readonly gifts: number
  readonly state: AskState
  readonly endsAt: Date
  readonly endedAt: Date | undefined
  /** The moderator who closed the ask; undefined if no moderator did. */
  readonly closedBy: string | undefined
}
