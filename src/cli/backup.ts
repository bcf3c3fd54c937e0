import { backUp } from '../assembly/backup/backup.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { fail } from './run.ts'

/** `npm run backup -- FOLDER`: a consistent copy of both books and the bot's key, while everything runs. */
const [folder, ...more] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-') || more.length > 0) {
  console.error('npm run backup -- FOLDER\n\n  FOLDER   the folder of the copy; it must not exist yet')
  process.exit(1)
}
try {
  const files = await backUp(readConfig(), folder, systemClock)
  console.log(`${folder} holds ${files.join(', ')}. Anyone who can read it can spend: keep it private.`)
} catch (error) {
  fail(error)
}
