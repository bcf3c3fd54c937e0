import { parseArgs } from 'node:util'
import { printFinding } from '../assembly/audit/print-audit.ts'
import type { Proven } from '../assembly/backup/prove-restored.ts'
import { type Restored, restore } from '../assembly/backup/restore.ts'
import { restoreInPlace } from '../assembly/backup/restore-in-place.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { refuseEmptyName } from '../lib/empty-name.ts'
import { Problem } from '../lib/problem.ts'
import { fail } from './run.ts'
import { help } from './satchel-help.ts'

/**
 * `npm run restore -- FOLDER`: proves a backup and puts it in place of the data. With `--in-place`, the backup has
 * already been restored on a PostgreSQL server.
 */
async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const options = { force: flag, 'not-paused': flag, 'in-place': flag, 'made-at': { type: 'string' } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const [folder, ...more] = positionals
  if (values['in-place']) {
    const madeAt = new Date(values['made-at'] ?? '')
    if (positionals.length > 0 || values.force || Number.isNaN(madeAt.getTime()))
      throw new Problem(
        `With --in-place, give --made-at and a time, but neither a folder nor --force.\n\n${help('restore')}`,
      )
    const notPaused = values['not-paused']
    const proven = await restoreInPlace(readConfig(), { madeAt, notPaused, clock: systemClock })
    console.log(['The books on the server hold.', ...needed(proven), whatNext(true, notPaused), SEE].join('\n'))
    return
  }
  refuseEmptyName(folder, 'Give the folder that "npm run backup -- FOLDER" made.')
  if (folder === undefined || more.length > 0 || values['made-at'] !== undefined)
    throw new Problem(
      `Give exactly one folder that "npm run backup" made, and --made-at only with --in-place.\n\n${help('restore')}`,
    )
  // Only this user may read the files that this process writes.
  process.umask(0o077)
  const notPaused = values['not-paused']
  const restored = await restore(readConfig(), folder, { force: values.force, notPaused, clock: systemClock })
  console.log(inWords(restored, notPaused))
}

function inWords({ at, files, setAside, ...proven }: Restored, notPaused: boolean): string {
  const lines = [`Restored ${files.join(', ')} as of ${at}; the books hold.`]
  if (setAside.length > 0) lines.push(`The old data is in ${setAside.join(' and ')}.`)
  lines.push(...needed(proven), whatNext(files.includes('tipping.sqlite'), notPaused), SEE)
  return lines.join('\n')
}

const SEE = '"npm run audit" shows the present state. docs/incidents.md, “After a restore”, lists what it cannot see.'

function needed({ toDo, closed: { vouchers, withdrawalRequests, logIns } }: Proven): string[] {
  const lines = toDo.length === 0 ? [] : ['The backup already needed attention:', ...toDo.map(printFinding)]
  if (vouchers + withdrawalRequests > 0) {
    lines.push(
      'Wallets elsewhere may have been paid since the backup for what it shows as open, and could be paid again. So:',
      `  - ${vouchers} open vouchers can be redeemed by their code alone; their QR codes for any wallet have ended.`,
      `  - ${withdrawalRequests} open withdrawal codes expire at the start; their sats go back, unless their payment is on its way.`,
    )
  }
  if (logIns > 0) lines.push(`${logIns} log-ins to other programs have ended: their users log in there again.`)
  return lines
}

function whatNext(hasBot: boolean, notPaused: boolean): string {
  if (!hasBot) {
    return 'Payments since the backup are not in the service’s book. Tell the operators of its bots: their audits compare.'
  }
  return notPaused
    ? 'Nothing leaves until the bot has proven its book against the wallet.'
    : 'Nothing leaves until the bot has proven its book against the wallet and an operator has said /admin resume, or on this machine: npx satchel admin resume.'
}

await main().catch(fail)
