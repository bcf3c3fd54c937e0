import { z } from 'zod'
import type { Clock } from '../../../lib/clock.ts'
import type { Arrival, OddRecord, Settlement } from '../backend.ts'
import { hex32, isOdd, orLeftOut, readRow } from '../node-answers.ts'
import { ClnError, type ClnInvoice, type Clnrest, ClnUnreadable, clnInvoice } from './clnrest.ts'
import { offerPaid } from './offers.ts'

export interface SettlementParts {
  readonly rpc: Clnrest
  readonly clock: Clock
  /** Returns the whole record of an invoice; undefined if the node does not know it. */
  readonly find: (paymentHash: string) => Promise<ClnInvoice | undefined>
}

/** How long one `waitanyinvoice` waits, in seconds. A proxy could break off a longer call. */
const WAIT_S = 30
const ANSWER_TIMEOUT_MS = 10_000
const TIMED_OUT = 904

/** The fields that identify even an unreadable invoice: its hash and its index. */
const whichOne = z.object({ payment_hash: hex32, pay_index: orLeftOut(z.int().positive()) })

/**
 * Yields payments after an index (`pay_index`), in order, then each new one as it arrives, until the signal aborts.
 * Throws what the calls throw.
 */
export async function* readSettlements(
  parts: SettlementParts,
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Settlement | OddRecord> {
  let after = Number(cursor ?? 0)
  while (!signal.aborted) {
    const row = await nextPaid(parts, after, signal)
    if (row === undefined || signal.aborted) continue
    const read = readRow('waitanyinvoice', row, clnInvoice)
    const which = whichOne.safeParse(row)
    if (!which.success) throw new ClnUnreadable('waitanyinvoice: the answer is not an invoice')
    // An invoice without an index has the next one or a later one. In the latter case it comes again.
    const index = which.data.pay_index ?? after + 1
    if (index <= after) throw new ClnUnreadable('waitanyinvoice: the answer is not the invoice that was paid next')
    yield isOdd(read) ? read : await settlementOf(parts, read.read, index)
    after = index
  }
}

/**
 * Returns the first invoice paid after an index, unparsed; undefined if none was paid in time, or if the signal
 * aborted.
 */
async function nextPaid({ rpc }: SettlementParts, after: number, signal: AbortSignal): Promise<unknown> {
  const params = { lastpay_index: after, timeout: WAIT_S }
  const timeoutMs = WAIT_S * 1_000 + ANSWER_TIMEOUT_MS
  try {
    return await rpc.call('waitanyinvoice', params, { timeoutMs, signal })
  } catch (error) {
    if (signal.aborted || (error instanceof ClnError && error.code === TIMED_OUT)) return undefined
    throw error
  }
}

async function settlementOf(
  { clock, find }: SettlementParts,
  invoice: ClnInvoice,
  index: number,
): Promise<Settlement | OddRecord> {
  const { payment_hash: paymentHash, label } = invoice
  try {
    const offer = await offerPaid(invoice, find)
    return {
      ...{ cursor: `${index}`, paymentHash, ...arrivalOf(invoice, clock), keysend: label.startsWith('keysend-') },
      ...(offer !== undefined && { offer }),
    }
  } catch (error) {
    if (error instanceof ClnUnreadable) return { odd: error.message, paymentHash }
    throw error
  }
}

/** Returns how much a paid invoice received, and when. Throws ClnUnreadable if the amount is missing. */
export function arrivalOf(invoice: ClnInvoice, clock: Clock): Arrival {
  const { amount_received_msat: received, payment_preimage: preimage, paid_at: paidAt } = invoice
  if (received === undefined) throw new ClnUnreadable('a paid invoice does not say how much was paid')
  return { received, preimage, settledAt: new Date(paidAt === undefined ? clock.now() : paidAt * 1_000) }
}
