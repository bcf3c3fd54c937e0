import { createHash } from 'node:crypto'
import type { Clock } from '../../src/lib/clock.ts'
import { decodeInvoice, encodeInvoice, type Network } from '../../src/lib/lightning/bolt11.ts'
import { type Msats, msats, sats } from '../../src/lib/money/amount.ts'
import { type NwcConnection, publicKeyOf } from '../../src/lib/nostr/wallet-connect/connection.ts'
import { NwcNoAnswer, NwcWalletError } from '../../src/lib/nostr/wallet-connect/nwc-client.ts'
import { sealingKey } from '../../src/lib/sealed-text.ts'
import type { WalletKeys } from '../../src/tipping/engine/own-wallets/connections.ts'
import type { MemberWallet, WalletRecord } from '../../src/tipping/engine/own-wallets/member-wallet.ts'

/**
 * The way in which a wallet treats one request to pay.
 * - `lost`: the request does not reach it. `answer-lost`: it pays, and its answer is lost. `late`: it pays a minute
 *   later, without an answer.
 * - `under-way`: its payment is held on the way, and no answer comes.
 * - `no-preimage`, `wrong-preimage`: it pays, and shows no proof. `not-paid`: it pays nothing, and shows a wrong
 *   preimage.
 * - `error`: it answers with this code; `paysFirst`: after it has paid.
 */
export type PayFault =
  | 'lost'
  | 'answer-lost'
  | 'late'
  | 'under-way'
  | 'no-preimage'
  | 'wrong-preimage'
  | 'not-paid'
  | { readonly error: string; readonly paysFirst?: boolean }

/** The way in which a wallet treats one request for an invoice. */
export type InvoiceFault =
  | 'silent'
  | 'other-amount'
  | 'other-network'
  | 'used'
  | 'expired'
  | 'no-invoice'
  | { readonly error: string }

/** A payment by one person. */
export interface Settlement {
  readonly paymentHash: string
  readonly amount: Msats
  readonly to: string
  readonly by: readonly string[]
}

interface Made {
  readonly owner: ScriptedWallet
  readonly invoice: string
  readonly paymentHash: string
  readonly preimage: string
  readonly amount: Msats
  readonly expiresAt: number
  paidBy: ScriptedWallet[]
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const hashOfHex = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')

/** Members' wallets without relays: they pay each other immediately, or as the test decides. */
export class ScriptedWallets {
  readonly #clock: Clock
  readonly #byKey = new Map<string, ScriptedWallet>()
  readonly #made = new Map<string, Made>()
  readonly keys: WalletKeys
  #number = 0

  constructor(clock: Clock) {
    this.#clock = clock
    const key = sealingKey(Buffer.alloc(32, 7))
    this.keys = { current: () => key, all: () => [key] }
  }

