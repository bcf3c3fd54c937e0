import pLimit from 'p-limit'
import { pollCharge } from '../engine/incoming/read-charge.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { DEPOSITS_WITH_TIPS } from '../invoiced-tips/deposits-with-tips.ts'
import { FUNDRAISERS } from '../pools/poll-fundraiser.ts'

/** Charges read at once, when all are read. */
const MAX_CONCURRENT = 8

/**
 * Reads every charge of deposits and fundraisers now, those too that are closed, paid or disabled: a code may be paid
 * late, and then no part of the cover formula expects it. New payments are credited to their owner. Resolves to whether
 * the provider answered about all.
 */
export async function readAllCharges(context: TippingContext): Promise<boolean> {
  // Stryker disable next-line ObjectLiteral: spares looking for fundraisers by the ids of other records, which are nobody’s but their own.
  const waiting = await context.database.read.pollJob.findMany({ where: { kind: { in: ['deposit', 'fundraiser'] } } })
  const read = await pLimit(MAX_CONCURRENT).map(waiting, (job) =>
    job.kind === 'deposit' ? pollCharge(context, DEPOSITS_WITH_TIPS, job) : pollCharge(context, FUNDRAISERS, job),
  )
  return read.every(({ unread }) => !unread)
}
