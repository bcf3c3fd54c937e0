import type { Msats } from '../../lib/money/amount.ts'
import type { ConnectionFaultKind } from '../../lib/nostr/wallet-connect/connection.ts'
import type { WalletBudget } from '../engine/own-wallets/member-wallet.ts'
import type { PromiseHindrance } from '../engine/own-wallets/promise-book.ts'
import type { PaymentByHand } from '../engine/own-wallets/view-by-hand.ts'

/** Members' own wallets (NIP-47), which pay the tips from their owners and receive the tips to them. */
export interface OwnWallets {
  /** Whether a wallet can be connected here: there is a key to encrypt secrets. */
  readonly offered: boolean
  /**
   * Creates a token for a link to the page on which this member connects a wallet: their own, or their server's.
   * Invalidates their earlier ones.
   */
  invite(command: {
    readonly member: string
    readonly locale: string
    readonly guild?: string
  }): Promise<WalletInvitation>
  /** Returns a link's owner and server; undefined if it was used, has expired, or never existed. Does not use it up. */
  invited(token: string): Promise<WalletInvited | undefined>
  /**
   * Connects the wallet in a connection text, in place of an earlier one, and uses the token up. If the answer is
   * unusable, reports it, and the token stays valid for another attempt.
   */
  connect(command: ConnectCommand): Promise<ConnectOutcome>
  /**
   * Creates the key for a connection to which the member agrees in their wallet. Undefined if the link has expired. A
   * later key replaces it. It ends with the link, and leaves nothing.
   */
  begin(token: string): Promise<BegunConnection | undefined>
  /** Connects the wallet that agreed to this link and state. The secret never left this side. */
  finish(command: FinishCommand): Promise<ConnectOutcome>
  /** Returns the wallet that a member has connected. */
  mine(member: string): Promise<OwnWallet | undefined>
  /**
   * Returns its balance in msats, asked now, within a few seconds. `silent`: it did not answer. Undefined if no wallet
   * is connected, or the connection may not ask.
   */
  holds(member: string): Promise<Msats | 'silent' | undefined>
  /**
   * Returns its connection's remaining budget, asked now, within a few seconds. Undefined if the connection has no
   * limit or may not ask, or if the wallet does not answer.
   */
  budget(member: string): Promise<WalletBudget | undefined>
  /** Immediately deletes the connection, with its secret. Resolves to whether there was one. */
  disconnect(member: string): Promise<boolean>
  /** Returns the wallet that pays a server's rewards. */
  ofServer(guild: string): Promise<OwnWallet | undefined>
  /**
   * Returns its remaining budget, asked now, within a few seconds. Undefined if none is connected, or it may not be
   * asked.
   */
  spendable(guild: string): Promise<Spendable | undefined>
  /** Deletes a server's wallet, with its secret, immediately. Resolves to whether there was one. */
  disconnectServer(command: { readonly guild: string; readonly member: string }): Promise<boolean>
  /**
   * Returns the invoice of a payment that the giver's wallet did not make, or has not made yet, for the giver to pay by
   * hand. Throws TippingRefusal `not-there` if it was not offered.
   */
  byHand(payment: string): Promise<PaymentByHand>
  /** Returns a member's promises to people who have no wallet yet, oldest first. */
  promises(member: string): Promise<PromiseView[]>
  /** Returns a promise. Throws TippingRefusal `not-there`. */
  promise(id: string): Promise<PromiseView>
  /**
   * Revokes a promise. A second call changes nothing. Throws TippingRefusal `not-there`, `not-yours`, or `promise-over`
   * if the wallet was asked or it has lapsed.
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
  /** Why the giver's wallet has not been asked although the recipient can be paid. */
  readonly hindrance: PromiseHindrance | undefined
}

export interface ConnectCommand {
  readonly token: string
  /** A `nostr+walletconnect://` URI. */
  readonly text: string
  /** Given if a wallet app answers. The link's attempt must have started with it. */
  readonly state?: string
}

export interface FinishCommand {
  readonly token: string
  readonly state: string
  /** The wallet's public key in hex. */
  readonly wallet: string
  readonly relays: readonly string[]
}

/** The request to the wallet. Neither part lets anybody spend. */
export interface BegunConnection {
  /** Our public key in hex. */
  readonly client: string
  /** The state that the answer must name. */
  readonly state: string
}

export interface WalletInvited {
  readonly member: string
  /** The wallet's server; undefined: the member's own. */
  readonly guild: string | undefined
  readonly locale: string
}

/** A wallet's remaining budget. `silent`: it did not answer. */
export type Spendable = 'silent' | { readonly budget: WalletBudget } | { readonly holds: Msats }

export interface WalletInvitation {
  /** A secret: it is shown to the member, and neither stored nor logged. */
  readonly token: string
  readonly until: Date
}

export interface OwnWallet {
  /** The wallet's own name; empty if the wallet has none. */
  readonly name: string
  /** Whether the wallet pays its member's tips. */
  readonly pays: boolean
  /** Whether the wallet receives tips to its member. */
  readonly receives: boolean
  /** Whether the wallet reports payments' outcomes. Without that, an unknown payment stays unknown for longer. */
  readonly looksUp: boolean
  readonly since: Date
}

export interface ConnectedWallet extends OwnWallet {
  /** Its budget, if it reports one. */
  readonly budget: { readonly total: Msats; readonly left: Msats } | undefined
}

export type ConnectOutcome =
  | { readonly connected: ConnectedWallet; readonly guild: string | undefined }
  | { readonly problem: ConnectProblem; readonly detail?: string }

/**
 * Why a connection text gives no usable wallet.
 * - `link-over`: the link was used, or has expired.
 * - `not-begun`: no attempt was started with this link, or another one has been since.
 * - `private-relay`: the relay is not on the public Internet.
 * - `relays-away`, `wallet-away`: no relay took the request; the wallet did not answer.
 * - `refused`: the wallet refuses this connection.
 * - `other-network`: its sats are on another network.
 * - `useless`: it may neither pay nor receive.
 * - `pays-not`: a server's wallet must pay, but this connection may not.
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
