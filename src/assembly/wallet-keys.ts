import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Entropy, systemEntropy } from '../lib/entropy.ts'
import { whyFilesRefuse } from '../lib/file-trouble.ts'
import { Problem } from '../lib/problem.ts'
import { hideValue } from '../lib/redaction.ts'
import { type SealingKey, sealingKey } from '../lib/sealed-text.ts'

/** The name, in the data folder and in a backup, of the file with the keys of members' wallets. */
export const WALLET_KEY_FILE = 'wallet-key'

/** Reads the keys in a file: the newest one, or all with the newest first. */
export interface WalletKeyFile {
  current(): SealingKey
  all(): readonly SealingKey[]
}

/**
 * Opens the keys that encrypt the secrets of members' wallets: 32 bytes a line, in base64url. Creates a missing file
 * with one key, readable only by the user of this process. The file is read again for each use, because a rotation can
 * change it while the bot runs. Throws Problem if the file cannot be created or read, or contains anything else.
 */
export function openWalletKeys(file: string, entropy: Entropy = systemEntropy): WalletKeyFile {
  if (!existsSync(file)) makeFile(file, [entropy.bytes(32)])
  const all = () => readKeys(file)
  const current = () => {
    const [newest] = all()
    if (newest === undefined) throw noKeys(file)
    return newest
  }
  current()
  return { current, all }
}

/** Adds a new key at the beginning of the file. Returns the new key. */
export function addWalletKey(file: string, entropy: Entropy = systemEntropy): SealingKey {
  const bytes = entropy.bytes(32)
  writeKeys(file, [bytes, ...readKeys(file).map((key) => key.bytes)])
  return sealingKey(bytes)
}

/** Removes all keys but the newest from the file. */
export function dropOldWalletKeys(file: string): void {
  writeKeys(
    file,
    readKeys(file)
      .slice(0, 1)
      .map((key) => key.bytes),
  )
}

function readKeys(file: string): SealingKey[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem(
      `The key of members' wallets cannot be read: ${whyFilesRefuse(error)}. If ${file} is lost, restore it from your backup: without this file, members must connect their wallets again.`,
      { cause: error },
    )
  }
  return text.split('\n').flatMap((line) => {
    const key = line.trim()
    if (key === '') return []
    if (!/^[\w-]{43}$/.test(key)) throw noKeys(file)
    hideValue(key)
    return [sealingKey(Buffer.from(key, 'base64url'))]
  })
}

function noKeys(file: string): Problem {
  return new Problem(
    `${file} does not hold a key of members' wallets. Restore the key from your backup. If the key is lost, remove the file: the next start creates a new key, and members must connect their wallets again.`,
  )
}

/** Creates the file, unless another process creates it at the same time: then the other's file stays. */
function makeFile(file: string, keys: readonly Buffer[]): void {
  const beside = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(beside, textOf(keys), { mode: 0o600 })
    linkUnlessThere(beside, file)
  } catch (error) {
    throw new Problem(
      `The key of members' wallets cannot be written to ${file}: ${whyFilesRefuse(error)}, or set WALLET_KEY_FILE to another file.`,
      { cause: error },
    )
  }
  rmSync(beside)
}

function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

function writeKeys(file: string, keys: readonly Buffer[]): void {
  writeFileSync(`${file}.new`, textOf(keys), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function textOf(keys: readonly Buffer[]): string {
  return `${keys.map((key) => key.toString('base64url')).join('\n')}\n`
}
