import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { openDataFolder } from '../../lib/data-folder.ts'
import { lockFolder } from '../../lib/folder-lock.ts'
import { OWN_PROJECT_FILE, ownProject } from '../own-project.ts'
import type { Runtime } from '../runtime.ts'
import { startService } from '../start-service.ts'
import { checkProvider, type ProviderCheck } from './check-provider.ts'

/**
 * Starts the service in the box for a moment, generates the keys of the bot's project where there are none yet, and
 * reads the project's wallet with them. Throws Problem when the data folder cannot be used or is in use.
 */
export async function prepareOwnService(config: Config, runtime: Runtime): Promise<ProviderCheck> {
  const folder = openDataFolder(config.dataFolder)
  const unlock = lockFolder(folder, 'service')
  try {
    const anyPort = { ...config, host: '127.0.0.1', service: { ...config.service, port: 0 } }
    const service = await startService({ config: anyPort, ...runtime })
    try {
      const { apiKey } = await ownProject(service, folder)
      const check = await checkProvider(service.url, apiKey, runtime.clock)
      if (!check.ok) return check
      return {
        ok: true,
        says: `The service in the box works. Its keys are in ${join(folder, OWN_PROJECT_FILE)}. ${check.says}`,
      }
    } finally {
      await service.close()
    }
  } finally {
    unlock()
  }
}
