import type { OfferAnswer, OfferDraft, OfferRequest, OwnOffer, Settlement } from '../backend.ts'
import { ClnError, type ClnInvoice, type Clnrest, ClnUnreadable, RUNE_REFUSALS } from './clnrest.ts'

/** The refusals of `fetchinvoice` and their meanings (doc/schemas/fetchinvoice.json). None of them moves a sat. */
const REFUSALS: ReadonlyMap<number, Exclude<OfferAnswer['state'], 'fetched'>> = new Map([
  // "Offer has expired."
  [1002, 'expired'],
  // "Cannot find a route to the node making the offer."
  [1003, 'unreachable'],
  // "The node making the offer returned an error message."
  [1004, 'refused'],
  // "We timed out trying to fetch an invoice."
  [1005, 'unreachable'],
  // JSON-RPC 2.0, "Invalid params": an offer that needs more than an amount, or that lightningd cannot read.
  [-32602, 'refused'],
])

/** The part of an error of `fetchbip353` which shows that the DNS could not be queried (observed). */
const NOT_LOOKED_UP = /HrnResolutionError/

/** The time by which lightningd gives up before we do, so that its own error message arrives. */
const HEAD_START_MS = 2_000
/** The share of the time limit that a name look-up may take. */
const NAME_SHARE = 1 / 3

/**
 * Fetches an invoice for an offer or a Bitcoin name. lightningd looks the name up and checks its DNSSEC proof itself
 * (`fetchbip353`), so no resolver has to be trusted. If a failed call proves nothing about the offer or the name,
 * throws that call's error.
 */
export async function fetchOfferInvoice(
  rpc: Clnrest,
  { to, amount, note, timeoutMs }: OfferRequest,
): Promise<OfferAnswer> {
  const nameMs = 'name' in to ? Math.floor(timeoutMs * NAME_SHARE) : 0
  const found = 'offer' in to ? to.offer : await offerOf(rpc, to.name, nameMs)
  if (typeof found !== 'string') return found
  const leftMs = timeoutMs - nameMs
  const params = {
    offer: found,
    timeout: Math.max(1, Math.floor((leftMs - HEAD_START_MS) / 1_000)),
    ...(amount !== undefined && { amount_msat: Number(amount) }),
    ...(note !== '' && { payer_note: note }),
    ...('name' in to && { bip353: to.name }),
  }
  try {
    const { invoice } = await rpc.call('fetchinvoice', params, { timeoutMs: leftMs })
    return { state: 'fetched', invoice }
  } catch (error) {
    if (!(error instanceof ClnError) || error.code === null) throw error
    const state = REFUSALS.get(error.code)
    if (state === undefined) throw error
    return { state, reason: error.words }
  }
}

async function offerOf(rpc: Clnrest, name: string, timeoutMs: number): Promise<string | OfferAnswer> {
  try {
    const { instructions } = await rpc.call('fetchbip353', { address: name }, { timeoutMs })
    const offer = instructions.find((one) => one.offer !== undefined)?.offer
    return offer ?? { state: 'unknown-name', reason: 'the name leads to no offer' }
  } catch (error) {
    // It has one code for every fault of a name, including its proof. Only its words show that the DNS was not asked.
    if (!(error instanceof ClnError) || error.code === null || RUNE_REFUSALS.includes(error.code)) throw error
    return { state: NOT_LOOKED_UP.test(error.words) ? 'name-unanswered' : 'unknown-name', reason: error.words }
  }
}

/** The error code for "offer already exists, but is not active" (doc/schemas/offer.json). */
const OFFER_DISABLED = 1000

/**
 * Creates an offer for any amount. lightningd derives the id from the offer's content, and returns an offer that
 * already exists (doc/schemas/offer.json). Resolves to undefined if the operator has disabled that offer.
 */
export async function makeOffer(rpc: Clnrest, draft: OfferDraft, timeoutMs: number): Promise<OwnOffer | undefined> {
  try {
    const made = await rpc.call('offer', { amount: 'any', ...draft }, { timeoutMs })
    return { id: made.offer_id, text: made.bolt12 }
  } catch (error) {
    if (error instanceof ClnError && error.code === OFFER_DISABLED) return undefined
    throw error
  }
}

/**
 * Returns our offer through which an invoice was paid; undefined for an invoice without an offer. The fields of the
 * offer are documented for `listinvoices`, but not for `waitanyinvoice`. If they are missing, `find` requests them.
 */
export async function offerPaid(
  invoice: ClnInvoice,
  find: (paymentHash: string) => Promise<ClnInvoice | undefined>,
): Promise<Settlement['offer']> {
  if (invoice.bolt12 === undefined) return undefined
  const full = invoice.local_offer_id === undefined ? await find(invoice.payment_hash) : invoice
  if (full === undefined) throw new ClnUnreadable('listinvoices: the node does not know an invoice that was paid')
  const { bolt12, local_offer_id: id, invreq_payer_note: note = '' } = full
  return bolt12 === undefined || id === undefined ? undefined : { id, invoice: bolt12, note }
}
