import type { Msats } from '../../lib/money/amount.ts'
import type { ConnectionFaultKind } from '../../lib/nostr/wallet-connect/connection.ts'
import type { WalletBudget } from '../engine/own-wallets/member-wallet.ts'
import type { PromiseHindrance } from '../engine/own-wallets/promise-book.ts'
import type { PaymentByHand } from '../engine/own-wallets/view-by-hand.ts'

/** Members' own wallets (NIP-47), which pay their owners' tips and receive tips for their owners. */
export interface OwnWallets {
  /** Whether a wallet can be connected here, which requires a key to encrypt secrets. */
  readonly offered: boolean
  /**
   * Creates a token for a link to the page on which this member connects a wallet: their own, or a server's.
   * Invalidates the member's earlier tokens.
   */
  invite(command: {
    readonly member: string
    readonly locale: string
    readonly guild?: string
  }): Promise<WalletInvitation>
  /**
   * Returns the member and the server for whom a link was created; undefined if the link was used, has expired, or
   * never existed. Does not use the link up.
   */
  invited(token: string): Promise<WalletInvited | undefined>
  /**
   * Connects the wallet that a connection text describes, in place of an earlier wallet, and uses the token up. If the
   * wallet cannot be used, reports the problem, and leaves the token valid for another attempt.
   */
  connect(command: ConnectCommand): Promise<ConnectOutcome>
  /**
   * Creates the key for a connection to which the member agrees in their wallet. Resolves to undefined if the link has
   * expired. A later key replaces an earlier one. The key is deleted together with the link.
   */
  begin(token: string): Promise<BegunConnection | undefined>
  /**
   * Connects the wallet that has agreed to the connection with this token and state. The connection's secret never left
   * the bot.
   */
  finish(command: FinishCommand): Promise<ConnectOutcome>
  /** Returns the wallet that a member has connected; undefined if there is none. */
  mine(member: string): Promise<OwnWallet | undefined>
  /**
   * Requests the present balance of a member's wallet, within a few seconds. `silent`: the wallet did not answer.
   * Undefined if no wallet is connected, or if the connection may not read the balance.
   */
  holds(member: string): Promise<Msats | 'silent' | undefined>
  /**
   * Requests the remaining budget of a member's connection, within a few seconds. Undefined if the connection has no
   * limit or may not read its budget, or if the wallet does not answer.
   */
  budget(member: string): Promise<WalletBudget | undefined>
  /** Immediately deletes a member's connection, with its secret. Resolves to whether there was one. */
  disconnect(member: string): Promise<boolean>
  /** Returns the wallet that pays a server's rewards; undefined if there is none. */
  ofServer(guild: string): Promise<OwnWallet | undefined>
  /**
   * Requests what a server's wallet may still spend, within a few seconds. Undefined if no wallet is connected, or if
   * the connection may not read that.
   */
  spendable(guild: string): Promise<Spendable | undefined>
  /** Immediately deletes a server's connection, with its secret. Resolves to whether there was one. */
  disconnectServer(command: { readonly guild: string; readonly member: string }): Promise<boolean>
  /**
   * Returns the invoice of a payment that the giver's wallet did not make, or has not made yet, for the giver to pay by
   * hand. Throws TippingRefusal `not-there` if no invoice was offered.
   */
  byHand(payment: string): Promise<PaymentByHand>
  /** Returns a member's promises to people who have no wallet yet, oldest first. */
  promises(member: string): Promise<PromiseView[]>
  /** Returns a promise. Throws TippingRefusal `not-there`. */
  promise(id: string): Promise<PromiseView>
  /**
   * Revokes a promise. A second call changes nothing. Throws TippingRefusal `not-there`, `not-yours`, or `promise-over`
   * if the wallet was already asked to pay, or if the promise has lapsed.
   */
  revoke(command: { readonly promise: string; readonly member: string }): Promise<PromiseView>
}

export interface PromiseView {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly amount: Msats
  readonly until: Date
  /** The promise's state. `asked`: the giver's wallet was asked to pay, and the tip shows the outcome. */
  readonly state: 'promised' | 'asked' | 'revoked' | 'lapsed'
  /** The reason why the giver's wallet was not asked to pay although the recipient can be paid. */
  readonly hindrance: PromiseHindrance | undefined
}

export interface ConnectCommand {
  readonly token: string
  /** The connection text: a `nostr+walletconnect://` URI. */
  readonly text: string
  /** The attempt's state, if a wallet app answers. The link's latest attempt must have the same state. */
  readonly state?: string
}

export interface FinishCommand {
  readonly token: string
  readonly state: string
  /** The wallet's public key in hex. */
  readonly wallet: string
  readonly relays: readonly string[]
}

/** The data for a request to a wallet. Neither value lets anybody spend sats. */
export interface BegunConnection {
  /** Our public key in hex. */
  readonly client: string
  /** The state that the wallet's answer must contain. */
  readonly state: string
}

export interface WalletInvited {
  readonly member: string
  /** The server whose wallet is to be connected; undefined for the member's own wallet. */
  readonly guild: string | undefined
  readonly locale: string
}

/** What a wallet may still spend: its budget, or otherwise its balance. `silent`: the wallet did not answer. */
export type Spendable = 'silent' | { readonly budget: WalletBudget } | { readonly holds: Msats }

export interface WalletInvitation {
  /** The secret token, which is shown to the member, and neither stored nor logged. */
  readonly token: string
  readonly until: Date
}

export interface OwnWallet {
  /** The wallet's own name; empty if the wallet has none. */
  readonly name: string
  /** Whether the wallet pays its owner's tips. */
  readonly pays: boolean
  /** Whether the wallet receives tips for its owner. */
  readonly receives: boolean
  /** Whether the wallet reports payments' outcomes. Without that, an unknown payment stays unknown for longer. */
  readonly looksUp: boolean
  readonly since: Date
}

export interface ConnectedWallet extends OwnWallet {
  /** The wallet's budget, if the wallet reports one. */
  readonly budget: { readonly total: Msats; readonly left: Msats } | undefined
}

export type ConnectOutcome =
  | { readonly connected: ConnectedWallet; readonly guild: string | undefined }
  | { readonly problem: ConnectProblem; readonly detail?: string }

/**
 * The reason why a wallet could not be connected.
 * - `link-over`: the link was used, or has expired.
 * - `not-begun`: no attempt was started with this link, or another attempt was started since then.
 * - `private-relay`: the relay is not on the public Internet.
 * - `relays-away`, `wallet-away`: no relay accepted the request, or the wallet did not answer.
 * - `refused`: the wallet refuses this connection.
 * - `other-network`: the wallet's sats are on another network.
 * - `useless`: the connection may neither pay nor receive.
 * - `pays-not`: a server's wallet must pay, but this connection may not.
 * - `taken`: another member or server already uses this connection.
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
