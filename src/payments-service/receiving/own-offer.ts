import { createHash } from 'node:crypto'
import { decodeOffer } from '../../lib/lightning/bolt12.ts'
import type { Settlement } from '../backends/backend.ts'
import type { Tx } from '../core/database.ts'
import { readBookNode } from '../engine/node/book-node.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Offer } from '../generated/client.ts'
import type { Invoice } from './own-invoice.ts'
import { findPayableCharge, findPayableName, type PayableName } from './payable-name.ts'
import { storedComment } from './payer-comment.ts'

/** The most characters in an offer's description: the offer must fit into a QR code that cameras can read. */
const MAX_DESCRIPTION_LENGTH = 160
const ONE_SAT = 1_000n
const CONTROL = /\p{Cc}+/gu

/**
 * The prefix of the book's name for an offer's invoice, before a colon and the invoice's payment hash. The names of
 * other invoices begin differently.
 */
export const OFFER_INVOICE = 'lni'

/**
 * Returns the BOLT12 offer (`lno1…`) that pays the same wallet as this address or code: any amount, any number of
 * times. The offer is made at the first request, and stored: anybody who has it can pay it forever, even after the name
 * in it has changed hands. Resolves to undefined if our node cannot be paid by offers or cannot make one at present, if
 * the node's operator has disabled this offer, or if there are counted slots, a smallest amount or a fixed amount,
 * which an offer cannot express.
 */
export async function offerOf(parts: ServiceParts, payable: PayableName): Promise<string | undefined> {
  const isCounted = !payable.asksWhoPays
  // An offer accepts any amount.
  const hasPrice = payable.minAmount > ONE_SAT || payable.minAmount === payable.maxAmount
  if (isCounted || hasPrice || !parts.backend.capabilities.ownOffers) return undefined
  const node = await readBookNode(parts.database.read)
  if (node === null) return undefined
  const { purpose, resourceId, payee } = payable.purpose
  const description = descriptionOf(payable)
  const which = { node: node.pubkey, purpose, resourceId, description }
  const find = (read: Pick<Tx, 'offer'>) => read.offer.findFirst({ where: which })
  const known = await find(parts.database.read)
  if (known !== null && (await isNotReady(parts))) return known.text
  // The service's name may have changed, but the node knows the offer by its original name.
  const issuer = (known && decodeOffer(known.text).issuer) ?? issuerOf(parts, purpose, resourceId)
  try {
    const made = await parts.backend.createOffer?.({ description, issuer })
    if (made === undefined || known !== null) return made && known?.text
    const createdAt = new Date(parts.clock.now())
    const offer: Offer = { ...made, ...which, payeeKind: payee.kind, payeeId: payee.id, createdAt }
    await parts.ledger.commit({
      // Two simultaneous requests get the same answer from the node.
      write: async (tx) => void ((await find(tx)) ?? (await tx.offer.create({ data: offer }))),
    })
    return offer.text
  } catch (error) {
    parts.logger.warn({ err: error, purpose, resource: resourceId }, 'the Lightning node made no offer')
    return known?.text
  }
}

/** Whether our node is not ready, so waiting for its answer about an earlier offer is pointless. */
async function isNotReady({ nodeWatch }: ServiceParts): Promise<boolean> {
  return (await nodeWatch.recent()).health.state !== 'ready'
}

/** Returns what our offer with this text pays; undefined if the offer is not ours. */
export async function findOwnOffer(parts: ServiceParts, text: string): Promise<PayableName | undefined> {
  const offer = await parts.database.read.offer.findUnique({ where: { text } })
  if (offer === null) return undefined
  if (offer.purpose === 'static-charge') return findPayableCharge(parts, offer.resourceId)
  const { gamertag } = await parts.database.read.user.findUniqueOrThrow({ where: { id: offer.resourceId } })
  return findPayableName(parts, gamertag)
}

/**
 * Returns the row, not yet written, of an invoice that our node made for a payer of our offer; undefined for any other
 * settlement. The row's amount is what arrived. The invoice's text is not stored, because it repeats the payer's note,
 * which may be longer than any database index permits.
 */
export async function invoiceByOffer(
  parts: Pick<ServiceParts, 'database'>,
  {
    offer: paid,
    paymentHash,
    received,
    settledAt,
  }: Pick<Settlement, 'offer' | 'paymentHash' | 'received' | 'settledAt'>,
): Promise<Invoice | undefined> {
  if (paid === undefined) return undefined
  const offer = await parts.database.read.offer.findUnique({ where: { id: paid.id } })
  if (offer === null) return undefined
  const { purpose, resourceId, payeeKind, payeeId } = offer
  return {
    ...{
      paymentHash,
      request: [OFFER_INVOICE, paymentHash].join(':'),
      purpose,
      resourceId,
      payeeKind,
      payeeId,
      amount: received,
      status: 'open',
    },
    ...{
      createdAt: settledAt,
      expiresAt: settledAt,
      comment: storedComment(paid.note),
      payerData: '',
      zapRequest: '',
      payer: '',
    },
    ...{ receivedAmount: null, preimage: null, settledAt: null, settledBy: null, nextLookUpAt: null, lookUps: 0 },
  }
}

/**
 * Returns an issuer that makes two owners' offers differ, even if a name changed hands. Otherwise the node would treat
 * the two offers as one.
 */
function issuerOf({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, purpose: string, resourceId: string): string {
  const whose = createHash('sha256').update(`${purpose}:${resourceId}`).digest('hex').slice(0, 16)
  const { host } = new URL(publicUrl)
  return [host, whose].join('/')
}

function descriptionOf({ description }: PayableName): string {
  return [...description.replaceAll(CONTROL, ' ').toWellFormed()].slice(0, MAX_DESCRIPTION_LENGTH).join('')
}
