import { parseArgs } from 'node:util'
import { BookCheck } from '../assembly/books/check-books.ts'
import { holdBooks } from '../assembly/books/hold-books.ts'
import { sidesOf, startAll } from '../assembly/start-all.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { openPlayground, refuseInPlaceOfBot } from './open-playground.ts'
import { run } from './run.ts'
import { createRuntime } from './runtime.ts'

/** `npm start`: with a Discord token the bot on Discord, without one the playground. */
await run(async () => {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ options: { fresh: flag, 'new-book': flag } })
  const config = readConfig()
  if (!config.discord) {
    refuseInPlaceOfBot(config)
    return await openPlayground(config, values.fresh)
  }
  if (values.fresh) {
    throw new Problem(
      '--fresh is for the playground, and DISCORD_TOKEN is set: nothing was done. The playground starts over with npm run playground -- --fresh.',
    )
  }
  const sides = sidesOf(config)
  const check = new BookCheck(config, { sides, newBook: values['new-book'], clock: systemClock })
  const unlock = holdBooks(config, sides, () => check.files())
  const all = await startAll(config, createRuntime(config), check)
  const payments = all.serviceUrl
    ? `The payments service listens on ${all.serviceUrl}.`
    : `Payments go through ${config.provider?.baseUrl}.`
  console.log(`The bot is connected to Discord. ${payments} Ctrl-C stops.`)
  return {
    drainMs: 2 * config.instance.drainMs,
    async close() {
      await all.close()
      unlock()
    },
  }
})