  add(name: string): ScriptedWallet {
    const wallet = new ScriptedWallet(this, name, this.#clock)
    this.#byKey.set(wallet.connection.walletPubkey, wallet)
    return wallet
  }

  readonly open = (connection: NwcConnection): MemberWallet => {
    const wallet = this.#byKey.get(connection.walletPubkey)
    if (wallet === undefined || !wallet.knows(connection)) throw new NwcNoAnswer('info', 'wallet')
    return wallet
  }

  /** All payments of these wallets' invoices; more than one for an invoice is somebody's loss. */
  get payments(): readonly Settlement[] {
    return [...this.#made.values()]
      .filter(({ paidBy }) => paidBy.length > 0)
      .map(({ amount, owner, paidBy, paymentHash }) => ({
        paymentHash,
        amount,
        to: owner.name,
        by: paidBy.map(({ name }) => name),
      }))
  }

  find(paymentHash: string): Made | undefined {
    return this.#made.get(paymentHash)
  }

  make(owner: ScriptedWallet, amount: Msats, seconds: number, network: Network): Made {
    this.#number += 1
    const preimage = hash(`preimage ${this.#number}`)
    const paymentHash = hashOfHex(preimage)
    const invoice = encodeInvoice({
      ...{ network, amount, description: 'Tip', paymentHash, paymentSecret: hash('secret'), privateKey: hash('node') },
      ...{ createdAt: new Date(this.#clock.now()), expiresInSeconds: Math.max(seconds, 1) },
    })
    const expiresAt = this.#clock.now() + seconds * 1_000
    const made: Made = { owner, invoice, paymentHash, preimage, amount, expiresAt, paidBy: [] }
    this.#made.set(paymentHash, made)
    return made
  }

  /** Pays as the network does: an invoice accepts one payment, before its expiry. Throws NwcWalletError. */
  settle(payer: ScriptedWallet, invoice: string): Made {
    const made = this.#made.get(decodeInvoice(invoice).paymentHash)
    const refuse = (code: string) => new NwcWalletError('pay_invoice', code, 'no')
    if (made === undefined || this.#clock.now() >= made.expiresAt) throw refuse('PAYMENT_FAILED')
    // What a wallet answers to an invoice that is paid, wallets do not agree on.
    if (made.paidBy.length > 0) throw refuse('OTHER')
    if (payer.holds < made.amount) throw refuse('INSUFFICIENT_BALANCE')
    payer.holds = msats(payer.holds - made.amount)
    made.owner.holds = msats(made.owner.holds + made.amount)
    made.paidBy.push(payer)
    return made
  }
}

/** A wallet whose behaviour the test decides. */
export class ScriptedWallet implements MemberWallet {
  readonly name: string
  readonly connection: NwcConnection
  readonly #network: ScriptedWallets
  readonly #clock: Clock
  holds = sats(100_000)
  methods: readonly string[] = ['get_info', 'pay_invoice', 'make_invoice', 'lookup_invoice']
  network: string | undefined = 'regtest'
  budgetLeft: Msats | undefined
  /** Whether the wallet is unreachable. */
  isAway = false
  /** Whether the wallet reports nothing about invoices and payments. */
  knowsNothing = false
  /** The faults in the wallet's treatment of the next requests. */
  readonly payFaults: PayFault[] = []
  readonly invoiceFaults: InvoiceFault[] = []
  readonly asked: string[] = []
  /** The hashes of the wallet's payments that have neither arrived nor failed. */
  readonly underWay = new Set<string>()
  /** The keys that the owner approved on the wallet's page. */
  readonly agreed = new Set<string>()
  /** The promise for which each payment waits. */
  beforePaying: Promise<void> = Promise.resolve()

  constructor(network: ScriptedWallets, name: string, clock: Clock) {
    this.#network = network
    this.#clock = clock
    this.name = name
    this.connection = {
      walletPubkey: hash(`wallet ${name}`),
      relays: ['wss://relay.example.com'],
      secret: hash(`key ${name}`),
    }
  }

  /** Returns whether the wallet answers a connection: its own, or one with an approved key. */
  knows(connection: NwcConnection): boolean {
    return connection.secret === this.connection.secret || this.agreed.has(publicKeyOf(connection))
  }

  get uri(): string {
    const { walletPubkey, secret } = this.connection
    return `nostr+walletconnect://${walletPubkey}?relay=wss%3A%2F%2Frelay.example.com&secret=${secret}`
  }

  async info() {
    this.#hear('get_info')
    return { name: this.name, methods: this.methods, network: this.network }
  }

  async budget() {
    this.#hear('get_budget')
    return this.budgetLeft === undefined ? undefined : { total: sats(10_000), left: this.budgetLeft }
  }

  async balance() {
    this.#hear('get_balance')
    if (this.knowsNothing) throw new NwcWalletError('get_balance', 'NOT_IMPLEMENTED', 'no')
    return this.holds
  }

  async makeInvoice({ amount, expiresInSeconds }: { amount: Msats; expiresInSeconds: number }): Promise<string> {
    this.#hear('make_invoice')
    const fault = this.invoiceFaults.shift()
    const make = (asked: Msats, seconds: number, network: Network = 'regtest') =>
      this.#network.make(this, asked, seconds, network).invoice
    if (fault === 'silent') throw new NwcNoAnswer('make_invoice', 'wallet')
    if (fault === 'other-amount') return make(msats(amount * 10n), expiresInSeconds)
    if (fault === 'other-network') return make(amount, expiresInSeconds, 'bitcoin')
    if (fault === 'expired') return make(amount, 1)
    if (fault === 'no-invoice') return 'lnbcrt1nonsense'
    if (fault === 'used' && this.#last !== undefined) return this.#last
    if (typeof fault === 'object') throw new NwcWalletError('make_invoice', fault.error, 'no')
    this.#last = make(amount, expiresInSeconds)
    return this.#last
  }

  #last: string | undefined

  async pay(invoice: string): Promise<string | undefined> {
    const fault = this.payFaults.shift()
    this.asked.push('pay_invoice')
    const noAnswer = () => new NwcNoAnswer('pay_invoice', 'wallet')
    await this.beforePaying
    if (this.isAway || fault === 'lost') throw noAnswer()
    if (fault === 'not-paid') return 'ee'.repeat(32)
    if (fault === 'under-way') {
      this.underWay.add(decodeInvoice(invoice).paymentHash)
      throw noAnswer()
    }
    if (fault === 'late') {
      this.#clock.after(60_000, () => void this.#payQuietly(invoice))
      throw noAnswer()
    }
    if (typeof fault === 'object') {
      if (fault.paysFirst) this.#payQuietly(invoice)
      throw new NwcWalletError('pay_invoice', fault.error, 'no')
    }
    const { preimage } = this.#network.settle(this, invoice)
    if (fault === 'answer-lost') throw noAnswer()
    if (fault === 'no-preimage') return undefined
    return fault === 'wrong-preimage' ? 'ff'.repeat(32) : preimage
  }

  #payQuietly(invoice: string): void {
    try {
      this.#network.settle(this, invoice)
    } catch (error) {
      if (!(error instanceof NwcWalletError)) throw error
    }
  }

  async lookUp(paymentHash: string): Promise<WalletRecord | undefined> {
    this.#hear('lookup_invoice')
    if (this.knowsNothing) throw new NwcWalletError('lookup_invoice', 'NOT_IMPLEMENTED', 'no')
    const made = this.#network.find(paymentHash)
    if (made === undefined) return undefined
    const isPaid = made.paidBy.length > 0
    if (made.owner === this) return { type: 'incoming', state: isPaid ? 'settled' : 'pending', preimage: made.preimage }
    if (this.underWay.has(paymentHash)) return { type: 'outgoing', state: 'pending', preimage: undefined }
    if (!made.paidBy.includes(this)) return undefined
    return { type: 'outgoing', state: 'settled', preimage: made.preimage }
  }

  close(): void {}

  #hear(method: string): void {
    this.asked.push(method)
    if (this.isAway) throw new NwcNoAnswer(method, 'wallet')
  }
}
