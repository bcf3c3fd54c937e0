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

/** In the data folder. */
export const OWN_PROJECT_FILE = 'own-project.json'

const shape = z.object({ projectId: z.string(), apiKey: z.string(), callbackSecret: z.string() })

/** The operator's float on the sandbox, out of nothing, which pays link proofs and fees beyond the limit. */
const FLOAT: Msats = sats(10_000)

/**
 * Reads the key of the bot's project from the data folder, or creates the project and stores its key there, readable by
 * this user only. The service stores only the key's hash, so this file is the only place with the key.
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

/** Creates the administration of a service in this process. */
export function ownAdministration({ parts }: Service): Administration {
  const { database, ledger, clock, entropy, settings, backend } = parts
  const sandbox = backend.kind === 'sandbox'
  return createAdministration({ database, ledger, clock, entropy, settings, sandbox })
}

/** Gives the bot's project the community's name, which wallet pages show, also for tips that arrive. */
export async function nameOwnProject(service: Service, dataFolder: string, name: string | undefined): Promise<void> {
  const { projectId } = await ownProject(service, dataFolder)
  const { database, ledger } = service.parts
  const project = await database.read.project.findUnique({ where: { id: projectId } })
  if (name === undefined || project === null || project.name === name) return
  await ledger.commit({ write: (tx) => tx.project.update({ where: { id: projectId }, data: { name } }) })
}

/** Returns the project stored in a data folder; undefined if there is none yet. Throws Problem if it cannot be read. */
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
