import { createHash, randomBytes } from 'node:crypto'
import { systemClock } from '../../src/lib/clock.ts'
import { createGuardedFetch } from '../../src/lib/http/guarded-fetch.ts'
import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { decodeLnurl, looksLikeLnurl, parseLightningAddress } from '../../src/lib/lightning/lnurl.ts'
import { askToPay, askToWithdraw, claimWithdrawal, requestInvoice } from '../../src/lib/lightning/lnurl-client.ts'
import { msats } from '../../src/lib/money/amount.ts'
import type { Phone, PhoneLine } from '../../src/playground/world.ts'
import type { LndProcess } from './lnd-process.ts'

const LNURL = { allowLoopbackHttp: true }
const PAY_TIMEOUT_MS = 30_000
const MAX_FEE_MSATS = '100000'

/** The kind of text that the phone was asked to pay: an invoice, a code, or a Lightning Address. */
export type PaidBy = 'BOLT11' | 'LNURL' | 'address'

export interface OutsidePhone extends Omit<Phone, 'loseCallbacks'> {
  /** The kinds of texts that the phone has paid so far. */
  readonly paidBy: ReadonlySet<PaidBy>
  /** Makes an invoice with a description hash (hex) in place of a text, as LNURL-pay requires. */
  invoiceFor(amount: bigint, descriptionHash: string): Promise<string>
  /** Makes an invoice that is settled or canceled only on request. */
  holdInvoice(amount: bigint): Promise<HoldInvoice>
  close(): Promise<void>
}

export interface HoldInvoice {
  readonly invoice: string
  readonly paymentHash: string
  /** Resolves to whether the payment has arrived and is being held. */
  isHeld(): Promise<boolean>
  settle(): Promise<void>
}

/** Returns another person's wallet: a real lnd, two channels away. All of its payments cross the network. */
export function createOutsidePhone(node: LndProcess): OutsidePhone {
  const fetch = createGuardedFetch({ allowLoopback: true, clock: systemClock })
  const paidBy = new Set<PaidBy>()

  async function payOffer(url: URL, typed: bigint | undefined, comment: string | undefined) {
    const offer = await askToPay(fetch, url)
    const amount = typed === undefined ? offer.min : msats(typed)
    const request = { amount, comment, network: 'regtest', now: systemClock.now() } as const
    const { invoice, successAction } = await requestInvoice(fetch, offer, request)
    const paid = await payInvoice(node, invoice.text)
    return successAction?.tag === 'message' ? { ...paid, message: successAction.message } : paid
  }

  return {
    paidBy,
    async wallet() {
      const { local_balance } = await node.call('GET', '/v1/balance/channels')
      return { balance: BigInt(local_balance.msat), pubkey: await node.pubkey() }
    },
    async pay(request, amount, comment) {
      const isCode = looksLikeLnurl(request)
      if (!isCode && !request.includes('@')) {
        const paid = await payInvoice(node, request.replace(/^lightning:/i, ''), amount)
        paidBy.add('BOLT11')
        return paid
      }
      const url = isCode ? decodeLnurl(request, LNURL) : parseLightningAddress(request, LNURL).url
      const paid = await payOffer(url, amount, comment)
      paidBy.add(isCode ? 'LNURL' : 'address')
      return paid
    },
    async claim(request) {
      const offer = await askToWithdraw(fetch, decodeLnurl(request, LNURL))
      const made = await makeInvoice(node, { value_msat: `${offer.maxWithdrawable}`, memo: offer.defaultDescription })
      await claimWithdrawal(fetch, offer, made.invoice)
      return { ...made, amount: BigInt(offer.maxWithdrawable) }
    },
    invoice: (amount, description = '') =>
      makeInvoice(node, { memo: description, ...(amount !== undefined && { value_msat: `${amount}` }) }),
    invoiceFor: async (amount, descriptionHash) =>
      (await makeInvoice(node, { value_msat: `${amount}`, description_hash: base64(descriptionHash) })).invoice,
    holdInvoice: (amount) => holdInvoice(node, amount),
    history: () => history(node),
    async misbehave() {
      throw new Error('A real node does not misbehave when it is told to. Kill it, or freeze it.')
    },
    async release() {
      throw new Error('On a real node nothing hangs by itself. Settle or cancel the hold invoice.')
    },
    close: () => fetch.close(),
  }
}

