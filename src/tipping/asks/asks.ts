import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'

/** The longest reason, in characters: it is the note of each tip. */
export const MAX_ASK_REASON = 200

/**
 * Somebody asks the others in a channel for sats, up to a goal. Each gift is a tip to the person who asks, theirs at
 * once: limits, confirmations and invoices are those of tips, and nothing is held. One card counts.
 */
export interface Asks {
  /** Throws TippingRefusal `ask-too-many` or `blocked`. */
  open(command: OpenAsk): Promise<AskView>
  /** The tip that gives to it, to be given as any tip. Throws TippingRefusal `not-there`, `ask-own` or `ask-over`. */
  tipFor(command: GiveToAsk): Promise<TipCommand>
  /** Ends it before its goal, by the person who asks or by a moderator. Throws TippingRefusal `not-yours` or `ask-over`. */
  close(command: CloseAsk): Promise<AskView>
  view(id: string): Promise<AskView>
}

export interface OpenAsk {
  readonly member: string
  /** Ids of their roles in the server. */
  readonly roles: readonly string[]
  /** The goal, as typed. */
  readonly amount: string
  readonly reason: string
  /** Days until it closes, 1 to 30. Default: a week. */
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
  /** Where it is asked; it is closed only in its own server. */
  readonly guild: string | null
}

/** `over`: its time has passed. */
export type AskState = 'open' | 'reached' | 'over' | 'closed'

export interface AskView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly guild: string
  readonly goal: Msats
  readonly reason: string
  /** All gifts, also beyond the goal. */
  readonly given: Msats
  readonly gifts: number
  readonly state: AskState
  readonly endsAt: Date
  readonly endedAt: Date | undefined
  /** The moderator who closed it. */
  readonly closedBy: string | undefined
}
