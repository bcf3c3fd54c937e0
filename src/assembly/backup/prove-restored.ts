import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'
import { type ClosedToWallets, closeToWallets } from '../../payments-service/administration/after-restore.ts'
import { openPaymentsDatabase } from '../../payments-service/core/database.ts'
import { forgetWalletClaims, markRestored } from '../../tipping/audit/restored.ts'
import { openTippingDatabase } from '../../tipping/core/database.ts'
import { audit, type Finding } from '../audit/audit.ts'
import { storedProject } from '../own-project.ts'

/** The places of the restored books; undefined for a book that is not restored. */
export interface RestoredBooks {
  readonly tipping: string | undefined
  readonly payments: string | undefined
  /** The folder with the key of the bot's own project. */
  readonly folder: string
}

export interface Proven {
  /**
   * Differences that remain although the books are proven. They do not mean that data is missing: such differences also
   * come and go while everything runs.
   */
  readonly toDo: readonly Finding[]
  /** What was closed in the service's restored book. */
  readonly closed: ClosedToWallets
}

export interface ProveOptions {
  readonly clock: Clock
  readonly notPaused: boolean
  /** When the backup was made, in ISO 8601. */
  readonly madeAt: string
  /** The consequence if a proof fails, as a sentence. */
  readonly otherwise: string
}

/**
 * Updates restored books as a start would, proves them, pauses the bot's outgoing payments unless `notPaused` is set,
 * and closes what the service would pay to any wallet that asks. Throws Problem if a proof fails.
 */
export async function proveRestored(
  { tipping, payments, folder }: RestoredBooks,
  { clock, notPaused, madeAt, otherwise }: ProveOptions,
): Promise<Proven> {
  if (tipping !== undefined) await (await openTippingDatabase(tipping)).close()
  if (payments !== undefined) await (await openPaymentsDatabase(payments)).close()
  const report = await audit({
    tipping,
    provider:
      payments === undefined
        ? { kind: 'unasked' }
        : { kind: 'in the box', database: payments, projectId: storedProject(folder)?.projectId },
    clock,
  })
  const faults = report.books.flatMap(({ findings }) => findings)
  if (faults.length > 0) {
    const lines = faults.map(({ side, what }) => `\n  - ${side}: ${what}`).join('')
    throw new Problem(`The books in the backup have faults:${lines}\n${otherwise} Use another backup.`)
  }
  if (tipping !== undefined) {
    const marks = { madeAt, now: new Date(clock.now()), paused: !notPaused }
    await markBot(tipping, marks, payments !== undefined)
  }
  const closed =
    payments === undefined ? { vouchers: 0, withdrawalRequests: 0, logIns: 0 } : await closeClaims(payments, madeAt)
  return { toDo: report.findings, closed }
}

async function closeClaims(url: string, madeAt: string): Promise<ClosedToWallets> {
  const payments = await openPaymentsDatabase(url)
  try {
    return await closeToWallets(payments, new Date(madeAt))
  } finally {
    await payments.close()
  }
}

async function markBot(
  url: string,
  marks: Parameters<typeof markRestored>[1],
  isServiceRestored: boolean,
): Promise<void> {
  const tipping = await openTippingDatabase(url)
  try {
    await markRestored(tipping, marks)
    if (isServiceRestored) await forgetWalletClaims(tipping)
  } finally {
    await tipping.close()
  }
}