async function payInvoice(node: LndProcess, invoice: string, amount?: bigint) {
  const { paymentHash } = decodeInvoice(invoice)
  const order = {
    payment_request: invoice,
    ...(amount !== undefined && { amt_msat: `${amount}` }),
    fee_limit_msat: MAX_FEE_MSATS,
    timeout_seconds: PAY_TIMEOUT_MS / 1_000,
    no_inflight_updates: true,
  }
  const { result } = await node.call('POST', '/v2/router/send', order, PAY_TIMEOUT_MS + 5_000)
  if (result.status !== 'SUCCEEDED') throw new Error(`The payment failed: ${result.failure_reason}.`)
  return { preimage: result.payment_preimage as string, paymentHash }
}

async function makeInvoice(node: LndProcess, body: object) {
  const made = await node.call('POST', '/v1/invoices', { ...body, expiry: '3600' })
  return { invoice: made.payment_request as string, paymentHash: hex(made.r_hash) }
}

async function holdInvoice(node: LndProcess, amount: bigint): Promise<HoldInvoice> {
  const preimage = randomBytes(32).toString('hex')
  const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
  const body = { hash: base64(paymentHash), value_msat: `${amount}`, expiry: '86400' }
  const { payment_request: invoice } = await node.call('POST', '/v2/invoices/hodl', body)
  return {
    invoice,
    paymentHash,
    isHeld: async () => (await node.call('GET', `/v1/invoice/${paymentHash}`)).state === 'ACCEPTED',
    settle: async () => void (await node.call('POST', '/v2/invoices/settle', { preimage: base64(preimage) })),
  }
}

interface LndInvoice {
  readonly state: string
  readonly is_keysend: boolean
  readonly amt_paid_msat: string
  readonly r_preimage: string
  readonly r_hash: string
  readonly memo: string
  readonly settle_date: string
}

interface LndPayment {
  readonly status: string
  readonly value_msat: string
  readonly payment_preimage: string
  readonly payment_hash: string
  readonly creation_time_ns: string
}

/** Resolves to the node's incoming and outgoing payments, newest first. */
async function history(node: LndProcess): Promise<PhoneLine[]> {
  const { invoices } = await node.call('GET', '/v1/invoices?num_max_invoices=1000')
  const { payments } = await node.call('GET', '/v1/payments')
  const arrived = (invoices as LndInvoice[])
    .filter(({ state }) => state === 'SETTLED')
    .map((one) => ({
      direction: 'in' as const,
      kind: one.is_keysend ? ('keysend' as const) : ('invoice' as const),
      amount: BigInt(one.amt_paid_msat),
      preimage: hex(one.r_preimage),
      paymentHash: hex(one.r_hash),
      description: one.memo,
      at: new Date(Number(one.settle_date) * 1_000).toISOString(),
    }))
  const left = (payments as LndPayment[])
    .filter(({ status }) => status === 'SUCCEEDED')
    .map((one) => ({
      direction: 'out' as const,
      kind: 'invoice' as const,
      amount: BigInt(one.value_msat),
      preimage: one.payment_preimage,
      paymentHash: one.payment_hash,
      description: '',
      at: new Date(Number(BigInt(one.creation_time_ns) / 1_000_000n)).toISOString(),
    }))
  return [...arrived, ...left].sort((a, b) => b.at.localeCompare(a.at))
}

function hex(text: string): string {
  return Buffer.from(text, 'base64').toString('hex')
}

function base64(text: string): string {
  return Buffer.from(text, 'hex').toString('base64')
}
