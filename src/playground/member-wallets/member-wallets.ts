import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as nip44 from 'nostr-tools/nip44'
import { type Event, finalizeEvent, getPublicKey } from 'nostr-tools/pure'
import { hexToBytes } from 'nostr-tools/utils'
import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import { decodeInvoice, encodeInvoice, InvalidInvoice } from '../../lib/lightning/bolt11.ts'
import { msats } from '../../lib/money/amount.ts'
import { type Relay, startRelay } from './relay.ts'
import { readStore, type StoredInvoice, type WalletStore, writeStore } from './wallet-store.ts'

/** A wallet that somebody in the playground may connect (`/wallet`). */
export interface MemberWalletView {
  readonly name: string
  /** In msats. */
  readonly balance: number
  /** The text to paste: `nostr+walletconnect://…` */
  readonly connection: string
  /** Hex; connections name the wallet by it. */
  readonly pubkey: string
}

/** Wallets of people's own that speak Nostr Wallet Connect over a relay of the playground. They pay each other's invoices. */
export interface MemberWallets {
  list(): MemberWalletView[]
  /** Pays an invoice of one of these wallets from outside; undefined for an invoice of somebody else. Throws an Error with a sentence. */
  payFromOutside(invoice: string): { readonly preimage: string; readonly paymentHash: string } | undefined
  close(): Promise<void>
}

const [INFO, REQUEST, RESPONSE] = [13_194, 23_194, 23_195]
const METHODS = ['get_info', 'get_budget', 'get_balance', 'make_invoice', 'lookup_invoice', 'pay_invoice']
const HOLDS = 50_000_000
const BUDGET = 20_000_000
/** The sandbox's, whose invoices the book counts. */
const NETWORK = 'regtest'

interface Parts {
  readonly folder: string
  readonly clock: Clock
  readonly entropy: Entropy
}

type Params = Readonly<Record<string, unknown>>

class WalletError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Starts the wallets of these names, or goes on with those that the folder keeps. */
export async function startMemberWallets(names: readonly string[], parts: Parts): Promise<MemberWallets> {
  const file = join(parts.folder, 'member-wallets.json')
  const store = readStore(file, names, HOLDS, parts.entropy)
  const relay = await startRelay(store.port)
  store.port = relay.port
  writeStore(file, store)
  const bank = new Bank(store, parts, () => writeStore(file, store))
  for (const name of Object.keys(store.wallets)) serve(name, { store, relay, bank, clock: parts.clock })
  return {
    list: () =>
      Object.entries(store.wallets).map(([name, wallet]) => ({
        name,
        balance: wallet.balance,
        connection: connectionOf(wallet, relay.port),
        pubkey: getPublicKey(hexToBytes(wallet.secret)),
      })),
    payFromOutside: (invoice) => bank.payFromOutside(invoice),
    close: () => relay.close(),
  }
}

function connectionOf({ secret, client }: WalletStore['wallets'][string], port: number): string {
  const relay = encodeURIComponent(`ws://127.0.0.1:${port}`)
  return `nostr+walletconnect://${getPublicKey(hexToBytes(secret))}?relay=${relay}&secret=${client}`
}

interface Serving {
  readonly store: WalletStore
  readonly relay: Relay
  readonly bank: Bank
  readonly clock: Clock
}

/** Answers the requests that reach one wallet (NIP-47). */
function serve(name: string, { store, relay, bank, clock }: Serving): void {
  const { secret: hex, client } = store.wallets[name] ?? { secret: '', client: '' }
  const secret = hexToBytes(hex)
  const [pubkey, asker] = [getPublicKey(secret), getPublicKey(hexToBytes(client))]
  const key = nip44.getConversationKey(secret, asker)
  const sign = (kind: number, tags: string[][], content: string) =>
    relay.publish(finalizeEvent({ kind, tags, content, created_at: Math.floor(clock.now() / 1_000) }, secret))
  sign(INFO, [['encryption', 'nip44_v2']], METHODS.join(' '))
  relay.onEvent((event: Event) => {
    const isMine = event.tags.some(([tag, to]) => tag === 'p' && to === pubkey)
    if (event.kind !== REQUEST || !isMine || event.pubkey !== asker) return
    const { method, params } = JSON.parse(nip44.decrypt(event.content, key)) as { method: string; params: Params }
    const answer = { result_type: method, ...answerOf(() => bank.answer(name, method, params)) }
    const tags = [
      ['p', asker],
      ['e', event.id],
    ]
    sign(RESPONSE, tags, nip44.encrypt(JSON.stringify(answer), key))
  })
}

function answerOf(answer: () => unknown) {
  try {
    return { result: answer() }
  } catch (error) {
    if (error instanceof WalletError) return { error: { code: error.code, message: error.message } }
    throw error
  }
}

/** What the wallets hold, and their invoices. */
class Bank {
  readonly #store: WalletStore
  readonly #parts: Parts
  readonly #save: () => void

