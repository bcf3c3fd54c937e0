import { type Nip47Transaction, NWCWalletService, NWCWalletServiceKeyPair } from '@getalby/sdk/nwc'
import { generateSecretKey, getPublicKey } from 'nostr-tools'
import { bytesToHex } from 'nostr-tools/utils'
import type { LndProcess } from './lnd-process.ts'

const METHODS = ['get_info', 'make_invoice', 'lookup_invoice', 'pay_invoice'] as const

type Found = { readonly result: Nip47Transaction; readonly error: undefined }
const NOT_FOUND = { result: undefined, error: { code: 'NOT_FOUND', message: 'no such payment' } }

const hex = (base64: string) => Buffer.from(base64, 'base64').toString('hex')

/** A member's wallet: Alby's wallet service (@getalby/sdk) on a relay, with a real lnd behind it. */
export class WalletOnLnd {
  readonly node: LndProcess
  readonly uri: string
  readonly #service: NWCWalletService
  /** The wallet's payments, by payment hash: a wallet has its own list beside its node's. */
  readonly #paid = new Map<string, Nip47Transaction>()
  #unsubscribe: () => void = () => {}

  private constructor(node: LndProcess, service: NWCWalletService, uri: string) {
    this.node = node
    this.#service = service
    this.uri = uri
  }

  static async start(node: LndProcess, relay: string): Promise<WalletOnLnd> {
    const [wallet, client] = [generateSecretKey(), generateSecretKey()]
    const service = new NWCWalletService({ relayUrls: [relay] })
    await service.publishWalletServiceInfoEvent(bytesToHex(wallet), [...METHODS], [])
    const uri = `nostr+walletconnect://${getPublicKey(wallet)}?relay=${encodeURIComponent(relay)}&secret=${bytesToHex(client)}`
    const own = new WalletOnLnd(node, service, uri)
    const keys = new NWCWalletServiceKeyPair(bytesToHex(wallet), getPublicKey(client))
    own.#unsubscribe = await service.subscribe(keys, own.#handlers())
    return own
  }

  stop(): void {
    this.#unsubscribe()
    this.#service.close()
  }

  /** Resolves to how many of the node's invoices with these payment hashes were settled. */
  async received(hashes: readonly string[]): Promise<number> {
    const found = await Promise.all(hashes.map((hash) => this.#invoice(hash)))
    return found.filter((one) => one?.result.state === 'settled').length
  }

  #handlers() {
    return {
      getInfo: async () => ({
        result: {
          ...{ alias: 'lnd', color: '#ffffff', pubkey: await this.node.pubkey(), network: 'regtest' },
          ...{ block_height: 1, block_hash: '00'.repeat(32), methods: [...METHODS] },
        },
        error: undefined,
      }),
      makeInvoice: async ({
        amount,
        description,
        expiry,
      }: {
        amount: number
        description?: string
        expiry?: number
      }) => {
        const order = { value_msat: String(amount), memo: description ?? '', expiry: String(expiry ?? 3_600) }
        const { r_hash } = await this.node.call('POST', '/v1/invoices', order)
        return (await this.#invoice(hex(r_hash))) ?? NOT_FOUND
      },
      payInvoice: async ({ invoice }: { invoice: string }) => await this.#pay(invoice),
      lookupInvoice: async ({ payment_hash: hash = '' }: { payment_hash?: string }) => {
        const paid = this.#paid.get(hash)
        return paid === undefined ? ((await this.#invoice(hash)) ?? NOT_FOUND) : { result: paid, error: undefined }
      },
    }
  }

  async #pay(invoice: string) {
    const order = { payment_request: invoice, fee_limit_msat: '100000', timeout_seconds: 30, no_inflight_updates: true }
    const { result } = await this.node.call('POST', '/v2/router/send', order, 40_000)
    if (result.status !== 'SUCCEEDED') {
      return { result: undefined, error: { code: 'PAYMENT_FAILED', message: String(result.failure_reason) } }
    }
    const { payment_hash, payment_preimage: preimage, fee_msat } = result
    this.#paid.set(payment_hash, {
      ...{ type: 'outgoing', state: 'settled', invoice, description: '', description_hash: '' },
      ...{ payment_hash, preimage, amount: Number(result.value_msat), fees_paid: Number(fee_msat) },
      ...{ created_at: 0, expires_at: 0, settled_at: 0 },
    })
    return { result: { preimage, fees_paid: Number(fee_msat) }, error: undefined }
  }

  async #invoice(hash: string): Promise<Found | undefined> {
    const found = await this.node.call('GET', `/v1/invoice/${hash}`).catch((error: Error) => {
      if (/unable to locate invoice|there are no existing invoices/.test(error.message)) return undefined
      throw error
    })
    if (found === undefined) return undefined
    const isPaid = found.state === 'SETTLED'
    const result: Nip47Transaction = {
      ...{ type: 'incoming', state: isPaid ? 'settled' : 'pending', invoice: found.payment_request },
      ...{ description: found.memo, description_hash: '', payment_hash: hash, preimage: hex(found.r_preimage) },
      ...{ amount: Number(found.value_msat), fees_paid: 0, created_at: Number(found.creation_date) },
      ...{ expires_at: Number(found.creation_date) + Number(found.expiry), settled_at: Number(found.settle_date) },
    }
    return { result, error: undefined }
  }
}
