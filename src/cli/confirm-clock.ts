import { confirmClock } from '../assembly/confirm-clock.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { fail, takeNoOptions } from './run.ts'

/**
 * `npm run confirm-clock`: confirms in this installation's books that the machine's clock is right, which also works
 * while the bot and the service run. What waited because the clock was doubted, such as a refund, then proceeds.
 */
async function main(): Promise<void> {
  takeNoOptions()
  const config = readConfig()
  console.log(`The machine's clock says ${new Date(systemClock.now()).toISOString()}.`)
  const books = await confirmClock(config, systemClock)
  if (books.length === 0) console.log(`There is no book in ${config.dataFolder} yet, so there is nothing to confirm.`)
  for (const { side, at } of books) {
    if (at === undefined) console.log(`The ${side}'s book has stored no time yet, so there is nothing to confirm.`)
    else
      console.log(
        `The ${side}'s book was at ${at.toISOString()}; it goes by the clock within a minute, or at its next start.`,
      )
  }
}

await main().catch(fail)