  constructor(store: WalletStore, parts: Parts, save: () => void) {
    this.#store = store
    this.#parts = parts
    this.#save = save
  }

  /** Throws WalletError. */
  answer(name: string, method: string, params: Params): unknown {
    switch (method) {
      case 'get_info':
        return { alias: `${name}'s wallet`, network: NETWORK, methods: METHODS }
      case 'get_budget':
        return { total_budget: BUDGET, used_budget: 0, renewal_period: 'never' }
      case 'get_balance':
        return { balance: this.#walletOf(name).balance }
      case 'make_invoice':
        return this.#makeInvoice(name, params)
      case 'lookup_invoice':
        return this.#lookUp(name, String(params.payment_hash ?? ''))
      case 'pay_invoice':
        return this.#pay(name, String(params.invoice ?? ''))
      default:
        throw new WalletError('NOT_IMPLEMENTED', `this wallet does not know ${method}`)
    }
  }

  #walletOf(name: string) {
    const wallet = this.#store.wallets[name]
    if (wallet === undefined) throw new WalletError('UNAUTHORIZED', 'there is no such wallet')
    return wallet
  }

  #makeInvoice(owner: string, { amount, description, expiry }: Params) {
    const { entropy, clock } = this.#parts
    if (typeof amount !== 'number' || amount < 1) throw new WalletError('OTHER', 'an invoice needs an amount')
    const preimage = entropy.bytes(32)
    const paymentHash = createHash('sha256').update(preimage).digest('hex')
    const seconds = typeof expiry === 'number' ? expiry : 3_600
    const createdAt = Math.floor(clock.now() / 1_000)
    const invoice = encodeInvoice({
      ...{ network: NETWORK, amount: msats(amount), description: String(description ?? ''), paymentHash },
      ...{
        createdAt: new Date(createdAt * 1_000),
        expiresInSeconds: seconds,
        privateKey: this.#walletOf(owner).secret,
      },
      paymentSecret: entropy.bytes(32).toString('hex'),
    })
    const expiresAt = createdAt + seconds
    this.#store.invoices[paymentHash] = {
      owner,
      invoice,
      amount,
      preimage: preimage.toString('hex'),
      createdAt,
      expiresAt,
    }
    this.#save()
    return this.#shown(paymentHash, 'incoming')
  }

  #pay(payer: string, text: string) {
    const wallet = this.#walletOf(payer)
    const invoice = this.#payable(text)
    if (invoice === undefined) throw new WalletError('PAYMENT_FAILED', 'no route to this receiver')
    if (wallet.balance < invoice.amount) throw new WalletError('INSUFFICIENT_BALANCE', 'there is too little')
    wallet.balance -= invoice.amount
    this.#settle(invoice, payer)
    return { preimage: invoice.preimage, fees_paid: 0 }
  }

  payFromOutside(text: string) {
    const invoice = this.#payable(text)
    if (invoice === undefined) return undefined
    this.#settle(invoice, 'outside')
    return { preimage: invoice.preimage, paymentHash: hashOf(text) }
  }

  /** Undefined where none of these wallets made it. Throws WalletError where it cannot be paid any more. */
  #payable(text: string): StoredInvoice | undefined {
    const invoice = this.#store.invoices[hashOf(text)]
    if (invoice?.invoice !== text.toLowerCase()) return undefined
    if (invoice.paidBy !== undefined) throw new WalletError('OTHER', 'the invoice is paid already')
    if (this.#parts.clock.now() >= invoice.expiresAt * 1_000) throw new WalletError('PAYMENT_FAILED', 'it has expired')
    return invoice
  }

  #settle(invoice: StoredInvoice, payer: string): void {
    this.#walletOf(invoice.owner).balance += invoice.amount
    invoice.paidBy = payer
    this.#save()
  }

  #lookUp(name: string, paymentHash: string) {
    const { owner, paidBy } = this.#store.invoices[paymentHash] ?? {}
    if (owner === name) return this.#shown(paymentHash, 'incoming')
    if (paidBy === name) return this.#shown(paymentHash, 'outgoing')
    throw new WalletError('NOT_FOUND', 'this wallet knows no such payment')
  }

  #shown(paymentHash: string, type: 'incoming' | 'outgoing') {
    const { invoice, amount, preimage, createdAt, expiresAt, paidBy } = this.#store.invoices[
      paymentHash
    ] as StoredInvoice
    const isPaid = paidBy !== undefined
    return {
      ...{ type, state: isPaid ? 'settled' : 'pending', invoice, payment_hash: paymentHash, amount, fees_paid: 0 },
      ...{ created_at: createdAt, expires_at: expiresAt, ...(isPaid && { preimage, settled_at: createdAt }) },
    }
  }
}

function hashOf(invoice: string): string {
  try {
    return decodeInvoice(invoice).paymentHash
  } catch (error) {
    if (error instanceof InvalidInvoice) throw new WalletError('OTHER', 'this is no invoice')
    throw error
  }
}
