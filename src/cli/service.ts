import { BookCheck } from '../assembly/books/check-books.ts'
import { holdBooks } from '../assembly/books/hold-books.ts'
import { lastOwnerOfService, startService } from '../assembly/start-service.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { run, takeNewBook } from './run.ts'
import { createRuntime } from './runtime.ts'

/** `npm run service`: runs the payments service without a bot. */
await run(async () => {
  const newBook = takeNewBook()
  const config = readConfig()
  const check = new BookCheck(config, { sides: ['service'], newBook, clock: systemClock })
  const unlock = holdBooks(config, ['service'], () => check.files())
  const runtime = createRuntime(config)
  const lastOwner = lastOwnerOfService(config, runtime)
  const service = await startService({ config, lastOwner, checkBook: check.ofService, ...runtime })
  console.log(`The payments service listens on ${service.url}. Make a project: npm run -s admin -- project create NAME`)
  return {
    drainMs: config.instance.drainMs,
    async close() {
      await service.close()
      unlock()
    },
  }
})
