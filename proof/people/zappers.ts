import { finalizeEvent } from 'nostr-tools/pure'
import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { decodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { askToPay } from '../../src/lib/lightning/lnurl-client.ts'
import { payAnswer } from '../../src/lib/lightning/lnurl-messages.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { RELAY_URL } from '../world/relay.ts'
import { isRefusal, pay } from './payers.ts'
import type { Actor, PayableRequest, Stage } from './people.ts'

/** The kind of the event that is a zap request (NIP-57). */
const ZAP_REQUEST = 9_734

/** People on Nostr who zap members' addresses; some claim to give more than they do, and some never pay. */
export const zappers: Actor = {
  name: 'zappers',
  weight: 4,
  async act(stage) {
    const { chance } = stage
    if (stage.addresses.length === 0) return
    const address = chance.one(stage.addresses.slice(-5))
    const amount = sats(chance.between(1, 300))
    const said = chance.happens(0.7) ? amount : amount * BigInt(chance.between(2, 100))
    await zap(stage, address, { amount, said, pays: chance.happens(0.8) })
  },
}

interface Zap {
  readonly amount: bigint
  /** The amount that the zap request claims. */
  readonly said: bigint
  readonly pays: boolean
}

/** Zaps an address: requests an invoice with a signed zap request, and pays or ignores the invoice. */
export async function zap(stage: Stage, address: PayableRequest, { amount, said, pays }: Zap): Promise<void> {
  const { judge } = stage.world
  const zapped = await askFor(stage, address, amount, said)
  if (zapped === undefined) return
  const { request, invoice } = zapped
  const { paymentHash, amount: due = 0n } = decodeInvoice(invoice)
  judge.zaps.accepted({ request, asked: said, invoice, paymentHash, amount: due })
  stage.note(`somebody zaps ${said} msats with ${due}`)
  if (pays) await pay(stage, { code: invoice, amount: undefined, credit: address.credit })
}

async function askFor(stage: Stage, { code }: PayableRequest, amount: bigint, said: bigint) {
  try {
    const offer = await askToPay(stage.fetch, decodeLnurl(code))
    if (offer.params.allowsNostr !== true) return undefined
    const request = zapRequest(stage, said)
    const url = new URL(offer.callback)
    url.searchParams.set('amount', String(amount))
    url.searchParams.set('nostr', request)
    const { body } = await stage.fetch(url.href)
    const answer = payAnswer.safeParse(JSON.parse(Buffer.from(body).toString())).data
    return answer && { request, invoice: answer.pr }
  } catch (error) {
    // Half an answer, or a proxy's page.
    if (isRefusal(error) || error instanceof SyntaxError) return undefined
    throw error
  }
}

function zapRequest({ chance, world }: Stage, amount: bigint): string {
  const event = finalizeEvent(
    {
      kind: ZAP_REQUEST,
      created_at: Math.floor(world.timeline.now() / 1_000),
      content: 'well said',
      tags: [
        ['p', chance.bytes(32).toString('hex')],
        ['amount', String(amount)],
        ['relays', RELAY_URL],
      ],
    },
    Uint8Array.from(chance.bytes(32)),
  )
  return JSON.stringify(event)
}
