import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import type { Entropy } from '../../../lib/entropy.ts'
import { encodeInvoice } from '../../../lib/lightning/bolt11.ts'
import type { Msats } from '../../../lib/money/amount.ts'
import type { CreatedInvoice, InvoiceRequest } from '../backend.ts'
import type { NetworkFile, NodeName } from './network-file.ts'

export const NETWORK = 'regtest'

/**
 * The features that present nodes announce: variable-length onion and payment secret required, multi-part payments
 * possible.
 */
const FEATURES = [8, 14, 17]

/**
 * Creates a node's invoice. Until somebody pays the invoice, only the network and the invoice's owner know the
 * preimage.
 */
export function createInvoice(
  { file, clock, entropy }: { file: NetworkFile; clock: Clock; entropy: Entropy },
  owner: NodeName,
  request: InvoiceRequest,
): CreatedInvoice {
  const { amount, description, expiresInSeconds } = request
  const preimage = entropy.bytes(32).toString('hex')
  const paymentHash = hashOf(preimage)
  // An invoice counts in whole seconds, so round the time: the network must enforce what the invoice says.
  const createdAt = new Date(Math.floor(clock.now() / 1000) * 1000)
  const expiresAt = new Date(createdAt.getTime() + expiresInSeconds * 1000)
  const invoice = encodeInvoice({
    network: NETWORK,
    amount,
    ...(description.hash === undefined ? { description: description.text } : { descriptionHash: description.hash }),
    paymentHash,
    paymentSecret: entropy.bytes(32).toString('hex'),
    createdAt,
    expiresInSeconds,
    privateKey: file.privateKey(owner),
    features: FEATURES,
    cltvExpiry: 18,
  })
  file.addInvoice({ paymentHash, owner, invoice, preimage, amount: amount ?? null, expiresAt: expiresAt.getTime() })
  return { invoice, paymentHash, expiresAt, preimage }
}

/** Returns the payment hash of a preimage, both in hex. */
export function hashOf(preimage: string): string {
  return createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
}

/**
 * The routers' fee for a payment: a base, and a share of the amount in parts per million, which is rounded up to an
 * msat.
 */
export interface RoutingFee {
  readonly base: Msats
  readonly partsPerMillion: number
}
