import { parseWireMsats } from '../../lib/money/amount.ts'
import { PaymentsError, progressOf } from '../../payments-api/payments-api.ts'
import { type Book, type CoreContext, now } from '../core/context.ts'
import { lacksOperation } from '../core/provider-refusal.ts'
import { isPresent } from '../engine/alerts/present-provider.ts'
import { END, inMs, type Next, paceMs } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Invoice, PollJob } from '../generated/client.ts'

type Seen = 'paid' | 'reported' | 'expired' | 'open'

/**
 * Finds out whether an invoice was paid, by reading its charge if the provider permits that (an addition to the
 * interface). Otherwise the only evidence is a caller's claim at the invoice's secret address, which is shown as
 * `reported`.
 */
export async function pollInvoice(context: TippingContext, job: PollJob): Promise<Next> {
  const invoice = await context.database.read.invoice.findUnique({ where: { id: job.id } })
  if (invoice === null || invoice.state === 'paid' || invoice.request === null) return END
  const readable = invoice.chargeId ?? (await learnId(context, invoice, job.said))
  if (readable !== null && isPresent(context, invoice.provider)) {
    const seen = await read(context, invoice, readable)
    if (seen !== undefined) {
      await note(context, invoice, seen.state, seen.at)
      return seen.state === 'open' ? inMs(paceMs(job.bornAt, context.clock.now())) : END
    }
  }
  const said = claimOf(invoice, job.said)
  if (said === 'completed') {
    await note(context, invoice, 'reported', now(context))
    return END
  }
  const leftMs = invoice.expiresAt.getTime() - context.clock.now()
  if (said !== 'expired' && leftMs > 0)
    return inMs(readable === null ? leftMs : paceMs(job.bornAt, context.clock.now()))
  await note(context, invoice, 'expired', now(context))
  return END
}

/**
 * Returns the state of a charge at the provider: `open` if the provider did not answer; undefined if its charges cannot
 * be read, or if this one does not match the invoice.
 */
async function read(
  context: CoreContext,
  invoice: Invoice,
  id: string,
): Promise<{ state: Seen; at: Date } | undefined> {
  try {
    const { data } = await context.payments.getGamertagCharge({ id })
    if (data.amount !== invoice.amount || data.invoiceRequest !== invoice.request) return undefined
    const at = data.confirmedAt ?? now(context)
    const progress = progressOf(data.status)
    return { state: progress === 'completed' ? 'paid' : progress === 'expired' ? 'expired' : 'open', at }
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return lacksOperation(error) ? undefined : { state: 'open', at: now(context) }
  }
}

/**
 * Learns a charge's id from a callback, if the provider did not return the id when it created the charge. Accepts the
 * id if everything else matches and no other invoice has the id.
 */
async function learnId(context: Book, invoice: Invoice, said: string | null): Promise<string | null> {
  const hint = matching(invoice, said)
  if (!hint?.id) return null
  const { id } = hint
  return await context.commit({
    write: async (tx) => {
      if (await tx.invoice.findUnique({ where: { chargeId: id } })) return null
      await tx.invoice.updateMany({ where: { id: invoice.id, chargeId: null }, data: { chargeId: id } })
      return id
    },
  })
}

function claimOf(invoice: Invoice, said: string | null) {
  const hint = matching(invoice, said)
  return hint && progressOf(hint.status)
}

/**
 * Reads a caller's claim if it concerns this invoice: internal id, amount and invoice must all match. The interface
 * does not define a callback's form, so no more is required.
 */
function matching(invoice: Invoice, said: string | null): { id: string | undefined; status: string } | undefined {
  const body = JSON.parse(said ?? 'null') as Record<string, unknown> | null
  if (body === null) return undefined
  const { id, status, internalId, amount, invoiceRequest, invoice: nested } = body
  const request = invoiceRequest ?? (nested as { request?: unknown } | null | undefined)?.request
  if (internalId !== invoice.id || parseWireMsats(amount) !== invoice.amount || request !== invoice.request) {
    return undefined
  }
  if (typeof status !== 'string') return undefined
  return { id: typeof id === 'string' && /^[\x21-\x7e]{1,64}$/.test(id) ? id : undefined, status }
}

async function note(context: TippingContext, invoice: Invoice, state: Seen, at: Date): Promise<void> {
  if (state === 'open' || state === invoice.state) return
  const { id, card, channel } = invoice
  const settled = state === 'paid' || state === 'reported'
  await context.commit({
    write: async (tx) => {
      const { count } = await tx.invoice.updateMany({
        where: { id, state: { in: settled ? ['open', 'expired', 'reported'] : ['open'] } },
        data: { state, ...(settled ? { paidAt: invoice.paidAt ?? at } : {}) },
      })
      if (count === 0) return
      await context.cards.raise(tx, [card])
      if (!settled) return
      const told = await tx.card.findUnique({ where: { kind_record: { kind: 'invoice-paid', record: id } } })
      if (told) return context.cards.raise(tx, [told.id])
      await tx.card.create({
        data: context.cards.values({
          id: context.entropy.uuid(),
          kind: 'invoice-paid',
          record: id,
          audience: { channel },
        }),
      })
    },
  })
}
