import { serveThread } from '../../lib/thread.ts'
import { inspectPaymentsDatabase } from '../../payments-service/core/database.ts'
import { auditBook } from './audit-book.ts'

/** The jobs of a thread that is started with the address of a service's book, and audits it as `npm run audit` does. */
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
