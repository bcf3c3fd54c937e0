import { startWorker, type Worker } from '../../lib/worker.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

const EVERY_MS = 60_000
const BATCH_SIZE = 100

/**
 * Alerts operators, within a minute, to what one of them gave from the suspense account with a command. That command
 * runs in another process, so the alert reaches the service's log and the operators' channel only in this way. If
 * several services share the book, only one of them does this. The alert is sent first and noted afterwards: if the
 * process dies in between, the next process repeats the alert, so none is lost.
 */
export function startTellingOfGiven(parts: ServiceParts): Worker {
  const { database, ledger, clock, logger, ownership } = parts
  async function round(): Promise<void> {
    if (!ownership.has('telling')) return
    const untold = { givenAt: { not: null }, toldAt: null }
    const given = await database.read.unclaimedReceipt.findMany({ where: untold, take: BATCH_SIZE })
    for (const { id, amount, paymentHash, givenTo: to, givenBy: by, givenReason: why } of given) {
      const text = `${by} has given ${amount} msats out of suspense to ${to}: ${why}.`
      const fields = { receipt: id, paymentHash, amount: `${amount}`, to, by }
      parts.tell({ alert: 'suspense_given', text, fields })
      await note(id)
    }
  }
  async function note(id: string): Promise<void> {
    const toldAt = new Date(clock.now())
    await ledger.commit({
      write: (tx) => tx.unclaimedReceipt.updateMany({ where: { id, toldAt: null }, data: { toldAt } }),
    })
  }
  const failed = (error: unknown) => logger.warn({ err: error }, 'operators could not be told what was given away yet')
  return startWorker({ clock, round, pauseMs: EVERY_MS, failed })
}
