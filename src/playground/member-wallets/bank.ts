import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import { decodeInvoice, InvalidInvoice } from '../../lib/lightning/bolt11.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { Arrivals } from '../../payments-service/backends/sandbox/arrivals.ts'
import { NETWORK } from '../../payments-service/backends/sandbox/invoicing.ts'
import { NetworkFile } from '../../payments-service/backends/sandbox/network-file.ts'
import { OutsideWallet, OutsideWalletRefusal } from '../../payments-service/backends/sandbox/outside-wallet.ts'
import { DEFAULT_BALANCES } from '../../payments-service/backends/sandbox/sandbox-network.ts'
import type { WalletStore } from './wallet-store.ts'

/** The methods that every wallet supports (NIP-47). */
export const METHODS = ['get_info', 'get_budget', 'get_balance', 'make_invoice', 'lookup_invoice', 'pay_invoice']
/** What a wallet lets its connection spend in a calendar month (UTC), in msats. */
const BUDGET = 20_000_000n
const INVOICE_LIFE_SECONDS = 3_600

export type Params = Readonly<Record<string, unknown>>

/** A wallet's refusal of a request. `code` is an error code of NIP-47. */
export class WalletError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

interface BankParts {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly outsideHolds?: Msats | undefined
  readonly payService?: (name: string, invoice: string) => Promise<string>
}

const noFetch = async (): Promise<never> => {
  throw new Error("a member's wallet pays only invoices")
}

/** Answers requests to members' wallets, each of which is a node of the sandbox network in `file`. */
export class Bank {
  readonly #file: NetworkFile
  readonly #parts: BankParts
  readonly #wallets: ReadonlyMap<string, OutsideWallet>
  readonly #outside: OutsideWallet

  constructor(file: string, { wallets }: WalletStore, parts: BankParts) {
    const { clock, entropy, outsideHolds = DEFAULT_BALANCES.outside } = parts
    const balances = { ...DEFAULT_BALANCES, outside: outsideHolds }
    this.#parts = parts
    this.#file = new NetworkFile(file, entropy, { balances, groupSyncs: false })
    const arrivals = new Arrivals(this.#file)
    const around = { file: this.#file, clock, entropy, arrivals, latencyMs: 0, fetch: noFetch, lnurl: {} }
    this.#outside = new OutsideWallet(around)
    const open = ([name, { balance }]: [string, { balance: number }]) => {
      this.#file.addNode(nodeOf(name), BigInt(balance), entropy)
      return [name, new OutsideWallet({ ...around, node: nodeOf(name) })] as const
    }
    this.#wallets = new Map(Object.entries(wallets).map(open))
  }

  balance(name: string): Msats {
    return this.#walletOf(name).wallet().balance
  }

  /**
   * Answers a request to a wallet. Throws WalletError if the wallet refuses it. After any other error, a payment's
   * outcome is unknown.
   */
  async answer(name: string, method: string, params: Params): Promise<unknown> {
    switch (method) {
      case 'get_info':
        return { alias: `${name}'s wallet`, network: NETWORK, methods: METHODS }
      case 'get_budget':
        return this.#budgetOf(name)
      case 'get_balance':
        return { balance: Number(this.balance(name)) }
      case 'make_invoice':
        return this.#makeInvoice(name, params)
      case 'lookup_invoice':
        return this.#lookUp(name, String(params.payment_hash ?? ''))
      case 'pay_invoice':
        return { preimage: await this.#pay(name, String(params.invoice ?? '')), fees_paid: 0 }
      default:
        throw new WalletError('NOT_IMPLEMENTED', `this wallet does not support ${method}`)
    }
  }

  /** Implements `payFromOutside` of MemberWallets. */
  async payFromOutside(invoice: string) {
    const owner = this.#file.invoice(read(invoice).paymentHash)?.owner
    return owner?.startsWith('wallet:') ? await this.#outside.pay(invoice) : undefined
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #walletOf(name: string): OutsideWallet {
    const wallet = this.#wallets.get(name)
    if (wallet === undefined) throw new WalletError('UNAUTHORIZED', 'there is no such wallet')
    return wallet
  }

  #budgetOf(name: string) {
    const { begins, ends } = monthOf(this.#parts.clock.now())
    const used = this.#file.spentSince(nodeOf(name), begins)
    const renewal = { renewal_period: 'monthly', renews_at: Math.floor(ends / 1_000) }
    return { total_budget: Number(BUDGET), used_budget: Number(used), ...renewal }
  }

  #makeInvoice(name: string, { amount, description, expiry }: Params) {
    if (!Number.isSafeInteger(amount) || Number(amount) < 1) {
      throw new WalletError('OTHER', 'an invoice needs an amount')
    }
    const { paymentHash } = this.#walletOf(name).createInvoice({
      amount: msats(BigInt(Number(amount))),
      description: { text: String(description ?? '') },
      expiresInSeconds: typeof expiry === 'number' ? expiry : INVOICE_LIFE_SECONDS,
    })
    return this.#lookUp(name, paymentHash)
  }

