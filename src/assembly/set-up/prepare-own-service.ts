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
  /** Of the bot's project. */
  readonly apiKey: string
  /** Where its keys are. */
  readonly keysFile: string
  /** Whether its sats come out of nothing. */
  readonly isSandbox: boolean
  readonly node: string
  /** Unit of its amounts. */
  readonly unit: Unit
  /** Takes out of the bot's wallet, once, what the node kept of a payment of the operator's. Resolves to that amount. */
  bearShort(paymentHash: string): Promise<Msats>
}

/**
 * Starts the bundled service for as long as `use` takes, on any port, with the bot's project, whose keys are generated where
 * there are none yet. Throws Problem when the data folder cannot be used, is in use, has the books of another node, or lacks a book.
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
      if (storedProject(folder) === undefined) allowFirstBook(config, 'bot')
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

/** Reads the wallet of the bot's project with its key. */
export async function checkOwnService({ url, apiKey, keysFile }: OwnService, clock: Clock): Promise<ProviderCheck> {
  const check = await checkProvider(url, apiKey, clock)
  if (!check.ok) return check
  return { ok: true, says: `The bundled payments service is working. Its keys are in ${keysFile}. ${check.says}` }
}
