import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { isNoFile } from '../lib/database/sqlite/peek.ts'
import { isFile } from '../lib/database/url-kinds.ts'
import { Problem } from '../lib/problem.ts'
import { createPaymentsClient } from '../payments-api/payments-api.ts'
import { inspectTippingDatabase } from '../tipping/core/database.ts'
import { type OperatorAccess, openOperatorAccess } from '../tipping/operator-access.ts'
import { storedProject } from './own-project.ts'
import type { Runtime } from './runtime.ts'

/**
 * Opens the book of this installation's bot for operators, which also works while the bot and the service run. Only
 * actions that read the wallet need the provider. `servicePort` is the bundled service's port. Throws Problem if the
 * bot has no book or no project yet, and creates neither.
 */
export async function openForOperators(
  config: Pick<Config, 'provider' | 'dataFolder' | 'tippingDatabaseUrl' | 'host' | 'operators'>,
  servicePort: number,
  runtime: Runtime,
): Promise<OperatorAccess> {
  const { tippingDatabaseUrl: database } = config
  if (isFile(database) && isNoFile(database.slice('file:'.length))) {
    throw new Problem(
      `The bot's book is not at ${resolve(database.slice('file:'.length))}, and no book was created. Start the bot first (npm start), or set TIPPING_DATABASE_URL or DATA_FOLDER to where its book is.`,
    )
  }
  // Opening it would create a missing book: for example on a server whose address has a typing mistake.
  await (await inspectTippingDatabase(database)).close()
  const payments = createPaymentsClient({ ...addressOf(config, servicePort), clock: runtime.clock })
  try {
    const nothingIsSent = { replaysKeys: () => false, stillReplays: async () => false }
    const access = await openOperatorAccess({
      ...runtime,
      ...nothingIsSent,
      database,
      payments,
      settings: { operators: config.operators },
    })
    return {
      ...access,
      close: async () => {
        await access.close()
        await payments.close()
      },
    }
  } catch (error) {
    await payments.close()
    throw error
  }
}

function addressOf({ provider, dataFolder, host }: Pick<Config, 'provider' | 'dataFolder' | 'host'>, port: number) {
  if (provider !== undefined) return { ...provider, apiKey: provider.apiKey.reveal() }
  const project = storedProject(dataFolder)
  // A server on all addresses also listens on loopback.
  const where = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  if (project !== undefined) return { baseUrl: `http://${where}:${port}`, apiKey: project.apiKey }
  throw new Problem(
    `The bot has no project in ${dataFolder} yet. Start the bot first (npm start), or set DATA_FOLDER to where its data is.`,
  )
}
