import { z } from 'zod'
import { isPreimageOf } from '../../../lib/lightning/preimage.ts'
import type { Outside } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { WalletPayment } from '../../generated/client.ts'
import { allows, readReceiver } from './connections.ts'
import { isTheirs } from './invoice-of-receiver.ts'
import type { WalletContext } from './wallet-context.ts'

/** The present evidence of a payment from both sides. */
export interface Evidence {
  /** Proof that the payment was made. */
  readonly paid?: { readonly preimage: string | undefined; readonly says: string }
  /** Whether the receiver's side, which was just asked, has the invoice and reports it as unpaid. */
  readonly unpaid?: true
}

type Asked = WalletPayment & { readonly paymentHash: string }

/**
 * Asks both sides whether an invoice was paid. The preimage is proof, no matter who shows it, and so is the receiver's
 * own statement that the sats arrived: a receiver would not falsely claim that. Without a preimage, the giver's wallet
 * proves nothing.
 */
export async function evidenceOf(context: WalletContext, payment: Asked): Promise<Evidence> {
  const [receiver, giver] = await Promise.all([
    quietly(() => fromReceiver(context, payment)),
    quietly(() => fromGiver(context, payment)),
  ])
  if (receiver?.paid) return receiver
  if (giver?.paid) return giver
  // A payment under way may arrive after the invoice expires, because the receiver's side can hold it back.
  return giver?.leaves ? {} : (receiver ?? {})
}

/** Whether the receiver's side can prove that an invoice was paid, whichever wallet paid it. */
export async function isProvable(
  client: Pick<Tx, 'walletConnection'>,
  { receiver, verify }: Pick<WalletPayment, 'receiver' | 'verify'>,
): Promise<boolean> {
  const to = readReceiver(receiver)
  if (to.kind === 'address') return verify !== null
  const own = await client.walletConnection.findUnique({ where: { id: to.connection } })
  return own !== null && allows(own, 'lookup_invoice')
}

/** Runs a query to one side, and ignores that side's errors: no answer proves nothing. */
async function quietly<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isTheirs(error)) return undefined
    throw error
  }
}

async function fromReceiver(context: WalletContext, payment: Asked): Promise<Evidence> {
  const receiver = readReceiver(payment.receiver)
  if (receiver.kind === 'address') return await fromVerify(context, payment)
  const wallet = await context.wallets.connections.wallet(receiver.connection)
  const found = await wallet?.lookUp(payment.paymentHash)
  // If both use the same wallet, this may be the outgoing payment.
  if (found?.type !== 'incoming') return {}
  if (found.state === 'settled') {
    return { paid: { preimage: proven(found.preimage, payment), says: "the receiver's wallet: settled" } }
  }
  return { unpaid: true }
}

/** Asks the giver's wallet for proof. `leaves`: the wallet reports that the payment is under way. */
async function fromGiver(context: WalletContext, payment: Asked): Promise<Evidence & { readonly leaves?: true }> {
  const wallet = await context.wallets.connections.wallet(payment.connection)
  const found = await wallet?.lookUp(payment.paymentHash)
  const preimage = found === undefined ? undefined : proven(found.preimage, payment)
  // The receiver's wallet knows the preimage from the start, so its own invoice proves nothing.
  if (found?.type !== 'outgoing') return {}
  if (preimage === undefined) return found.state === 'pending' ? { leaves: true } : {}
  return { paid: { preimage, says: "the giver's wallet: preimage" } }
}

const verifyAnswer = z.looseObject({
  settled: z.boolean(),
  preimage: z.string().nullish().catch(undefined),
})

const MAX_VERIFY_BYTES = 16 * 1024

/** Asks the LUD-21 address whether the invoice was paid, and for the preimage, which may be missing. */
async function fromVerify({ egress }: Outside, payment: Asked): Promise<Evidence> {
  if (payment.verify === null) return {}
  const { body } = await egress.fetch.for(payment.recipient)(payment.verify, { maxBytes: MAX_VERIFY_BYTES })
  const answer = verifyAnswer.safeParse(parse(body))
  if (!answer.success) return {}
  const { settled, preimage } = answer.data
  if (settled) return { paid: { preimage: proven(preimage ?? undefined, payment), says: 'LUD-21: settled' } }
  return { unpaid: true }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

function proven(preimage: string | undefined, { paymentHash }: Asked): string | undefined {
  return preimage !== undefined && isPreimageOf(preimage, paymentHash) ? preimage : undefined
}
