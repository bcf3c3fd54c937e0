import pLimit from 'p-limit'
import { pollCharge } from '../engine/incoming/read-charge.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { DEPOSITS_WITH_TIPS } from '../invoiced-tips/deposits-with-tips.ts'
import { FUNDRAISERS } from '../pools/poll-fundraiser.ts'

/** The most charges that are read at the same time. */
const MAX_CONCURRENT = 8

/**
 * Reads every charge of deposits and fundraisers now, including closed, paid and disabled ones: a code may be paid
 * late, and then no part of the cover formula expects the payment. Credits new payments to their owners. Resolves to
 * whether the provider answered for all charges.
 */
export async function readAllCharges(context: TippingContext): Promise<boolean> {
  // Stryker disable next-line ObjectLiteral: avoids searching for fundraisers by the ids of other records, which no
  // fundraiser has.
  const waiting = await context.database.read.pollJob.findMany({ where: { kind: { in: ['deposit', 'fundraiser'] } } })
  const read = await pLimit(MAX_CONCURRENT).map(waiting, (job) =>
    job.kind === 'deposit' ? pollCharge(context, DEPOSITS_WITH_TIPS, job) : pollCharge(context, FUNDRAISERS, job),
  )
  return read.every(({ unread }) => !unread)
}
