import { parseArgs } from 'node:util'
import { moveBooks } from '../assembly/backup/move-books.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { fail } from './run.ts'

const USAGE = `npm run move -- [--tipping URL] [--payments URL]

  --tipping URL   the new place of the bot's book: file:PATH or postgresql://USER:PASSWORD@HOST/DATABASE
  --payments URL  the same for the service's book

Stop every bot and every service first.`

/** `npm run move`: copies books to another database and proves them there. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { tipping: { type: 'string' }, payments: { type: 'string' } } })
  if (values.tipping === undefined && values.payments === undefined) throw new Problem(USAGE)
  process.umask(0o077)
  const targets = { tipping: values.tipping, payments: values.payments }
  const moved = await moveBooks(readConfig(), targets, systemClock)
  for (const { variable, proof } of moved) {
    console.log(
      `${variable}: ${proof.entries} entries and ${proof.accounts} accounts were copied; both proofs are equal.`,
    )
  }
  console.log(
    `Now set ${moved.map(({ variable }) => variable).join(' and ')} to the new place, and start. The old place keeps its book, which is marked: no process starts on it any more.`,
  )
}

await main().catch(fail)
