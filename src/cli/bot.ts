import { startBotAlone } from '../assembly/start-all.ts'
import { readConfig } from '../config/config.ts'
import { openDataFolder } from '../lib/data-folder.ts'
import { lockFolder } from '../lib/folder-lock.ts'
import { run, takeNoOptions } from './run.ts'
import { createRuntime } from './runtime.ts'

/** `npm run bot`: the bot alone, with a provider elsewhere. */
await run(async () => {
  takeNoOptions()
  const config = readConfig()
  const unlock = lockFolder(openDataFolder(config.dataFolder), 'bot')
  const bot = await startBotAlone(config, createRuntime(config))
  console.log('The bot is connected.')
  return {
    drainMs: config.instance.drainMs,
    async close() {
      await bot.close()
      unlock()
    },
  }
})
