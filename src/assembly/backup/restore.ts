import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { isInUse } from '../../lib/database/sqlite/copy-databases.ts'
import { withFiles } from '../../lib/file-trouble.ts'
import { Problem } from '../../lib/problem.ts'
import { acceptBook } from '../books/check-books.ts'
import { holdBooks } from '../books/hold-books.ts'
import {
  type BackupConfig,
  type BackupFile,
  backupFilesOf,
  hashOf,
  isOfServiceAlone,
  type Manifest,
  readManifest,
  refuseServers,
} from './contents.ts'
import { type Proven, proveRestored } from './prove-restored.ts'
import { putInPlace } from './put-in-place.ts'

export interface Restored extends Proven {
  /** When the backup was made, in ISO 8601. */
  readonly at: string
  readonly files: readonly string[]
  /** The folders that contain the old data; empty if there was no old data. */
  readonly setAside: readonly string[]
}

export interface RestoreOptions {
  /** Whether to set existing data aside. */
  readonly force: boolean
  /**
   * Whether outgoing payments resume when the wallet's balance confirms the book. Otherwise these payments also wait
   * for an operator, because incoming and outgoing payments that are missing from the book could cancel each other out
   * in the wallet's balance.
   */
  readonly notPaused: boolean
  readonly clock: Clock
}

/**
 * Proves the books in a backup, then puts the backup in place of the existing data. A restored bot starts with its
 * outgoing payments paused until its book is proven against the wallet and an operator permits the payments (see
 * `notPaused`). Existing files are set aside, never deleted. Throws Problem if the backup is incomplete, a proof fails,
 * data exists but `force` is false, something uses the data, or a file cannot be read or written. The old data is then
 * in its place, or the message says where it is.
 */
export async function restore(config: BackupConfig, backup: string, options: RestoreOptions): Promise<Restored> {
  refuseServers(config)
  const again = 'restore again. Nothing was changed.'
  return await withFiles(`${backup} could not be restored`, again, () => checkAndReplace(config, backup, options))
}

async function checkAndReplace(config: BackupConfig, backup: string, options: RestoreOptions): Promise<Restored> {
  const manifest = readManifest(backup)
  const backupFiles = backupFilesOf(config)
  await checkFiles(backup, manifest, backupFiles)
  const alone = isOfServiceAlone(manifest, backupFiles)
  if (alone) checkAlone(config, backup, options)
  checkComplete(backup, manifest, alone ? backupFiles.filter((backupFile) => backupFile.of === 'service') : backupFiles)
  // No process may start on the data meanwhile.
  const unlock = holdBooks(config, config.provider ? ['bot'] : ['bot', 'service'])
  try {
    return await replace(config, backup, manifest, options)
  } finally {
    unlock()
  }
}

async function replace(
  config: BackupConfig,
  backup: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<Restored> {
  const backupFiles = backupFilesOf(config)
  refuseToOverwrite(backupFiles, config.dataFolder, options.force)
  const staging = join(config.dataFolder, 'restoring')
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { mode: 0o700 })
  try {
    const names = Object.keys(manifest.files)
    for (const name of names) {
      copyFileSync(join(backup, name), join(staging, name))
      chmodSync(join(staging, name), 0o600)
    }
    const urlOf = (name: string) => (name in manifest.files ? `file:${join(staging, name)}` : undefined)
    const books = { tipping: urlOf('tipping.sqlite'), payments: urlOf('payments.sqlite'), folder: backup }
    const proven = await proveRestored(books, { ...options, madeAt: manifest.at, otherwise: 'Nothing was restored.' })
    const time = new Date(options.clock.now()).toISOString().replace(/[:.]/g, '-')
    // Optional files that the backup lacks stay where they are.
    const places = backupFiles.filter(({ name, optional }) => !optional || name in manifest.files)
    const setAside = putInPlace(staging, places, `before-restore-${time}`)
    if (books.tipping !== undefined) acceptBook(config, 'bot')
    if (books.payments !== undefined) acceptBook(config, 'service')
    return { at: manifest.at, files: names, setAside, ...proven }
  } finally {
    clear(staging)
  }
}

/**
 * Removes the staging folder. A failure does not matter: the data is already in place or unchanged, and the next
 * restore removes the folder, too.
 */
function clear(staging: string): void {
  try {
    rmSync(staging, { recursive: true })
  } catch {}
}

/** Checks that every file of the backup is unchanged and has a place in this configuration. */
async function checkFiles(backup: string, manifest: Manifest, backupFiles: readonly BackupFile[]): Promise<void> {
  for (const [name, hash] of Object.entries(manifest.files)) {
    if (!backupFiles.some((backupFile) => backupFile.name === name)) {
      throw new Problem(
        `The backup ${backup} holds ${name}, which this configuration does not use: the backup was made with another provider. Give PAYMENTS_BASE_URL the value that it had when the backup was made, or remove the variable if it had no value.`,
      )
    }
    const file = join(backup, name)
    if (!existsSync(file)) throw new Problem(`The backup ${backup} lacks ${name}. Use another backup.`)
    if ((await hashOf(file)) !== hash) {
      throw new Problem(`${file} has changed since the backup (its SHA-256 differs). Use another backup.`)
    }
  }
}

/**
 * Checks that the backup has a file for each place; otherwise, the file in that place would be set aside but not
 * replaced.
 */
function checkComplete(backup: string, manifest: Manifest, backupFiles: readonly BackupFile[]): void {
  const needed = backupFiles.filter(({ optional }) => !optional)
  const without = needed.filter(({ name }) => !(name in manifest.files)).map(({ name }) => name)
  if (without.includes('tipping.sqlite')) {
    throw new Problem(`The backup ${backup} lacks tipping.sqlite, the bot’s book. Use another backup.`)
  }
  if (without.length === 0) return
  throw new Problem(
    `The backup ${backup} lacks ${without.join(', ')}, and this configuration has the bundled payments service. If the backup was made with another provider, set that provider’s PAYMENTS_BASE_URL and PAYMENTS_API_KEY; otherwise, use another backup.`,
  )
}

/** Checks that a backup of only the payments service is not restored beside a bot's data, nor with `notPaused`. */
function checkAlone(config: BackupConfig, backup: string, { notPaused }: RestoreOptions): void {
  const bots = backupFilesOf(config).filter(({ of, optional, file }) => of === 'bot' && !optional && existsSync(file))
  const beside = bots.map(({ name }) => name)
  if (beside.length > 0) {
    throw new Problem(
      `The backup ${backup} contains only the payments service, but ${config.dataFolder} holds a bot’s data as well (${beside.join(', ')}): the bot’s book would contain payments that are missing from the restored service. Use a backup of both the bot and the service, or set DATA_FOLDER to an empty folder.`,
    )
  }
  if (notPaused) {
    throw new Problem(
      `--not-paused concerns a bot’s outgoing payments, but the backup ${backup} contains only the payments service. Leave --not-paused out.`,
    )
  }
}

function refuseToOverwrite(backupFiles: readonly BackupFile[], dataFolder: string, force: boolean): void {
  const there = backupFiles.filter(({ file, optional }) => !optional && existsSync(file))
  const used = there.find(({ file, kind }) => kind === 'database' && isInUse(file))
  if (used) {
    throw new Problem(`${used.file} is in use. Stop the bot and the service, then run this again.`)
  }
  if (there.length > 0 && !force) {
    throw new Problem(
      `${dataFolder} already holds data (${there.map(({ name }) => name).join(', ')}). Use --force to set the data aside, or set DATA_FOLDER to an empty folder.`,
    )
  }
}
