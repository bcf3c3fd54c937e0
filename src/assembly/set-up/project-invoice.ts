import type { Clock } from '../../lib/clock.ts'
import { decodeInvoice } from '../../lib/lightning/bolt11.ts'
import { payAnswer } from '../../lib/lightning/lnurl-messages.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { Problem } from '../../lib/problem.ts'
import { createPaymentsClient } from '../../payments-api/payments-api.ts'

/** An invoice that pays a project's wallet. */
export interface ProjectInvoice {
  /** The BOLT11 invoice. */
  readonly invoice: string
  /** The payment hash, in hex. */
  readonly paymentHash: string
  /** The LNURL code of the same charge, for wallets that pay LNURLs. */
  readonly lnurl: string
  isPaid(): Promise<boolean>
  close(): Promise<void>
}

const TIMEOUT_MS = 15_000

/**
 * Asks the service for an invoice that pays `amount` into the wallet of the key's project. Each call makes a new
 * invoice, which can be paid once. Throws PaymentsError, or Problem with the service's reason if it makes no invoice.
 */
export async function createProjectInvoice(
  baseUrl: string,
  project: { readonly apiKey: string; readonly amount: Msats; readonly description: string; readonly clock: Clock },
): Promise<ProjectInvoice> {
  const { apiKey, amount, description, clock } = project
  const client = createPaymentsClient({ baseUrl, apiKey, clock, timeoutMs: TIMEOUT_MS })
  try {
    const asked = { minAmount: amount, maxAmount: amount, description, allowedSlots: 1 }
    const { data: charge } = await client.createStaticCharge(asked)
    const path = `/v0/request-static-charges/${charge.id}/callback?amount=${amount}`
    const answer: unknown = await (await fetch(baseUrl + path, { signal: AbortSignal.timeout(TIMEOUT_MS) })).json()
    const read = payAnswer.safeParse(answer)
    if (!read.success) throw new Problem(reasonOf(answer))
    return {
      invoice: read.data.pr,
      paymentHash: decodeInvoice(read.data.pr).paymentHash,
      lnurl: charge.invoice.request,
      isPaid: async () => (await client.getStaticCharge({ id: charge.id })).data.slots > 0,
      close: () => client.close(),
    }
  } catch (error) {
    await client.close()
    throw error
  }
}

function reasonOf(answer: unknown): string {
  const reason = (answer as { readonly reason?: unknown } | null)?.reason
  return typeof reason === 'string' ? reason : 'The payments service made no invoice. Check its log.'
}
