import { OutgoingError } from '../../../lib/http/outgoing-error.ts'
import { decodeInvoice, InvalidInvoice, type Invoice, isExpired } from '../../../lib/lightning/bolt11.ts'
import { InvalidLnurl, parseLightningAddress } from '../../../lib/lightning/lnurl.ts'
import { askToPay, LnurlProblem, requestInvoice } from '../../../lib/lightning/lnurl-client.ts'
import { type Msats, msats } from '../../../lib/money/amount.ts'
import { NwcNoAnswer, NwcUnreadable, NwcWalletError } from '../../../lib/nostr/wallet-connect/nwc-client.ts'
import type { CoreContext } from '../../core/context.ts'
import type { WalletPayment } from '../../generated/client.ts'
import { readReceiver } from './connections.ts'
import type { WalletContext } from './wallet-context.ts'

/**
 * The lifetime of a gift's invoice: long enough for a wallet to wake up, and short enough for an unknown payment to end
 * soon.
 */
const INVOICE_SECONDS = 120
/** The least time for which an invoice must still be valid when the giver's wallet is asked. */
const MIN_SECONDS_LEFT = 20

/** The error if the receiver's side provided no invoice that may be paid. Nothing was sent. */
export class NoInvoice extends Error {
  override readonly name = 'NoInvoice'
}

export interface FixedInvoice {
  readonly invoice: Invoice
  /** The LUD-21 address that reports whether the invoice was paid. */
  readonly verify: string | undefined
}

/** Gets a gift's only invoice from the receiver's side, and checks it before anybody pays. Throws NoInvoice. */
export async function invoiceOfReceiver(
  context: WalletContext,
  payment: Pick<WalletPayment, 'receiver' | 'recipient' | 'amount'>,
): Promise<FixedInvoice> {
  try {
    const receiver = readReceiver(payment.receiver)
    if (receiver.kind === 'address') return await fromAddress(context, receiver.address, payment)
    const asked = { amount: msats(payment.amount), description: 'Tip', seconds: INVOICE_SECONDS }
    return { invoice: await invoiceOfWallet(context, receiver.connection, asked), verify: undefined }
  } catch (error) {
    if (isTheirs(error)) throw new NoInvoice(error instanceof Error ? error.message : String(error), { cause: error })
    throw error
  }
}

/** Whether the other side, or the connection to it, caused the error. */
export function isTheirs(error: unknown): boolean {
  return [NwcNoAnswer, NwcUnreadable, NwcWalletError, LnurlProblem, OutgoingError, InvalidInvoice, InvalidLnurl].some(
    (kind) => error instanceof kind,
  )
}

/**
 * Asks a connected wallet for an invoice, and checks that it has the exact amount and our network, and is not about to
 * expire. Throws NoInvoice, and errors that `isTheirs` recognizes.
 */
export async function invoiceOfWallet(
  context: WalletContext,
  connection: string,
  { amount, description, seconds }: { readonly amount: Msats; readonly description: string; readonly seconds: number },
): Promise<Invoice> {
  const wallet = await context.wallets.connections.wallet(connection)
  if (wallet === undefined) throw new NoInvoice('the receiver has no connected wallet any more')
  const text = await wallet.makeInvoice({ amount, description, expiresInSeconds: seconds })
  const invoice = decodeInvoice(text)
  const network = await context.network.find(context)
  if (invoice.amount !== amount) throw new NoInvoice(`the invoice is for ${invoice.amount}, not for ${amount} msats`)
  if (network !== undefined && invoice.network !== network) throw new NoInvoice(`the invoice is for ${invoice.network}`)
  if (isExpired(invoice, context.clock.now() + MIN_SECONDS_LEFT * 1_000)) throw new NoInvoice('the invoice has expired')
  return invoice
}

async function fromAddress(
  context: CoreContext,
  address: string,
  { recipient, amount }: Pick<WalletPayment, 'recipient' | 'amount'>,
): Promise<FixedInvoice> {
  const { fetch, lnurl } = context.egress
  const theirs = fetch.for(recipient)
  const offer = await askToPay(theirs, parseLightningAddress(address, lnurl).url)
  const { invoice, verify } = await requestInvoice(theirs, offer, {
    amount: msats(amount),
    network: await context.network.find(context),
    now: context.clock.now(),
    minSecondsLeft: MIN_SECONDS_LEFT,
  })
  return { invoice, verify }
}
