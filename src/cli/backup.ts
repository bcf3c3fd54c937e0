import { backUp } from '../assembly/backup/backup.ts'
import { WALLET_KEY_FILE } from '../assembly/wallet-keys.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { refuseEmptyName } from '../lib/empty-name.ts'
import { fail } from './run.ts'
import { help } from './satchel-help.ts'

/**
 * `npm run backup -- FOLDER`: makes a consistent copy of both books and the bot's keys, which also works while
 * everything runs.
 */
const [folder, ...more] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-') || more.length > 0) {
  console.error(help('backup'))
  process.exit(1)
}
try {
  refuseEmptyName(folder, 'Choose a folder that does not exist yet.')
  const files = await backUp(readConfig(), folder, systemClock)
  const key = files.includes(WALLET_KEY_FILE)
    ? ''
    : ' It lacks the key of members’ wallets, which no start has made yet: wallets that are connected must be connected again.'
  console.log(`${folder} holds ${files.join(', ')}. Anyone who can read it can spend: keep it private.${key}`)
} catch (error) {
  fail(error)
}
