import { OutgoingError } from '../../lib/http/outgoing-error.ts'
import type { Invoice } from '../../lib/lightning/bolt11.ts'
import { decodeLnurl, InvalidLnurl } from '../../lib/lightning/lnurl.ts'
import { askToPay, LnurlProblem, requestInvoice } from '../../lib/lightning/lnurl-client.ts'
import { type Msats, msats } from '../../lib/money/amount.ts'
import { within } from '../core/activity.ts'
import type { CoreContext } from '../core/context.ts'
import type { DepositView } from './deposits.ts'
import { MIN_INVOICE_LEFT_MS, readDepositView } from './view-deposit.ts'

/** The longest time that the display of a deposit's code waits for an invoice. */
const TIMEOUT_MS = 2_000

/**
 * Returns a deposit, with a payable invoice if possible: not every wallet reads LNURL codes, but every wallet reads
 * invoices. The invoice belongs to the deposit's charge, so a payment of the invoice uses the same slot. Without an
 * invoice, the LNURL code is enough. Throws TippingRefusal `not-there`, or the refusal with which the deposit's charge
 * failed.
 */
export async function depositToPay(context: CoreContext, id: string): Promise<DepositView> {
  const deposit = await readDepositView(context, id)
  if (deposit.state !== 'open' || deposit.invoice !== undefined) return deposit
  const asking = context.activity.run('get an invoice for a deposit', () => getInvoice(context, deposit))
  await within(context.clock, asking, TIMEOUT_MS)
  return await readDepositView(context, id)
}

async function getInvoice(context: CoreContext, { id, request, amount }: DepositView): Promise<void> {
  const invoice = await ask(context, request, amount)
  if (invoice === undefined) return
  await context.commit({
    write: (tx) =>
      tx.deposit.updateMany({
        where: { id, state: 'open' },
        data: { invoice: invoice.text, invoiceExpiresAt: invoice.expiresAt },
      }),
  })
}

/**
 * Requests an invoice with a deposit's code as a wallet would, and checks the answer as a careful wallet would;
 * undefined if there is no usable invoice.
 */
async function ask(context: CoreContext, request: string, amount: Msats): Promise<Invoice | undefined> {
  const { fetch, lnurl } = context.providersCodes
  try {
    const offer = await askToPay(fetch, decodeLnurl(request, lnurl))
    const { invoice } = await requestInvoice(fetch, offer, {
      amount: msats(amount),
      network: await context.network.find(context),
      now: context.clock.now(),
      minSecondsLeft: MIN_INVOICE_LEFT_MS / 1_000,
    })
    return invoice
  } catch (error) {
    const isForeseen = error instanceof InvalidLnurl || error instanceof LnurlProblem || error instanceof OutgoingError
    if (!isForeseen) throw error
    context.logger.info({ reason: error.message }, 'the code of a deposit gave no invoice, so it is shown alone')
    return undefined
  }
}
