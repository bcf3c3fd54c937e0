import { parseArgs } from 'node:util'
import { printFinding } from '../assembly/audit/print-audit.ts'
import { type Restored, restore } from '../assembly/backup/restore.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { fail } from './run.ts'

const USAGE = `npm run restore -- FOLDER [--force] [--paused]

  FOLDER    what "npm run backup" made
  --force   sets data that is there aside
  --paused  nothing leaves before an operator says /admin resume`

/** `npm run restore -- FOLDER`: proves a backup and puts it in place of the data. */
async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { force: flag, paused: flag } })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new Problem(USAGE)
  // Whatever is written is for this user's eyes.
  process.umask(0o077)
  console.log(inWords(await restore(readConfig(), folder, { ...values, clock: systemClock }), values.paused))
}

function inWords({ at, files, setAside, toDo }: Restored, paused: boolean): string {
  const lines = [`Restored ${files.join(', ')} as of ${at}; the books hold.`]
  if (setAside.length > 0) lines.push(`What was there before lies in ${setAside.join(' and ')}.`)
  if (toDo.length > 0) lines.push('There was something to do already:', ...toDo.map(printFinding))
  lines.push(whatNext(files, paused))
  lines.push('"npm run audit" says how it stands; docs/OPERATIONS.md, “After a restore”, what it cannot see.')
  return lines.join('\n')
}

function whatNext(files: readonly string[], paused: boolean): string {
  if (!files.includes('tipping.sqlite')) {
    return 'What was paid since is not in the service’s book. Tell whoever runs a bot on it: its audits compare.'
  }
  return paused
    ? 'Nothing leaves until the bot has proven its book against the wallet and an operator has said /admin resume.'
    : 'Nothing leaves until the bot has proven its book against the wallet.'
}

await main().catch(fail)
