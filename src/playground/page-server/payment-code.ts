import { decodeInvoice, InvalidInvoice, isExpired } from '../../lib/lightning/bolt11.ts'
import { decodeLnurl, InvalidLnurl, looksLikeLnurl, parseLightningAddress } from '../../lib/lightning/lnurl.ts'
import { askToPay, askToWithdraw, type LnurlFetch, LnurlProblem } from '../../lib/lightning/lnurl-client.ts'

/** A code as a wallet shows it before it pays or claims. Amounts are in msats. */
export interface PaymentCode {
  readonly does: 'pay' | 'claim'
  readonly kind: 'invoice' | 'pay-code' | 'address' | 'withdraw-code'
  /** The text that the wallet needs in order to pay or claim. */
  readonly text: string
  /** The minimum amount, equal to `max` if the amount is fixed. */
  readonly min: bigint
  readonly max: bigint
  readonly description: string
  /** The maximum length of a comment; 0 if no comment is accepted. */
  readonly commentAllowed: number
  /** ISO 8601; null if the code does not expire. */
  readonly expiresAt: string | null
}

/**
 * Reads a text that was pasted or is in a QR code, and asks an LNURL's server for its terms. Throws an Error whose
 * message is a sentence for the person with the phone.
 */
export async function readPaymentCode(input: string, fetch: LnurlFetch, now: number): Promise<PaymentCode> {
  const text = input.trim().replace(/^lightning:/i, '')
  if (looksLikeLnurl(text)) return await readLnurl(text, fetch)
  if (text.includes('@')) {
    const { address, url } = parseLightningAddress(text, { allowLoopbackHttp: true })
    return { ...(await offerToPay(fetch, url)), kind: 'address', text: address }
  }
  return readInvoice(text, now)
}

function readInvoice(text: string, now: number): PaymentCode {
  try {
    const invoice = decodeInvoice(text)
    if (isExpired(invoice, now)) throw new InvalidInvoice('This invoice has expired. Ask for a new one.')
    return {
      does: 'pay',
      kind: 'invoice',
      text: invoice.text,
      min: invoice.amount ?? 1_000n,
      max: invoice.amount ?? 100_000_000_000n,
      description: invoice.description ?? '',
      commentAllowed: 0,
      expiresAt: invoice.expiresAt.toISOString(),
    }
  } catch (error) {
    const isInvoice = /^ln(bc|tb|sb)/i.test(text)
    if (isInvoice) throw error
    throw new InvalidInvoice('This is not a Lightning invoice, code or address. Copy it again, in full.', {
      cause: error,
    })
  }
}

/** Reads an LNURL. Only its server knows whether the code takes sats or pays them out, so this asks for both. */
async function readLnurl(text: string, fetch: LnurlFetch): Promise<PaymentCode> {
  const url = decodeLnurl(text, { allowLoopbackHttp: true })
  try {
    return { ...(await offerToPay(fetch, url)), text }
  } catch (error) {
    if (!(error instanceof LnurlProblem) && !(error instanceof InvalidLnurl)) throw error
  }
  const offer = await askToWithdraw(fetch, url)
  return {
    does: 'claim',
    kind: 'withdraw-code',
    text,
    min: BigInt(offer.minWithdrawable),
    max: BigInt(offer.maxWithdrawable),
    description: offer.defaultDescription,
    commentAllowed: 0,
    expiresAt: null,
  }
}

async function offerToPay(fetch: LnurlFetch, url: URL): Promise<Omit<PaymentCode, 'text'>> {
  const { min, max, description, commentAllowed } = await askToPay(fetch, url)
  return { does: 'pay', kind: 'pay-code', min, max, description, commentAllowed, expiresAt: null }
}
