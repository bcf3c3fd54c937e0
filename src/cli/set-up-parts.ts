import { allowFirstBook } from '../assembly/books/check-books.ts'
import type { Runtime } from '../assembly/runtime.ts'
import { withOwnService } from '../assembly/set-up/prepare-own-service.ts'
import type { SetUpOptions } from '../assembly/set-up/set-up.ts'
import { readConfig, settingsFile } from '../config/config.ts'
import { openDataFolder } from '../lib/data-folder.ts'

/** The settings whose stored values set-up ignores and replaces. */
export const DISCORD = ['DISCORD_TOKEN', 'DISCORD_API_URL', 'DISCORD_GUILD_ID', 'HOME_GUILD_ID', 'OPERATORS_CHANNEL_ID']

/** Returns what set-up needs from this process, both at a terminal and in a browser. */
export function setUpParts(runtime: Runtime): Omit<SetUpOptions, 'prompter' | 'place'> {
  return {
    runtime,
    apiUrl: process.env.DISCORD_API_URL ?? 'https://discord.com/api',
    envFile: settingsFile(),
    environment: process.env,
    withOwnService: (variables, use) => withOwnService(readConfig(DISCORD, variables), runtime, use),
    allowFirstBook(variables) {
      const config = readConfig(DISCORD, variables)
      openDataFolder(config.dataFolder)
      allowFirstBook(config)
    },
  }
}
