import { serveThread } from '../../lib/thread.ts'
import { inspectPaymentsDatabase } from '../../payments-service/core/database.ts'
import { auditBook } from './audit-book.ts'

/** The jobs of a thread that audits the service's book at this address, as `npm run audit` does. */
export type ServiceBookJobs = ReturnType<typeof jobsOn>

function jobsOn(database: string) {
  return {
    async audit() {
      const inspected = await inspectPaymentsDatabase(database)
      try {
        return await auditBook('service', inspected)
      } finally {
        await inspected.close()
      }
    },
  }
}

serveThread(jobsOn)
