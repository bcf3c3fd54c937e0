import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'

/** The most characters in a reason, which is the note of each tip. */
export const MAX_ASK_REASON = 200

/**
 * Asks let a member request sats from the others in a channel, up to a goal. Each gift is a tip to that member, which
 * belongs to them immediately: limits, confirmations and invoices are those of tips, and nothing is held. One card
 * counts all gifts.
 */
export interface Asks {
  /** Opens an ask. Throws TippingRefusal `ask-too-many` or `blocked`. */
  open(command: OpenAsk): Promise<AskView>
  /**
   * Returns the tip that gives to an ask, to be sent like any other tip. Throws TippingRefusal `not-there`, `ask-own`
   * or `ask-over`.
   */
  tipFor(command: GiveToAsk): Promise<TipCommand>
  /**
   * Ends an ask before its goal is reached. The person who asks or a moderator may do so. Throws TippingRefusal
   * `not-yours` or `ask-over`.
   */
  close(command: CloseAsk): Promise<AskView>
  view(id: string): Promise<AskView>
}

export interface OpenAsk {
  readonly member: string
  /** The ids of their roles in the server. */
  readonly roles: readonly string[]
  /** The goal, as typed. */
  readonly amount: string
  readonly reason: string
  /** The days until it closes, 1 to 30. Default: a week. */
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
  /** Where it was asked. It can only be closed in that server. */
  readonly guild: string | null
}

/** `over`: it has expired. */
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
  /** The moderator who closed it. */
  readonly closedBy: string | undefined
}
