import { FetchFailed } from '../../../lib/http/outgoing-error.ts'
import type { OddRecord, Settlement } from '../backend.ts'
import { isOdd } from '../node-answers.ts'
import { type LndApi, LndError, type LndInvoice, NOT_FOUND, type OddLndInvoice } from './lnd-api.ts'

/**
 * The time limit of a stream, which may be half open by then. After a check of the node's identity, the stream is
 * reopened.
 */
const STREAM_MS = 300_000
/** The shorter limit before the very first settlement, which no later stream returns if it was missed. */
const FIRST_STREAM_MS = 10_000

interface Position {
  readonly settleIndex: bigint
  readonly paymentHash: string
}

/**
 * Yields an lnd node's settlements. lnd numbers them (`settle_index`, from 1) and streams those after a number. After
 * 0, lnd streams only new ones (tried), so the first ones are read from the list of invoices. lnd accepts a number
 * beyond the end without an error (tried). The cursor therefore also contains the payment hash: if lnd has another
 * number for that payment, lnd was restored from an older state, and everything is read again. The book credits nothing
 * twice.
 */
export async function* readSettlements(
  api: LndApi,
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Settlement | OddRecord> {
  const { identity_pubkey } = await api.getInfo()
  let after = await knownPosition(api, cursor)
  while (!signal.aborted) {
    if (after === 0n) {
      for (const invoice of await allSettled(api, signal)) {
        if (signal.aborted) return
        yield isOdd(invoice) ? invoice : settlementOf(invoice)
        after = indexOf(invoice) ?? after
      }
    }
    try {
      const timeoutMs = after === 0n ? FIRST_STREAM_MS : STREAM_MS
      for await (const invoice of api.subscribeInvoices(after, { timeoutMs, signal })) {
        const index = indexOf(invoice)
        if ((!isOdd(invoice) && invoice.state !== 'SETTLED') || (index !== undefined && index <= after)) continue
        yield isOdd(invoice) ? invoice : settlementOf(invoice)
        after = index ?? after
      }
      if (!signal.aborted) throw new Error('lnd ended the stream of settlements')
    } catch (error) {
      if (!(error instanceof FetchFailed) || error.reason !== 'timeout') throw error
    }
    if (signal.aborted) return
    const now = (await api.getInfo()).identity_pubkey
    if (now !== identity_pubkey) throw new Error(`another lnd answers: ${now} instead of ${identity_pubkey}`)
  }
}

/** Returns the number of the last settlement that was read; 0 if lnd has another number for it. */
async function knownPosition(api: LndApi, cursor: string | undefined): Promise<bigint> {
  const position = parseCursor(cursor)
  if (position === undefined) return 0n
  try {
    const { settle_index } = await api.lookUpInvoice(position.paymentHash)
    return settle_index === position.settleIndex ? settle_index : 0n
  } catch (error) {
    if (error instanceof LndError && error.code === NOT_FOUND) return 0n
    throw error
  }
}

async function allSettled(api: LndApi, signal: AbortSignal): Promise<(LndInvoice | OddLndInvoice)[]> {
  const settled: (LndInvoice | OddLndInvoice)[] = []
  for await (const invoice of api.listInvoices()) {
    if (signal.aborted) return []
    if (isOdd(invoice) || invoice.state === 'SETTLED') settled.push(invoice)
  }
  return settled.sort((a, b) => ((indexOf(a) ?? 0n) < (indexOf(b) ?? 0n) ? -1 : 1))
}

/**
 * Returns an invoice's index; undefined if an odd invoice has none. The position then does not change, so the next
 * stream repeats the invoice.
 */
function indexOf(invoice: LndInvoice | OddLndInvoice): bigint | undefined {
  return isOdd(invoice) ? invoice.settleIndex : invoice.settle_index
}

function settlementOf(invoice: LndInvoice): Settlement {
  const { settle_index, r_hash: paymentHash, amt_paid_msat, r_preimage, settle_date, is_keysend } = invoice
  return {
    cursor: `${settle_index}:${paymentHash}`,
    paymentHash,
    received: amt_paid_msat,
    preimage: r_preimage,
    settledAt: settle_date,
    keysend: is_keysend,
  }
}

function parseCursor(cursor: string | undefined): Position | undefined {
  const [, index, paymentHash] = /^(\d+):([0-9a-f]{64})$/.exec(cursor ?? '') ?? []
  return index === undefined || paymentHash === undefined ? undefined : { settleIndex: BigInt(index), paymentHash }
}
