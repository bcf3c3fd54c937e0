import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { decodeLnurl, looksLikeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { askToPay } from '../../src/lib/lightning/lnurl-client.ts'
import { payAnswer } from '../../src/lib/lightning/lnurl-messages.ts'
import type { Verification } from '../judge/verifications.ts'
import { Bug, type SimWorld } from '../world/world.ts'
import { isRefusal, pay } from './payers.ts'
import type { Actor, PayableRequest, Stage } from './people.ts'

/**
 * Shops that pass invoices on and verify them (LUD-21) before the payment, after it, and after the invoices' expiry.
 */
export const verifiers: Actor = {
  name: 'verifiers',
  weight: 6,
  async act(stage) {
    const { chance, world } = stage
    if (chance.happens(0.5)) {
      const payable = stage.payables.at(-chance.between(1, 12))
      if (payable !== undefined) await handOn(stage, payable, chance.happens(0.6))
    }
    const known = [...world.judge.verifications.handedOut.keys()]
    if (known.length > 0) await verify(stage, chance.one(known.slice(-20)))
  },
}

/**
 * Requests an invoice by a payment code, and has the invoice paid or not. Resolves to its payment hash; undefined if
 * there is no invoice.
 */
export async function handOn(stage: Stage, payable: PayableRequest, paid: boolean): Promise<string | undefined> {
  const { judge, model } = stage.world
  if (!looksLikeLnurl(payable.code)) return undefined
  const answer = await invoiceOf(stage, payable)
  if (answer?.verify == null) return undefined
  const { pr: invoice, verify: url } = answer
  const { paymentHash } = decodeInvoice(invoice)
  judge.verifications.handedOut.set(paymentHash, { url, invoice })
  model.meant.set(invoice, payable.credit)
  if (paid) await pay(stage, { ...payable, code: invoice, amount: payable.counted ? payable.amount : undefined })
  return paymentHash
}

async function invoiceOf(stage: Stage, { code, amount }: PayableRequest) {
  try {
    const offer = await askToPay(stage.fetch, decodeLnurl(code))
    const url = new URL(offer.callback)
    url.searchParams.set('amount', String(amount ?? offer.min))
    const { body } = await stage.fetch(url.href)
    return payAnswer.safeParse(parsed(Buffer.from(body).toString())).data
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** Asks the service whether an invoice was paid, and lets the judge check the answer. */
export async function verify(stage: Stage, paymentHash: string): Promise<void> {
  const { judge, lightning, serviceBook } = stage.world
  const { url } = judge.verifications.handedOut.get(paymentHash) ?? { url: '' }
  const answer = await stage.fetch(url).catch((error: unknown) => {
    if (isRefusal(error)) return undefined
    throw error
  })
  const told = answer?.status === 200 ? readVerification(paymentHash, Buffer.from(answer.body).toString()) : undefined
  if (told === undefined) return
  stage.note(`a shop asks about ${paymentHash.slice(0, 8)}: ${told.settled ? 'paid' : 'not paid'}`)
  judge.verifications.told(told, lightning, serviceBook)
}

/** Resolves to the final answer about an invoice; undefined if the service no longer has the invoice. */
export async function lastVerification(world: SimWorld, paymentHash: string): Promise<Verification | undefined> {
  const { url } = world.judge.verifications.handedOut.get(paymentHash) ?? { url: '' }
  const reply = await world.internet({ method: 'GET', url: new URL(url), headers: {}, body: undefined })
  if (reply.status === 404) return undefined
  const told = readVerification(paymentHash, reply.body)
  if (told === undefined) throw new Bug(`who asks whether ${paymentHash} was paid is told ${reply.body}`)
  return told
}

function readVerification(paymentHash: string, body: string): Verification | undefined {
  const said = parsed(body) as { status?: string; settled?: boolean; preimage?: string | null; pr?: string } | undefined
  if (said?.status !== 'OK') return undefined
  const { settled = false, preimage = null, pr: invoice = '' } = said
  return { paymentHash, invoice, settled, preimage }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
