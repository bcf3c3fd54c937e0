import { parseArgs } from 'node:util'
import { restore } from '../assembly/backup/restore.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { fail } from './run.ts'

/** `npm run restore -- FOLDER [--force]`: proves a backup and puts it in place of the data. */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { force: { type: 'boolean' } } })
const [folder, ...more] = positionals
if (folder === undefined || more.length > 0) {
  console.error(
    'npm run restore -- FOLDER [--force]\n\n  FOLDER   what "npm run backup" made\n  --force  sets data that is there aside',
  )
  process.exit(1)
}
try {
  const { at, files, setAside } = await restore(readConfig(), folder, {
    force: values.force ?? false,
    clock: systemClock,
  })
  console.log(`Restored ${files.join(', ')} as of ${at}; the books hold.`)
  if (setAside) console.log(`What was there before lies in ${setAside}.`)
  console.log(
    'Nothing leaves until the bot has proven its book against the wallet. "npm run audit" says how it stands.',
  )
} catch (error) {
  fail(error)
}
