import { createInterface } from 'node:readline/promises'
import { setUp } from '../assembly/set-up/set-up.ts'
import { systemClock } from '../lib/clock.ts'
import { fail } from './run.ts'

/** `npm run setup`: asks for what Satchel needs on Discord, checks it, and writes .env. */
const terminal = createInterface({ input: process.stdin, output: process.stdout })
try {
  // Lines are read as they come, so that answers may also be piped in.
  const lines = terminal[Symbol.asyncIterator]()
  await setUp({
    prompter: {
      say: (text) => console.log(text),
      async ask(question) {
        process.stdout.write(question)
        const { value, done } = await lines.next()
        if (done) throw new Error('Nobody answers any more; nothing was written.')
        return String(value).trim()
      },
    },
    clock: systemClock,
    apiUrl: process.env.DISCORD_API_URL ?? 'https://discord.com/api',
    envFile: '.env',
  })
} catch (error) {
  fail(error instanceof Error ? error.message : error)
} finally {
  terminal.close()
}
