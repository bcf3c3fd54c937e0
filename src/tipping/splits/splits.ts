import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PersonInServer } from '../rewards/lists.ts'

/** A server may have so many. */
export const MAX_SPLITS = 25
export const MAX_SPLIT_PARTS = 25
/** In characters. */
export const MAX_SPLIT_NAME = 40
/** Length of the text for all parts, in characters. */
export const MAX_PARTS_TEXT = 2_000
/** All of it, in hundredths of a percent. */
export const WHOLE_SPLIT = 10_000

/** Among whom a server shares a sum, in percent, under a name. A payment of one is a list (`rewards`). */
export interface Splits {
  /** Saves a new one. Throws TippingRefusal `split-exists`, and for a wrong name or part. */
  create(command: CreateSplit): Promise<SplitView>
  /** Replaces the parts of one. */
  edit(command: EditSplit): Promise<SplitView>
  delete(decision: SplitDecision): Promise<void>
  /** The server's own, by name. */
  list(guild: string): Promise<readonly SplitView[]>
  /**
   * Shares a sum out, and stores it until its moderator confirms it as a list (`rewards.confirmList`); nothing moves.
   */
  pay(command: PaySplit): Promise<SplitPreview>
}

interface Typed {
  readonly guild: string
  readonly member: string
  /** As typed: who, and how many percent, for each. */
  readonly parts: string
  /** The member in a word; undefined if there is none. The front knows how people are named. */
  readonly memberIn: (word: string) => string | undefined
  readonly person: PersonInServer
  /** The command's, so it runs once for any number of deliveries. */
  readonly interaction: string
}

export interface CreateSplit extends Typed {
  readonly name: string
}

export interface EditSplit extends Typed {
  /** Its id or its name. */
  readonly split: string
}

export interface SplitDecision {
  readonly guild: string
  readonly member: string
  /** Its id or its name. */
  readonly split: string
}

export interface PaySplit extends SplitDecision {
  /** For all together, as typed. */
  readonly amount: string
  readonly reason: string
  readonly person: PersonInServer
  readonly origin: Origin
}

export interface SplitPart {
  /** A member; for a Lightning Address, its counting key. */
  readonly recipient: string
  /** Its destination, if not a member; empty once forgotten. */
  readonly address: string | undefined
  /** In hundredths of a percent. */
  readonly share: number
}

export interface SplitView {
  readonly id: string
  readonly name: string
  /** The member who saved it last. */
  readonly member: string
  readonly parts: readonly SplitPart[]
}

export interface SplitPreview {
  /** To be confirmed by this. */
  readonly asked: string
  readonly total: Msats
  /** Fee limit of payments to Lightning Addresses, beside the total. */
  readonly feeLimit: Msats
  readonly lines: readonly {
    readonly recipient: string
    readonly address: string | undefined
    readonly amount: Msats
  }[]
  /** The remainder of the division into whole sats; the first part has it. */
  readonly rest: Msats
}
