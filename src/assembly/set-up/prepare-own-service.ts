import { join } from 'node:path'
import { type Config, isSandbox } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { type Unit, unitOf } from '../../payments-service/engine/node/unit.ts'
import { allowFirstBook, BookCheck } from '../books/check-books.ts'
import { holdBooks } from '../books/hold-books.ts'
import { OWN_PROJECT_FILE, ownAdministration, ownProject, storedProject } from '../own-project.ts'
import type { Runtime } from '../runtime.ts'
import { startService } from '../start-service.ts'
import { checkProvider, type ProviderCheck } from './check-provider.ts'

/** The bundled service while it runs for setup. */
export interface OwnService {
  readonly url: string
  /** The API key of the bot's project. */
  readonly apiKey: string
  /** The file that contains the project's key and callback secret. */
  readonly keysFile: string
  /** Whether the node is a sandbox, whose sats come from nowhere. */
  readonly isSandbox: boolean
  readonly node: string
  /** The unit of the service's amounts. */
  readonly unit: Unit
  /** Charges the bot's wallet, once, with what the node kept of an operator's payment. Resolves to that amount. */
  bearShort(paymentHash: string): Promise<Msats>
}

/**
 * Runs the bundled service on any free port while `use` runs. Creates the bot's project if there is none. Throws
 * Problem if the data folder cannot be used, is in use, contains another node's books, or lacks a book.
 */
export async function withOwnService<Result>(
  config: Config,
  runtime: Runtime,
  use: (own: OwnService) => Promise<Result>,
): Promise<Result> {
  const folder = config.dataFolder
  const check = new BookCheck(config, { sides: ['bot', 'service'], newBook: false, clock: runtime.clock })
  const unlock = holdBooks(config, ['service'], () => check.files())
  try {
    const anyPort = { ...config, host: '127.0.0.1', service: { ...config.service, port: 0 } }
    const service = await startService({ config: anyPort, checkBook: check.ofService, ...runtime })
    try {
      if (storedProject(folder) === undefined) allowFirstBook(config)
      const { apiKey } = await ownProject(service, folder)
      return await use({
        url: service.url,
        apiKey,
        keysFile: join(folder, OWN_PROJECT_FILE),
        isSandbox: isSandbox(config.service.lightning),
        node: service.parts.backend.kind,
        unit: await unitOf(service.parts),
        bearShort: ownAdministration(service).bearShort,
      })
    } finally {
      await service.close()
    }
  } finally {
    unlock()
  }
}

/** Checks the bundled service by reading the wallet of the bot's project with the project's key. */
export async function checkOwnService({ url, apiKey, keysFile }: OwnService, clock: Clock): Promise<ProviderCheck> {
  const check = await checkProvider(url, apiKey, clock)
  if (!check.ok) return check
  return { ok: true, says: `The bundled payments service is working. Its keys are in ${keysFile}. ${check.says}` }
}
