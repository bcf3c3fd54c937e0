import { now, type TippingContext } from '../context.ts'
import { endVoucher } from './end-voucher.ts'

/**
 * Takes up what an earlier process left. Reserved and never marked: nothing can have left. Marked: it may have, so it is
 * looked into; and so are codes that were sent and never answered.
 */
export async function resumeVouchers(context: TippingContext): Promise<void> {
  const { read } = context.database
  const left = await read.voucher.findMany({ where: { state: { in: ['reserved', 'sending'] } } })
  await Promise.all(
    left.map((voucher) =>
      endVoucher(
        context,
        voucher,
        voucher.state === 'reserved'
          ? { kind: 'failed', reason: null }
          : { kind: 'unknown', evidence: 'the bot was stopped while it was made' },
      ),
    ),
  )
  const marked = left.filter(({ state }) => state === 'sending').map(({ id }) => id)
  const redeeming = await read.redemption.findMany({ where: { state: 'sending' } })
  const ids = [...marked, ...redeeming.map(({ id }) => id)]
  if (ids.length === 0) return
  await context.commit({
    write: async (tx) => {
      await tx.redemption.updateMany({ where: { state: 'sending' }, data: { state: 'unknown' } })
      await tx.watch.updateMany({ where: { id: { in: ids } }, data: { nextAt: now(context) } })
      await context.cards.raise(
        tx,
        redeeming.map(({ card }) => card),
      )
    },
  })
}
