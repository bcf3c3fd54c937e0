import type { Clock } from '../../../lib/clock.ts'
import { createResolver } from '../../../lib/http/resolve-name.ts'
import { type Msats, msats } from '../../../lib/money/amount.ts'
import { isRelayUrl, readRelayUrl, relayLookup } from '../../../lib/nostr/relay-url.ts'
import type { NwcConnection } from '../../../lib/nostr/wallet-connect/connection.ts'
import { NwcClient, NwcWalletError } from '../../../lib/nostr/wallet-connect/nwc-client.ts'
import { stateOf } from '../../../lib/nostr/wallet-connect/nwc-messages.ts'

/** A wallet's own description of a connection (`get_info`). */
export interface WalletFacts {
  readonly name: string
  readonly methods: readonly string[]
  /** The network as the wallet reports it: `mainnet`, `signet`, … */
  readonly network: string | undefined
}

/** A connection's budget (`get_budget`, Alby's extension). */
export interface WalletBudget {
  readonly total: Msats
  readonly left: Msats
}

/** A payment as a wallet records it (`lookup_invoice`). */
export interface WalletRecord {
  readonly type: 'incoming' | 'outgoing'
  readonly state: 'settled' | 'failed' | 'expired' | 'pending'
  readonly preimage: string | undefined
}

/**
 * A member's wallet, reached through the member's connection. Its methods throw NwcWalletError, NwcNoAnswer and
 * NwcUnreadable, which prove nothing about a payment.
 */
export interface MemberWallet {
  info(): Promise<WalletFacts>
  /**
   * Returns the budget; undefined if the connection has no limit, or the wallet does not report one. `soon`: uses a
   * short time limit, because somebody is waiting for an answer of which this is only a part.
   */
  budget(within?: 'soon'): Promise<WalletBudget | undefined>
  /** Returns the wallet's balance, or the part of it that is visible to this connection. */
  balance(): Promise<Msats>
  /** Returns the wallet's invoice, which has not been checked. */
  makeInvoice(request: { amount: Msats; description: string; expiresInSeconds: number }): Promise<string>
  /** Pays an invoice, and returns the wallet's preimage, which has not been checked. */
  pay(invoice: string): Promise<string | undefined>
  lookUp(paymentHash: string): Promise<WalletRecord | undefined>
  close(): void
}

export type OpenMemberWallet = (connection: NwcConnection) => MemberWallet

const ANSWER_TIMEOUT_MS = 10_000
/** A short time limit, because somebody is waiting for an answer of which this is only a part. */
const BALANCE_TIMEOUT_MS = 3_000
/** The time limit of a payment: a wallet answers only after the payment has ended. */
const PAY_TIMEOUT_MS = 30_000

interface Parts {
  readonly clock: Clock
  /** Whether relays on this machine are permitted, for development. */
  readonly allowLoopback: boolean
}

/** Whether a member's wallet may be reached through the relay at this address. */
export function isAllowedRelay(relay: string, { allowLoopback }: Pick<Parts, 'allowLoopback'>): boolean {
  return isRelayUrl(relay, allowLoopback)
}

/**
 * Returns a function that opens wallets through the Nostr relays that members specify. Apart from relays on this
 * machine, which `allowLoopback` permits, it uses only relays on the public Internet.
 */
export function openOverRelays({ clock, allowLoopback }: Parts): OpenMemberWallet {
  const resolve = createResolver()
  const lookup = (relay: string) => relayLookup(readRelayUrl(relay, allowLoopback), resolve, allowLoopback)
  return (connection) => {
    const client = new NwcClient(connection, clock, { lookup })
    return {
      async info() {
        const { alias, methods, network } = await client.request('get_info', {}, ANSWER_TIMEOUT_MS)
        return { name: alias ?? '', methods, network }
      },
      async budget(within) {
        const timeoutMs = within === 'soon' ? BALANCE_TIMEOUT_MS : ANSWER_TIMEOUT_MS
        const budget = await client.request('get_budget', {}, timeoutMs).catch((error: unknown) => {
          if (error instanceof NwcWalletError) return undefined
          throw error
        })
        if (budget?.total_budget === undefined) return undefined
        const { total_budget: total, used_budget: used = msats(0n) } = budget
        return { total, left: msats(used > total ? 0n : total - used) }
      },
      async balance() {
        return (await client.request('get_balance', {}, BALANCE_TIMEOUT_MS)).balance
      },
      async makeInvoice({ amount, description, expiresInSeconds }) {
        const params = { amount: Number(amount), description, expiry: expiresInSeconds }
        return (await client.request('make_invoice', params, ANSWER_TIMEOUT_MS)).invoice
      },
      async pay(invoice) {
        return (await client.request('pay_invoice', { invoice }, PAY_TIMEOUT_MS)).preimage
      },
      async lookUp(paymentHash) {
        try {
          const found = await client.request('lookup_invoice', { payment_hash: paymentHash }, ANSWER_TIMEOUT_MS)
          if (found.payment_hash !== paymentHash) return undefined
          return { type: found.type, state: stateOf(found), preimage: found.preimage }
        } catch (error) {
          if (error instanceof NwcWalletError && error.code === 'NOT_FOUND') return undefined
          throw error
        }
      },
      close: () => client.close(),
    }
  }
}