  /** Pays an invoice from a wallet. Resolves to the preimage. */
  async #pay(name: string, text: string): Promise<string> {
    const wallet = this.#walletOf(name)
    const invoice = read(text)
    const known = this.#file.invoice(invoice.paymentHash)
    if (wallet.wallet().balance < (invoice.amount ?? 0n)) {
      throw new WalletError('INSUFFICIENT_BALANCE', 'the balance is too low')
    }
    const spent = this.#file.spentSince(nodeOf(name), monthOf(this.#parts.clock.now()).begins)
    if (spent + (invoice.amount ?? 0n) > BUDGET) {
      throw new WalletError('QUOTA_EXCEEDED', 'the budget of this connection is used up until next month')
    }
    try {
      // The service's node listens only in its own process, so this call informs it there.
      if (known?.owner === 'ours') return await this.#payService(name, text)
      return (await wallet.pay(text)).preimage
    } catch (error) {
      if (error instanceof OutsideWalletRefusal) throw new WalletError('PAYMENT_FAILED', error.message)
      throw error
    }
  }

  async #payService(name: string, text: string): Promise<string> {
    const { payService } = this.#parts
    if (payService === undefined) throw new WalletError('PAYMENT_FAILED', 'no route to this receiver')
    try {
      return await payService(name, text)
    } catch (error) {
      if (error instanceof Error && error.cause === undefined) throw new WalletError('PAYMENT_FAILED', error.message)
      throw error
    }
  }

  #lookUp(name: string, paymentHash: string) {
    const node = nodeOf(name)
    const invoice = this.#file.invoice(paymentHash)
    const sent = this.#file.payment(node, paymentHash)
    const arrival = this.#file.arrival(paymentHash)
    if (invoice === undefined || (invoice.owner !== node && sent === undefined)) {
      throw new WalletError('NOT_FOUND', 'this wallet has no such payment')
    }
    const { createdAt, expiresAt, amount = arrival?.amount ?? 0n } = decodeInvoice(invoice.invoice)
    const seconds = (ms: number) => Math.floor(ms / 1_000)
    return {
      ...{ type: invoice.owner === node ? 'incoming' : 'outgoing', state: arrival ? 'settled' : 'pending' },
      ...{ invoice: invoice.invoice, payment_hash: paymentHash, amount: Number(amount), fees_paid: 0 },
      ...{ created_at: seconds(createdAt.getTime()), expires_at: seconds(expiresAt.getTime()) },
      ...(arrival && { preimage: arrival.preimage, settled_at: seconds(arrival.at) }),
    }
  }
}

/** Returns when the calendar month of a moment begins and ends in UTC. All times are in Unix ms. */
function monthOf(at: number): { readonly begins: number; readonly ends: number } {
  const date = new Date(at)
  const monthAt = (month: number) => Date.UTC(date.getUTCFullYear(), month, 1)
  return { begins: monthAt(date.getUTCMonth()), ends: monthAt(date.getUTCMonth() + 1) }
}

function nodeOf(name: string): `wallet:${string}` {
  return `wallet:${name}`
}

function read(text: string) {
  try {
    return decodeInvoice(text)
  } catch (error) {
    if (error instanceof InvalidInvoice) throw new WalletError('OTHER', 'this is not an invoice')
    throw error
  }
}
