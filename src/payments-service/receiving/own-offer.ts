import { createHash } from 'node:crypto'
import { decodeOffer } from '../../lib/lightning/bolt12.ts'
import type { Settlement } from '../backends/backend.ts'
import type { Tx } from '../core/database.ts'
import { readBookNode } from '../engine/node/book-node.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Offer } from '../generated/client.ts'
import type { Invoice } from './own-invoice.ts'
import { COMMENT_ALLOWED, findPayableCharge, findPayableName, type PayableName } from './payable-name.ts'

/** An offer's description must fit into a QR code that cameras read. */
const MAX_DESCRIPTION_LENGTH = 160
const ONE_SAT = 1_000n
const CONTROL = /\p{Cc}+/gu

/** How the book names the invoice of an offer, before a colon and its payment hash. Invoices of other kinds begin otherwise. */
export const OFFER_INVOICE = 'lni'

/**
 * The BOLT12 offer (`lno1…`) that pays the same wallet as this address or code: any amount, as often as payers like. It
 * is made at the first request, and kept: anybody who has it can pay it forever, also after it shows another name.
 * Undefined where our node takes no payments by offers or makes none just now, where its operator has disabled this
 * one, and where slots are counted or less than some amount does not do, which an offer cannot know.
 */
export async function offerOf(parts: ServiceParts, payable: PayableName): Promise<string | undefined> {
  const isCounted = !payable.asksWhoPays
  // Any amount can be paid to an offer.
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
  // The name of this service may have changed since; the node knows the offer by what it said then.
  const issuer = (known && decodeOffer(known.text).issuer) ?? issuerOf(parts, purpose, resourceId)
  try {
    const made = await parts.backend.createOffer?.({ description, issuer })
    if (made === undefined || known !== null) return made && known?.text
    const createdAt = new Date(parts.clock.now())
    const offer: Offer = { ...made, ...which, payeeKind: payee.kind, payeeId: payee.id, createdAt }
    await parts.ledger.commit({
      // Two that asked at once have the same answer of the node.
      write: async (tx) => void ((await find(tx)) ?? (await tx.offer.create({ data: offer }))),
    })
    return offer.text
  } catch (error) {
    parts.logger.warn({ err: error, purpose, resource: resourceId }, 'the Lightning node made no offer')
    return known?.text
  }
}

/** Whether it is not worth to wait for the node's word about an offer that was made before. */
async function isNotReady({ nodeWatch }: ServiceParts): Promise<boolean> {
  return (await nodeWatch.recent()).health.state !== 'ready'
}

/** The offer of ours that a text is, and what it pays. */
export async function findOwnOffer(parts: ServiceParts, text: string): Promise<PayableName | undefined> {
  const offer = await parts.database.read.offer.findUnique({ where: { text } })
  if (offer === null) return undefined
  if (offer.purpose === 'static-charge') return findPayableCharge(parts, offer.resourceId)
  const { gamertag } = await parts.database.read.user.findUniqueOrThrow({ where: { id: offer.resourceId } })
  return findPayableName(parts, gamertag)
}

/**
 * The invoice that our node made by itself for a payer of our offer, as a row that is not written yet; undefined for
 * any other settlement. It is for what arrived. Its text is not kept: it repeats what the payer wrote, as long as they
 * like, and no index of a database takes a text of any length.
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
      comment: commentOf(paid.note),
      payerData: '',
      zapRequest: '',
      payer: '',
    },
    ...{ receivedAmount: null, preimage: null, settledAt: null, settledBy: null, nextLookUpAt: null, lookUps: 0 },
  }
}

/** Two owners' offers never have the same text, even if a name changed hands: the node would take them for one. */
function issuerOf({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, purpose: string, resourceId: string): string {
  const whose = createHash('sha256').update(`${purpose}:${resourceId}`).digest('hex').slice(0, 16)
  const { host } = new URL(publicUrl)
  return [host, whose].join('/')
}

function descriptionOf({ description }: PayableName): string {
  return [...description.replaceAll(CONTROL, ' ').toWellFormed()].slice(0, MAX_DESCRIPTION_LENGTH).join('')
}

/** Prepares a payer's comment for the book: no database stores NUL or half characters as they are. */
export function commentOf(note: string): string {
  return [...note.replaceAll('\0', '').toWellFormed()].slice(0, COMMENT_ALLOWED).join('')
}
