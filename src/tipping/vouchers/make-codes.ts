import { sendReserved } from '../engine/outgoing/send-outgoing.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { VOUCHERS } from './voucher-kind.ts'

/** The most codes that are made at the same time. */
const MAX_CONCURRENT = 8

/**
 * Has the provider create the codes of these reserved vouchers, a few at once, in this order. Does not wait for the
 * codes.
 */
export function makeCodes(context: TippingContext, vouchers: readonly string[]): void {
  const waiting = vouchers[Symbol.iterator]()
  const makeSome = async () => {
    for (const id of waiting) {
      if (context.activity.closed) return
      await sendReserved(context, VOUCHERS, id)
    }
  }
  for (let i = 0; i < MAX_CONCURRENT; i += 1) void context.activity.run('make codes', makeSome)
}
