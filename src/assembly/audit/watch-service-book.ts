import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { startThread } from '../../lib/thread.ts'
import { startWorker, type Worker } from '../../lib/worker.ts'
import type { Tipping } from '../../tipping/tipping.ts'
import type { ServiceBookJobs } from './service-book-thread.ts'

interface Watched {
  /** The bundled service's PAYMENTS_DATABASE_URL. */
  readonly database: string
  readonly tipping: { readonly administration: Pick<Tipping['administration'], 'pause' | 'status'> }
  readonly clock: Clock
  readonly logger: Logger
  readonly everyMs: number
}

/**
 * Audits the service's book at once and then repeatedly, as `npm run audit` does. Used only if the bot and the service
 * run in one process. A fault pauses the bot's outgoing payments until an operator resumes them, and alerts the
 * operators. The payments of other projects and of users at the service continue.
 */
export function watchServiceBook({ database, tipping, clock, logger, everyMs }: Watched): Worker {
  async function round(closing: AbortSignal): Promise<void> {
    // In a thread, which returns all its memory: a large book takes seconds, during which this thread would answer
    // nobody.
    const thread = startThread<ServiceBookJobs>(new URL('./service-book-thread.ts', import.meta.url), database)
    const stop = () => void thread.close()
    closing.addEventListener('abort', stop, { once: true })
    try {
      const { findings } = await thread.ask('audit', undefined)
      if (!closing.aborted && findings.length > 0) await distrust(findings.map(({ what }) => what))
    } catch (error) {
      if (!closing.aborted) throw error
    } finally {
      closing.removeEventListener('abort', stop)
      await thread.close()
    }
  }

  async function distrust(faults: readonly string[]): Promise<void> {
    const reason = `the service’s book does not prove right: ${faults[0]}`.slice(0, 300)
    logger.error({ faults }, 'the service’s book does not prove right')
    const { paused } = await tipping.administration.status()
    if (paused?.reason !== reason) await tipping.administration.pause({ operator: 'audit', reason })
  }

  const failed = (error: unknown) =>
    logger.error({ err: error }, 'the service’s book could not be audited; it will be tried again')
  return startWorker({ clock, round, pauseMs: everyMs, firstInMs: 0, failed })
}
