import { lastLeaseOfService, startService } from '../assembly/start-service.ts'
import { readConfig } from '../config/config.ts'
import { openDataFolder } from '../lib/data-folder.ts'
import { lockFolder } from '../lib/folder-lock.ts'
import { run, takeNoOptions } from './run.ts'
import { createRuntime } from './runtime.ts'

/** `npm run service`: the payments service alone. */
await run(async () => {
  takeNoOptions()
  const config = readConfig()
  const unlock = lockFolder(openDataFolder(config.dataFolder), 'service')
  const runtime = createRuntime(config)
  const service = await startService({ config, lastLease: lastLeaseOfService(config, runtime), ...runtime })
  console.log(`The payments service listens on ${service.url}. Make a project: npm run -s admin -- project create NAME`)
  return {
    drainMs: config.instance.drainMs,
    async close() {
      await service.close()
      unlock()
    },
  }
})
