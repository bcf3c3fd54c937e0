import { parseArgs } from 'node:util'
import { moveBooks } from '../assembly/backup/move-books.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { fail } from './run.ts'
import { help } from './satchel-help.ts'

/** `npm run move`: copies books to another database and proves them there. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { tipping: { type: 'string' }, payments: { type: 'string' } } })
  if (values.tipping === undefined && values.payments === undefined)
    throw new Problem(`Give the new place of a book.\n\n${help('move')}`)
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
