import { startBotAlone } from '../assembly/start-all.ts'
import { readConfig } from '../config/config.ts'
import { run } from './run.ts'
import { surroundings } from './surroundings.ts'

/** `npm run bot`: the bot alone, with a provider elsewhere. */
await run(async () => {
  const config = readConfig()
  const bot = await startBotAlone(config, surroundings(config))
  console.log('The bot is connected.')
  return bot
})
