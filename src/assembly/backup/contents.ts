import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { isPostgres } from '../../lib/database/url-kinds.ts'
import { Problem } from '../../lib/problem.ts'
import { OWN_PROJECT_FILE } from '../own-project.ts'
import { WALLET_KEY_FILE } from '../wallet-keys.ts'

/** A file of a backup, and its place in this installation. */
export interface BackupFile {
  readonly name: string
  readonly file: string
  readonly kind: 'database' | 'key'
  /** The side to which the file belongs. */
  readonly of: 'bot' | 'service'
  /** Whether a backup is complete without this file. */
  readonly optional?: true
}

export const MANIFEST = 'manifest.json'
/** The database of the sandbox's Lightning network. */
const NETWORK = 'lightning-sandbox.sqlite'

/** All names that files in a backup can have. */
export const FILES_OF_BACKUPS: readonly string[] = [
  ...[MANIFEST, 'tipping.sqlite', 'payments.sqlite', NETWORK],
  ...[OWN_PROJECT_FILE, WALLET_KEY_FILE],
]

const manifestShape = z.object({
  kind: z.literal('satchel-backup'),
  at: z.iso.datetime(),
  /** The SHA-256 of each file, in hex. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
})
export type Manifest = z.infer<typeof manifestShape>

export type BackupConfig = Pick<Config, 'provider' | 'service' | 'dataFolder' | 'tippingDatabaseUrl'> &
  Partial<Pick<Config, 'walletKeyFile'>>

/**
 * Returns the files that must survive: the bot's book and the key of members' wallets; and if the service is bundled,
 * also the service's book, its sandbox network, and the key of the bot's project.
 */
export function backupFilesOf(config: BackupConfig): BackupFile[] {
  const bot: BackupFile = {
    name: 'tipping.sqlite',
    file: pathOf(config.tippingDatabaseUrl),
    kind: 'database',
    of: 'bot',
  }
  const keyFile = config.walletKeyFile ?? join(config.dataFolder, WALLET_KEY_FILE)
  const walletKey: BackupFile = { name: WALLET_KEY_FILE, file: keyFile, kind: 'key', of: 'bot', optional: true }
  if (config.provider) return [bot, walletKey]
  const { dataFolder, service } = config
  const network: BackupFile = { name: NETWORK, file: join(dataFolder, NETWORK), kind: 'database', of: 'service' }
  return [
    bot,
    { name: 'payments.sqlite', file: pathOf(service.databaseUrl), kind: 'database', of: 'service' },
    // A real node stores its own channels, and makes its own backups of them.
    ...(service.lightning.kind === 'sandbox' ? [network] : []),
    { name: OWN_PROJECT_FILE, file: join(dataFolder, OWN_PROJECT_FILE), kind: 'key', of: 'bot' },
    walletKey,
  ]
}

/**
 * Whether only the payments service stores data here, because its bots run elsewhere. If a bot's book was lost, this is
 * false nevertheless, because the key of the bot's project is still here.
 */
export function isServiceAlone(config: BackupConfig): boolean {
  return isAlone(backupFilesOf(config).filter(({ file }) => existsSync(file)))
}

/** Whether the backup with this manifest was made where the payments service runs alone. */
export function isOfServiceAlone({ files }: Manifest, backupFiles: readonly BackupFile[]): boolean {
  return isAlone(backupFiles.filter(({ name }) => name in files))
}

function isAlone(there: readonly BackupFile[]): boolean {
  return (
    there.some(({ name }) => name === 'payments.sqlite') &&
    there.every(({ of, optional }) => of === 'service' || optional)
  )
}

export function pathOf(url: string): string {
  return url.replace(/^file:/, '')
}

/** Throws Problem if a book is on a PostgreSQL server. */
export function refuseServers({ provider, service, tippingDatabaseUrl }: BackupConfig): void {
  const books = provider ? [tippingDatabaseUrl] : [tippingDatabaseUrl, service.databaseUrl]
  if (!books.some(isPostgres)) return
  throw new Problem(
    'This command copies SQLite files, but at least one book is on a PostgreSQL server. Use PostgreSQL’s own tools instead: pg_dump, or a base backup with its write-ahead log. After restoring a backup with these tools, run npm run restore -- --in-place. docs/SCALING.md shows how.',
  )
}

/** Returns a file's SHA-256, in hex. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Reads the manifest of the backup in a folder. Throws Problem if the folder does not contain a complete backup. */
export function readManifest(folder: string): Manifest {
  const remedy = `Give the folder that "npm run backup -- FOLDER" made`
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch (error) {
    throw new Problem(`${folder} is not a backup: it has no ${MANIFEST}. ${remedy}.`, { cause: error })
  }
  try {
    return manifestShape.parse(JSON.parse(text))
  } catch (error) {
    throw new Problem(`${folder} is not a complete backup: its ${MANIFEST} cannot be read. ${remedy}.`, {
      cause: error,
    })
  }
}
