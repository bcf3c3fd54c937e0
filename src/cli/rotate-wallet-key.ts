import { rotateWalletKey } from '../assembly/rotate-wallet-key.ts'
import { readConfig } from '../config/config.ts'
import { fail, takeNoOptions } from './run.ts'

/**
 * `npm run rotate-wallet-key`: encrypts the secrets of members' wallets with a new key, which also works while the bot
 * runs.
 */
async function main(): Promise<void> {
  takeNoOptions()
  const config = readConfig()
  const { wallets, unreadable } = await rotateWalletKey(config)
  console.log(
    `${config.walletKeyFile} holds a new key, and the secrets of ${wallets} wallets are encrypted with it. Back up now: earlier backups hold the old key and what it opens.`,
  )
  if (unreadable > 0)
    console.log(
      `The key of ${unreadable} more wallets was lost before. Their members must connect them again: /wallet.`,
    )
}

await main().catch(fail)
