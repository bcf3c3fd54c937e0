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

/** Named divisions of a sum among people, in percent. A payment according to a split is a list (`rewards`). */
export interface Splits {
  /** Saves a new split. Throws TippingRefusal `split-exists`, or another one for a wrong name or part. */
  create(command: CreateSplit): Promise<SplitView>
  /** Replaces a split's parts. */
  edit(command: EditSplit): Promise<SplitView>
  delete(decision: SplitDecision): Promise<void>
  /** Returns the server's splits, sorted by name. */
  list(guild: string): Promise<readonly SplitView[]>
  /**
   * Shares a sum out, and stores the result as a list until the moderator confirms that list (`rewards.confirmList`).
   * Nothing moves.
   */
  pay(command: PaySplit): Promise<SplitPreview>
}

interface Typed {
  readonly guild: string
  readonly member: string
  /** The parts as typed: each recipient with a percentage. */
  readonly parts: string
  /** Returns the member in a word; undefined if there is none. The caller decides how people are named. */
  readonly memberIn: (word: string) => string | undefined
  readonly person: PersonInServer
  /**
   * The command's interaction, so that the command runs only once, no matter how often the interaction is delivered.
   */
  readonly interaction: string
}

export interface CreateSplit extends Typed {
  readonly name: string
}

export interface EditSplit extends Typed {
  /** The split's id or name. */
  readonly split: string
}

export interface SplitDecision {
  readonly guild: string
  readonly member: string
  /** The split's id or name. */
  readonly split: string
}

export interface PaySplit extends SplitDecision {
  /** The amount for all recipients together, as typed. */
  readonly amount: string
  readonly reason: string
  readonly person: PersonInServer
  readonly origin: Origin
}

export interface SplitPart {
  /** A member, or the recipient key of a Lightning Address. */
  readonly recipient: string
  /** The Lightning Address, if the recipient is not a member; empty after the address was forgotten. */
  readonly address: string | undefined
  /** The recipient's share, in hundredths of a percent. */
  readonly share: number
}

export interface SplitView {
  readonly id: string
  readonly name: string
  /** The member who saved the split last. */
  readonly member: string
  readonly parts: readonly SplitPart[]
}

export interface SplitPreview {
  /** The id with which the list is confirmed. */
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
