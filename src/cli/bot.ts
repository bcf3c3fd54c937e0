import { BookCheck } from '../assembly/books/check-books.ts'
import { holdBooks } from '../assembly/books/hold-books.ts'
import { startBotAlone } from '../assembly/start-all.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { refusePlaygroundFolder } from './open-playground.ts'
import { run, takeNewBook } from './run.ts'
import { createRuntime } from './runtime.ts'

/** `npm run bot`: runs the bot without the bundled service, with a provider elsewhere. */
await run(async () => {
  const newBook = takeNewBook()
  const config = readConfig()
  refusePlaygroundFolder(config)
  const check = new BookCheck(config, { sides: ['bot'], newBook, clock: systemClock })
  const unlock = holdBooks(config, ['bot'], () => check.files())
  const bot = await startBotAlone(config, createRuntime(config), check)
  console.log('The bot is connected.')
  return {
    drainMs: config.instance.drainMs,
    async close() {
      await bot.close()
      unlock()
    },
  }
})
