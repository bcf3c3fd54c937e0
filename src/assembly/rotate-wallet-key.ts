import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { type Entropy, systemEntropy } from '../lib/entropy.ts'
import { Problem } from '../lib/problem.ts'
import { openSealed, type SealingKey, sealText } from '../lib/sealed-text.ts'
import { inspectTippingDatabase, openTippingDatabase, type TippingDatabase, type Tx } from '../tipping/core/database.ts'
import { factsOfBotsBook } from './books/book-facts.ts'
import { BookCheck } from './books/check-books.ts'
import type { BooksConfig } from './books/hold-books.ts'
import { addWalletKey, dropOldWalletKeys, openWalletKeys } from './wallet-keys.ts'

export interface RotatedKey {
  /** How many wallets' secrets are encrypted with the new key. */
  readonly wallets: number
  /**
   * How many wallets' secrets no key in the file decrypts. The members whose wallets these are must connect them again.
   */
  readonly unreadable: number
}

/**
 * Encrypts the secrets of members' wallets with a new key, and removes the old key. Can be called while the bot runs.
 * Until every secret is encrypted with the new key, the file contains both keys, so a kill loses no secret. Throws
 * Problem or DatabaseProblem, and leaves the key, if the bot's book is missing, empty or another one, because the
 * wallets of this key are then elsewhere.
 */
export async function rotateWalletKey(
  config: BooksConfig & Pick<Config, 'walletKeyFile'>,
  entropy: Entropy = systemEntropy,
  clock: Clock = systemClock,
): Promise<RotatedKey> {
  const { walletKeyFile: file, tippingDatabaseUrl } = config
  if (!existsSync(file)) {
    throw new Problem(
      `There is no key at ${file}. Start the bot once, which creates the key, or set WALLET_KEY_FILE to the right file. Nothing was changed.`,
    )
  }
  const check = new BookCheck(config, { sides: ['bot'], newBook: false, clock })
  check.files()
  // Opening it would create a missing book.
  await (await inspectTippingDatabase(tippingDatabaseUrl)).close()
  const database = await openTippingDatabase(tippingDatabaseUrl)
  try {
    await check.ofBot(database)
    if ((await factsOfBotsBook(database)).isNew) throw emptyBook(file)
    await assertOwnKey(database, file)
    const key = addWalletKey(file, entropy)
    const { all } = openWalletKeys(file)
    for (;;) {
      await database.write.$transaction((tx) => sealAgain(tx, { key, old: all(), entropy }))
      const rotated = await dropOld(database, key, all(), file)
      if (rotated !== undefined) return rotated
    }
  } finally {
    await database.close()
  }
}

/**
 * Throws Problem if the file's keys decrypt none of this book's secrets: they may be the keys of another installation,
 * which must not be removed.
 */
async function assertOwnKey({ read }: TippingDatabase, file: string): Promise<void> {
  const sealed = [...(await read.walletConnection.findMany()), ...(await read.roleConnection.findMany())]
  const keys = openWalletKeys(file).all()
  if (sealed.length === 0 || sealed.some((each) => openSealed(each.sealed, keys, each.id) !== undefined)) return
  throw new Problem(
    `${file} decrypts none of the secrets in the bot’s book, so it may belong to another installation. Set WALLET_KEY_FILE to the right file. Nothing was changed.`,
  )
}

function emptyBook(file: string): Problem {
  return new Problem(
    `The bot’s book in TIPPING_DATABASE_URL holds nothing yet, so the secrets that ${file} decrypts may be elsewhere. Correct TIPPING_DATABASE_URL or DATA_FOLDER. Nothing was changed.`,
  )
}

interface Sealing {
  readonly key: SealingKey
  readonly old: readonly SealingKey[]
  readonly entropy: Entropy
}

async function sealAgain(tx: Tx, { key, old, entropy }: Sealing): Promise<void> {
  for (const { id, sealed } of await tx.walletConnection.findMany()) {
    const secret = isOf(key, sealed) ? undefined : openSealed(sealed, old, id)
    if (secret === undefined) continue
    await tx.walletConnection.update({ where: { id }, data: { sealed: sealText(secret, { key, about: id, entropy }) } })
  }
  for (const { id, sealed } of await tx.roleConnection.findMany()) {
    const tokens = isOf(key, sealed) ? undefined : openSealed(sealed, old, id)
    if (tokens === undefined) continue
    await tx.roleConnection.update({ where: { id }, data: { sealed: sealText(tokens, { key, about: id, entropy }) } })
  }
}

/**
 * Removes the old keys from the file in a transaction, so that no bot encrypts with them meanwhile. Resolves to
 * undefined, and removes none, if an old key still decrypts a secret.
 */
async function dropOld(
  { write }: TippingDatabase,
  key: SealingKey,
  old: readonly SealingKey[],
  file: string,
): Promise<RotatedKey | undefined> {
  return await write.$transaction(async (tx) => {
    // Half-finished pages end here, and /wallet gives another link. This also takes the lock: a transaction that only
    // reads waits for nobody.
    await tx.walletPass.deleteMany({ where: { sealed: { not: null }, NOT: { sealed: { startsWith: `${key.id}.` } } } })
    const rows = await tx.walletConnection.findMany()
    const others = rows.filter(({ sealed }) => !isOf(key, sealed))
    const roles = (await tx.roleConnection.findMany()).filter(({ sealed }) => !isOf(key, sealed))
    if ([...others, ...roles].some(({ id, sealed }) => openSealed(sealed, old, id) !== undefined)) return undefined
    dropOldWalletKeys(file)
    return { wallets: rows.length - others.length, unreadable: others.length }
  })
}

function isOf(key: SealingKey, sealed: string): boolean {
  return sealed.startsWith(`${key.id}.`)
}
