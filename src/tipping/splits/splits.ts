import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PersonInServer } from '../rewards/lists.ts'

/** The most splits of one server. */
export const MAX_SPLITS = 25
export const MAX_SPLIT_PARTS = 25
/** The most characters in a name. */
export const MAX_SPLIT_NAME = 40
/** The most characters in the text of all parts. */
export const MAX_PARTS_TEXT = 2_000
/** The whole, in hundredths of a percent. */
export const WHOLE_SPLIT = 10_000

/** Named divisions of a sum among people, in percent. A payment by a split is a list (`rewards`). */
export interface Splits {
  /** Saves a new split. Throws TippingRefusal `split-exists`, and for a wrong name or part. */
  create(command: CreateSplit): Promise<SplitView>
  /** Replaces a split's parts. */
  edit(command: EditSplit): Promise<SplitView>
  delete(decision: SplitDecision): Promise<void>
  /** Returns the server's splits, by name. */
  list(guild: string): Promise<readonly SplitView[]>
  /**
   * Shares a sum out, and stores it as a list until its moderator confirms it (`rewards.confirmList`). Nothing moves.
   */
  pay(command: PaySplit): Promise<SplitPreview>
}

interface Typed {
  readonly guild: string
  readonly member: string
  /** As typed: each recipient with a percentage. */
  readonly parts: string
  /** Returns the member in a word; undefined if there is none. The front knows how people are named. */
  readonly memberIn: (word: string) => string | undefined
  readonly person: PersonInServer
  /** The command's interaction, so that it runs once however often it is delivered. */
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
  /** The amount for all together, as typed. */
  readonly amount: string
  readonly reason: string
  readonly person: PersonInServer
  readonly origin: Origin
}

export interface SplitPart {
  /** A member, or the counting key of a Lightning Address. */
  readonly recipient: string
  /** The destination, if it is not a member; empty after it was forgotten. */
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
  /** The id to confirm. */
  readonly asked: string
  readonly total: Msats
  /** The fee limit of payments to Lightning Addresses, in addition to the total. */
  readonly feeLimit: Msats
  readonly lines: readonly {
    readonly recipient: string
    readonly address: string | undefined
    readonly amount: Msats
  }[]
  /** The remainder of the division into whole sats, which the first part gets. */
  readonly rest: Msats
}
