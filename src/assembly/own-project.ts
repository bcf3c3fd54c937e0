import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { whyFilesRefuse } from '../lib/file-trouble.ts'
import { type Msats, sats } from '../lib/money/amount.ts'
import { Problem } from '../lib/problem.ts'
import { type Administration, createAdministration } from '../payments-service/administration/administration.ts'
import type { Service } from '../payments-service/service.ts'

/** The bot's own project at the bundled service. */
export interface OwnProject {
  readonly projectId: string
  readonly apiKey: string
  readonly callbackSecret: string
}

/** The file in the data folder that contains the bot's project and its key. */
export const OWN_PROJECT_FILE = 'own-project.json'

const shape = z.object({ projectId: z.string(), apiKey: z.string(), callbackSecret: z.string() })

/**
 * The operator's float on the sandbox, created from nothing. It pays for link proofs and for fees beyond their limit.
 */
const FLOAT: Msats = sats(10_000)

/**
 * Reads the bot's project and its key from the data folder, or creates the project and stores both there, readable only
 * by the user of this process. The service stores only the key's hash, so the key exists only in this file.
 */
export async function ownProject(service: Service, dataFolder: string): Promise<OwnProject> {
  const stored = storedProject(dataFolder)
  if (stored !== undefined) return stored
  const file = join(dataFolder, OWN_PROJECT_FILE)
  const isSandbox = service.parts.backend.kind === 'sandbox'
  const project = await ownAdministration(service).createProject('Satchel', isSandbox ? FLOAT : undefined)
  // Written beside and renamed, so a process killed in between leaves the whole file or none.
  writeFileSync(`${file}.new`, `${JSON.stringify(project, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return project
}

/** Creates an administration for a service that runs in this process. */
export function ownAdministration({ parts }: Service): Administration {
  const { database, ledger, clock, entropy, settings, backend } = parts
  const sandbox = backend.kind === 'sandbox'
  return createAdministration({ database, ledger, clock, entropy, settings, sandbox })
}

/**
 * Gives the bot's project the community's name. Wallet pages show this name, for example beside tips that have arrived.
 */
export async function nameOwnProject(service: Service, dataFolder: string, name: string | undefined): Promise<void> {
  const { projectId } = await ownProject(service, dataFolder)
  const { database, ledger } = service.parts
  const project = await database.read.project.findUnique({ where: { id: projectId } })
  if (name === undefined || project === null || project.name === name) return
  await ledger.commit({ write: (tx) => tx.project.update({ where: { id: projectId }, data: { name } }) })
}

/**
 * Returns the project that a data folder stores; undefined if it stores none yet. Throws Problem if the file cannot be
 * read.
 */
export function storedProject(dataFolder: string): OwnProject | undefined {
  const file = join(dataFolder, OWN_PROJECT_FILE)
  if (!existsSync(file)) return undefined
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const why = whyFilesRefuse(error)
    throw new Problem(
      why === undefined
        ? `${file} cannot be read as the key of the bot's project. Restore it from a backup.`
        : `${file}, the key of the bot's project, cannot be read: ${why}.`,
      { cause: error },
    )
  }
}
