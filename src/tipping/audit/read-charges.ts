import { pollDeposit } from '../deposits/poll-deposit.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import { pollFundraiser } from '../pools/poll-fundraiser.ts'

/** Charges read at once, when all are read. */
const BATCH_SIZE = 8

/**
 * Reads every charge of deposits and fundraisers now, those too that are closed, paid or disabled: a code may be paid late,
 * and then no part of the cover formula expects it. What is new is credited to whom it belongs. Resolves to whether the
 * provider could be asked about all.
 */
export async function readAllCharges(context: TippingContext): Promise<boolean> {
  const waiting = await context.database.read.pollJob.findMany({ where: { kind: { in: ['deposit', 'fundraiser'] } } })
  let all = true
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const read = next.kind === 'deposit' ? pollDeposit : pollFundraiser
      if ((await read(context, next)).unread) all = false
    }
  }
  await Promise.all(Array.from({ length: BATCH_SIZE }, work))
  return all
}
