import type { Msats } from '../../lib/money/amount.ts'
import type { ConnectionFaultKind } from '../../lib/nostr/wallet-connect/connection.ts'
import type { PromiseHindrance } from '../engine/own-wallets/promise-book.ts'
import type { PaymentByHand } from '../engine/own-wallets/view-by-hand.ts'

/** Members' own wallets (NIP-47), from which their tips are paid, and into which tips to them go. */
export interface OwnWallets {
  /** Whether any can be connected here: there is a key to encrypt secrets with. */
  readonly offered: boolean
  /**
   * A token for a link to the page on which this member connects a wallet: their own, or their server's. Their earlier
   * ones become void.
   */
  invite(command: {
    readonly member: string
    readonly locale: string
    readonly guild?: string
  }): Promise<WalletInvitation>
  /** Finds a link's owner and server; undefined if it was used, has expired, or never existed. Uses nothing up. */
  invited(token: string): Promise<WalletInvited | undefined>
  /**
   * Connects the wallet of a connection text, in place of the one before, and uses the token up. Reports an unusable
   * answer, and the token stays valid for another try.
   */
  connect(command: ConnectCommand): Promise<ConnectOutcome>
  /**
   * Makes the key for a connection that the member agrees to in their wallet. Undefined if the link is over. A later
   * one replaces it; it ends with the link, and leaves nothing.
   */
  begin(token: string): Promise<BegunConnection | undefined>
  /** Connects the wallet that agreed to this link and state. The secret never left this side. */
  finish(command: FinishCommand): Promise<ConnectOutcome>
  /** The wallet that a member has connected. */
  mine(member: string): Promise<OwnWallet | undefined>
  /**
   * Its balance, in msats: asked now, for a few seconds at most. `silent`: it did not say. Undefined if no wallet is
   * connected, or the connection may not ask.
   */
  holds(member: string): Promise<Msats | 'silent' | undefined>
  /** Forgets it, with its secret, at once. Resolves to whether there was one. */
  disconnect(member: string): Promise<boolean>
  /** The wallet from which rewards of a server are paid. */
  ofServer(guild: string): Promise<OwnWallet | undefined>
  /**
   * Its remaining budget: asked now, for a few seconds at most. Undefined if none is connected, or it may not be asked.
   */
  spendable(guild: string): Promise<Spendable | undefined>
  /** Forgets a server's wallet, with its secret, at once. Resolves to whether there was one. */
  disconnectServer(command: { readonly guild: string; readonly member: string }): Promise<boolean>
  /**
   * The invoice of a payment that the giver's wallet did not pay, or not yet, for the giver to pay by hand. Throws TippingRefusal `not-there`
   * if it was not offered.
   */
  byHand(payment: string): Promise<PaymentByHand>
  /** A member's promises to people who have no wallet yet, oldest first. */
  promises(member: string): Promise<PromiseView[]>
  /** Throws TippingRefusal `not-there`. */
  promise(id: string): Promise<PromiseView>
  /**
   * Revokes a promise; doing so again changes nothing. Throws TippingRefusal `not-there`, `not-yours`, or
   * `promise-over` if the wallet was asked or it has lapsed.
   */
  revoke(command: { readonly promise: string; readonly member: string }): Promise<PromiseView>
}

export interface PromiseView {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly amount: Msats
  readonly until: Date
  /** `asked`: the giver's wallet was asked, and the tip shows the outcome. */
  readonly state: 'promised' | 'asked' | 'revoked' | 'lapsed'
  /** Why the giver's wallet was not asked yet, though the recipient can be paid. */
  readonly hindrance: PromiseHindrance | undefined
}

export interface ConnectCommand {
  readonly token: string
  /** A `nostr+walletconnect://` URI. */
  readonly text: string
  /** Given where a wallet app answers: the link must have been begun with it. */
  readonly state?: string
}

export interface FinishCommand {
  readonly token: string
  readonly state: string
  /** Hex public key of the wallet. */
  readonly wallet: string
  readonly relays: readonly string[]
}

/** The request to the wallet. Neither lets anybody spend. */
export interface BegunConnection {
  /** Our public key, hex. */
  readonly client: string
  /** The state that the way back must name. */
  readonly state: string
}

export interface WalletInvited {
  readonly member: string
  /** The server of the wallet; undefined: the member's own. */
  readonly guild: string | undefined
  readonly locale: string
}

/** A wallet's remaining budget. `silent`: it did not say. */
export type Spendable =
  | 'silent'
  | { readonly budget: { readonly total: Msats; readonly left: Msats } }
  | { readonly holds: Msats }

export interface WalletInvitation {
  /** A secret: it is shown to the member, and is neither stored nor logged. */
  readonly token: string
  readonly until: Date
}

export interface OwnWallet {
  /** The wallet's own name; empty if it has none. */
  readonly name: string
  /** Tips of its member are paid from it. */
  readonly pays: boolean
  /** Tips to its member go into it. */
  readonly receives: boolean
  /** It says what became of a payment. Without that, an unknown payment stays unknown for longer. */
  readonly looksUp: boolean
  readonly since: Date
}

export interface ConnectedWallet extends OwnWallet {
  /** Its budget, where it says so. */
  readonly budget: { readonly total: Msats; readonly left: Msats } | undefined
}

export type ConnectOutcome =
  | { readonly connected: ConnectedWallet; readonly guild: string | undefined }
  | { readonly problem: ConnectProblem; readonly detail?: string }

/**
 * Why a connection text leads to no wallet that can be used.
 * - `link-over`: the link was used, or its time is over.
 * - `not-begun`: nothing was begun with this link, or something else has been since.
 * - `private-relay`: the relay is not on the public Internet.
 * - `relays-away`, `wallet-away`: no relay took the request; the wallet did not answer.
 * - `refused`: the wallet refuses this connection.
 * - `other-network`: its sats are others than those here.
 * - `useless`: it may neither pay nor receive.
 * - `pays-not`: a server's wallet has to pay, and this connection may not.
 * - `taken`: another member or server has connected it.
 */
export type ConnectProblem =
  | ConnectionFaultKind
  | 'link-over'
  | 'not-begun'
  | 'private-relay'
  | 'relays-away'
  | 'wallet-away'
  | 'refused'
  | 'other-network'
  | 'useless'
  | 'pays-not'
  | 'taken'
