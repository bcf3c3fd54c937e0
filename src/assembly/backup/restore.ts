import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { isInUse } from '../../lib/copy-databases.ts'
import { openDataFolder } from '../../lib/data-folder.ts'
import { lockFolder } from '../../lib/folder-lock.ts'
import { Problem } from '../../lib/problem.ts'
import { openPaymentsDatabase } from '../../payments-service/database.ts'
import { openTippingDatabase } from '../../tipping/database.ts'
import { markRestored } from '../../tipping/oversight/restored.ts'
import { audit } from '../audit/audit.ts'
import { keptProject } from '../own-project.ts'
import { type BackupConfig, hashOf, type Manifest, type Place, placesOf, readManifest } from './contents.ts'

export interface Restored {
  /** When the backup was made. */
  readonly at: string
  readonly files: readonly string[]
  /** Where what was there before lies now; undefined when there was nothing. */
  readonly setAside: string | undefined
}

/**
 * Puts a backup in place of the data, once its books are proven. The bot's book then starts with its exits paused until
 * it is proven against the wallet. What was there before is set aside, never deleted. Throws Problem when the backup is
 * not whole or its books do not hold, when data is there and `force` is not given, or when something uses the data.
 */
export async function restore(
  config: BackupConfig,
  backup: string,
  options: { readonly force: boolean; readonly clock: Clock },
): Promise<Restored> {
  const manifest = readManifest(backup)
  await checkWhole(backup, manifest, placesOf(config))
  const folder = openDataFolder(config.dataFolder)
  // Nobody starts on the data meanwhile.
  const locks = ['bot', 'service'].map((part) => lockFolder(folder, part))
  try {
    return await replace(config, backup, manifest, options)
  } finally {
    for (const unlock of locks) unlock()
  }
}

async function replace(
  config: BackupConfig,
  backup: string,
  manifest: Manifest,
  { force, clock }: { readonly force: boolean; readonly clock: Clock },
): Promise<Restored> {
  const places = placesOf(config)
  refuseToOverwrite(places, config.dataFolder, force)
  const staging = join(config.dataFolder, 'restoring')
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { mode: 0o700 })
  try {
    const names = Object.keys(manifest.files)
    for (const name of names) {
      copyFileSync(join(backup, name), join(staging, name))
      chmodSync(join(staging, name), 0o600)
    }
    await prove(staging, names, manifest.at, clock)
    const setAside = putInPlace(config, staging, places, clock)
    return { at: manifest.at, files: names, setAside }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

async function checkWhole(backup: string, manifest: Manifest, places: readonly Place[]): Promise<void> {
  for (const [name, hash] of Object.entries(manifest.files)) {
    if (!places.some((place) => place.name === name)) {
      throw new Problem(
        `The backup ${backup} holds ${name}, for which this configuration has no place: it was made with another provider. Set the same PAYMENTS_BASE_URL, or none.`,
      )
    }
    const file = join(backup, name)
    if (!existsSync(file)) throw new Problem(`The backup ${backup} lacks ${name}. Use another backup.`)
    if ((await hashOf(file)) !== hash) {
      throw new Problem(`${file} is not as it was when the backup was made (its SHA-256 differs). Use another backup.`)
    }
  }
  if (!('tipping.sqlite' in manifest.files)) {
    throw new Problem(`The backup ${backup} lacks tipping.sqlite, the bot’s book. Use another backup.`)
  }
}

function refuseToOverwrite(places: readonly Place[], dataFolder: string, force: boolean): void {
  const there = places.filter(({ file }) => existsSync(file))
  const used = there.find(({ file, kind }) => kind === 'database' && isInUse(file))
  if (used) {
    throw new Problem(`${used.file} is in use. Stop the bot and the service first, then restore again.`)
  }
  if (there.length > 0 && !force) {
    throw new Problem(
      `${dataFolder} holds data already (${there.map(({ name }) => name).join(', ')}). Give --force to set it aside, or name an empty folder in DATA_FOLDER.`,
    )
  }
}

/** Brings the copies up to date as a start would, proves both books, and pauses the bot's exits. */
async function prove(staging: string, names: readonly string[], madeAt: string, clock: Clock): Promise<void> {
  const inTheBox = names.includes('payments.sqlite')
  const tippingUrl = `file:${join(staging, 'tipping.sqlite')}`
  const paymentsUrl = `file:${join(staging, 'payments.sqlite')}`
  const tipping = await openTippingDatabase(tippingUrl)
  await tipping.close()
  if (inTheBox) await (await openPaymentsDatabase(paymentsUrl)).close()
  const report = await audit({
    tipping: tippingUrl,
    provider: inTheBox
      ? { kind: 'in the box', database: paymentsUrl, projectId: keptProject(staging)?.projectId }
      : { kind: 'unasked' },
    clock,
  })
  if (!report.holds) {
    const faults = report.findings.map(({ side, what }) => `\n  - ${side}: ${what}`).join('')
    throw new Problem(`The books in the backup do not hold, and nothing was restored:${faults}\nUse another backup.`)
  }
  const restored = await openTippingDatabase(tippingUrl)
  try {
    await markRestored(restored, { madeAt, now: new Date(clock.now()) })
  } finally {
    await restored.close()
  }
}

function putInPlace(config: BackupConfig, staging: string, places: readonly Place[], clock: Clock): string | undefined {
  const time = new Date(clock.now()).toISOString().replace(/[:.]/g, '-')
  const aside = join(config.dataFolder, `before-restore-${time}`)
  let moved = false
  for (const { name, file } of places) {
    for (const suffix of ['', '-wal', '-shm']) {
      if (!existsSync(file + suffix)) continue
      mkdirSync(aside, { recursive: true, mode: 0o700 })
      renameSync(file + suffix, join(aside, name + suffix))
      moved = true
    }
  }
  const staged = new Set(readdirSync(staging))
  for (const { name, file } of places.filter((place) => staged.has(place.name))) {
    mkdirSync(dirname(file), { recursive: true })
    // A database may lie on another disk than the data folder, where a file cannot be renamed to.
    copyFileSync(join(staging, name), file)
    chmodSync(file, 0o600)
  }
  return moved ? aside : undefined
}
