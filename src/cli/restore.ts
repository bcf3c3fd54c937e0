import { parseArgs } from 'node:util'
import { printFinding } from '../assembly/audit/print-audit.ts'
import { type Restored, restore } from '../assembly/backup/restore.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { fail } from './run.ts'

const USAGE = `npm run restore -- FOLDER [--force] [--not-paused]

  FOLDER        what "npm run backup" made
  --force       sets existing data aside
  --not-paused  outgoing payments resume when the book is proven against the wallet, which does not show everything;
                without it, they also wait until an operator says /admin resume`

/** `npm run restore -- FOLDER`: proves a backup and puts it in place of the data. */
async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const options = { force: flag, 'not-paused': flag }
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new Problem(USAGE)
  // Whatever is written is for this user's eyes.
  process.umask(0o077)
  const notPaused = values['not-paused']
  const restored = await restore(readConfig(), folder, { force: values.force, notPaused, clock: systemClock })
  console.log(inWords(restored, notPaused))
}

function inWords({ at, files, setAside, toDo }: Restored, notPaused: boolean): string {
  const lines = [`Restored ${files.join(', ')} as of ${at}; the books hold.`]
  if (setAside.length > 0) lines.push(`The old data is in ${setAside.join(' and ')}.`)
  if (toDo.length > 0) lines.push('The backup already needed attention:', ...toDo.map(printFinding))
  lines.push(whatNext(files, notPaused))
  lines.push(
    '"npm run audit" shows the present state. docs/OPERATIONS.md, “After a restore”, lists what it cannot see.',
  )
  return lines.join('\n')
}

function whatNext(files: readonly string[], notPaused: boolean): string {
  if (!files.includes('tipping.sqlite')) {
    return 'Payments since the backup are not in the service’s book. Tell the operators of its bots: their audits compare.'
  }
  return notPaused
    ? 'Nothing leaves until the bot has proven its book against the wallet.'
    : 'Nothing leaves until the bot has proven its book against the wallet and an operator has said /admin resume.'
}

await main().catch(fail)
