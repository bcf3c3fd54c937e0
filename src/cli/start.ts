import { parseArgs } from 'node:util'
import { startAll } from '../assembly/start-all.ts'
import { readConfig } from '../config/config.ts'
import { openDataFolder } from '../lib/data-folder.ts'
import { lockFolder } from '../lib/folder-lock.ts'
import { openPlayground } from './open-playground.ts'
import { run } from './run.ts'
import { createRuntime } from './runtime.ts'

/** `npm start`: with a Discord token the bot on Discord, without one the playground. */
await run(async () => {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } })
  const config = readConfig()
  if (!config.discord) return await openPlayground(config, values.fresh)
  const folder = openDataFolder(config.dataFolder)
  const unlock = lockFolder(folder, 'bot', 'service')
  const all = await startAll(config, createRuntime(config))
  const payments = all.serviceUrl
    ? `The payments service listens on ${all.serviceUrl}.`
    : `Payments go through ${config.provider?.baseUrl}.`
  console.log(`The bot is connected to Discord. ${payments} Ctrl-C stops.`)
  return {
    drainMs: 2 * config.instance.drainMs,
    async close() {
      await all.close()
      unlock()
    },
  }
})
