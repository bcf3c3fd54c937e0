import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { copyDatabases } from '../../lib/database/sqlite/copy-databases.ts'
import { withFiles } from '../../lib/file-trouble.ts'
import { Problem } from '../../lib/problem.ts'
import { recognizePaymentsFile } from '../../payments-service/core/database.ts'
import { recognizeTippingFile } from '../../tipping/core/database.ts'
import { BookCheck } from '../books/check-books.ts'
import { type BackupConfig, backupFilesOf, hashOf, MANIFEST, type Manifest, refuseServers } from './contents.ts'

/**
 * Copies everything that must survive into a new folder, which also works while the bot and the service run. Both books
 * are copied as of the same moment. The folder appears only when it is complete. Only the user of this process can read
 * the folder and its files, because they contain keys. Resolves to the files' names. Throws Problem if the folder
 * exists, there is nothing to copy, or something cannot be read or written.
 */
export async function backUp(config: BackupConfig, folder: string, clock: Clock): Promise<string[]> {
  refuseServers(config)
  const again = 'back up again. Nothing was left behind.'
  return await withFiles(`No backup could be made in ${folder}`, again, () => copyAll(config, resolve(folder), clock))
}

async function copyAll(config: BackupConfig, folder: string, clock: Clock): Promise<string[]> {
  if (existsSync(folder)) throw new Problem(`${folder} already exists. Choose a folder that does not exist yet.`)
  const backupFiles = backupFilesOf(config).filter(({ file }) => existsSync(file))
  if (!backupFiles.some(({ kind }) => kind === 'database')) {
    throw new Problem(
      `There is nothing to back up in ${config.dataFolder}. Set DATA_FOLDER to the folder that contains the books.`,
    )
  }
  // Like a start: if something is missing or cannot be started, the backup is not reliable.
  const sides = config.provider === undefined ? (['bot', 'service'] as const) : (['bot'] as const)
  new BookCheck(config, { sides, newBook: false, clock }).files()
  await recognizeTippingFile(config.tippingDatabaseUrl)
  if (config.provider === undefined) await recognizePaymentsFile(config.service.databaseUrl)
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  try {
    const databases = backupFiles.filter(({ kind }) => kind === 'database')
    await copyDatabases(databases.map(({ name, file }) => ({ from: file, to: join(unfinished, name) })))
    for (const { name, file } of backupFiles.filter(({ kind }) => kind === 'key')) {
      copyFileSync(file, join(unfinished, name))
      chmodSync(join(unfinished, name), 0o600)
    }
    const files: Record<string, string> = {}
    for (const { name } of backupFiles) files[name] = await hashOf(join(unfinished, name))
    const manifest: Manifest = { kind: 'satchel-backup', at: new Date(clock.now()).toISOString(), files }
    writeFileSync(join(unfinished, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true })
    throw error
  }
  return backupFiles.map(({ name }) => name)
}
