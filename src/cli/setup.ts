import { createInterface } from 'node:readline/promises'
import { withOwnService } from '../assembly/set-up/prepare-own-service.ts'
import { setUp } from '../assembly/set-up/set-up.ts'
import { readConfig } from '../config/config.ts'
import { Problem } from '../lib/problem.ts'
import { fail, takeNoOptions } from './run.ts'
import { createRuntime } from './runtime.ts'

/** Values of an old .env for these are ignored: setup replaces them. */
const DISCORD = ['DISCORD_TOKEN', 'DISCORD_API_URL', 'DISCORD_GUILD_ID']

/** `npm run setup`: asks for what Satchel needs, checks it, and writes .env. */
const terminal = createInterface({ input: process.stdin, output: process.stdout })
try {
  takeNoOptions()
  // Whatever is written is for this user's eyes.
  process.umask(0o077)
  const runtime = createRuntime({ logLevel: 'error' })
  // Lines are read as they come, so that answers may also be piped in.
  const lines = terminal[Symbol.asyncIterator]()
  await setUp({
    prompter: {
      say: (text) => console.log(text),
      async ask(question) {
        process.stdout.write(question)
        const { value, done } = await lines.next()
        if (done)
          throw new Problem(
            '\nThe input ended before the last question. .env was not written. Run npm run setup again.',
          )
        return String(value).trim()
      },
    },
    runtime,
    apiUrl: process.env.DISCORD_API_URL ?? 'https://discord.com/api',
    envFile: '.env',
    withOwnService: (variables, use) => withOwnService(readConfig(DISCORD, variables), runtime, use),
  })
} catch (error) {
  fail(error)
} finally {
  terminal.close()
}
