import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { setUp } from '../assembly/set-up/set-up.ts'
import { qrText } from '../lib/lightning/qr.ts'
import { createLogger } from '../lib/logger.ts'
import { Problem } from '../lib/problem.ts'
import { fail, takeNoOptions } from './run.ts'
import { createRuntime } from './runtime.ts'
import { setUpParts } from './set-up-parts.ts'

/** `npm run setup`: asks for what Satchel needs, checks it, and writes `.env`. */

const said = new Set<string>()

/** Shows the service's log during set-up to the person at the terminal, as text. */
const destination = {
  write(line: string): void {
    const { alert, msg, err } = JSON.parse(line)
    // Set-up itself reports the payment's arrival, and the amount that is left.
    if (alert === 'short_settlement') return
    const text = err === undefined || msg.includes(err.message) ? msg : `${msg}: ${err.message}`
    // Several parts notice an unreachable node together.
    if (said.has(text)) return
    said.add(text)
    console.log(`\n   ! ${text}`)
  },
}

/** Whether the text that is being typed is a secret. */
let hidden = false
/** Echoes typed text unless it is a secret. */
const echo = new Writable({
  write(chunk, _encoding, done) {
    if (!hidden) process.stdout.write(chunk)
    done()
  },
})
const atTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
// Keeps no history: otherwise the next question would offer a token with one key.
const terminal = createInterface({ input: process.stdin, output: echo, terminal: atTerminal, historySize: 0 })
try {
  takeNoOptions()
  // Only this user may read the files that this process writes.
  process.umask(0o077)
  const runtime = {
    ...createRuntime({ logLevel: 'error' }),
    logger: createLogger({ level: 'error', name: 'setup', destination }),
  }
  // Reads lines as they come, so answers may also be piped in.
  const lines = terminal[Symbol.asyncIterator]()
  await setUp({
    prompter: {
      say: (text) => console.log(text),
      show: (code) => console.log(`\n${qrText(code)}\n   ${code}\n`),
      async ask(question, how) {
        process.stdout.write(question)
        if (atTerminal && how?.earlier) terminal.write(how.earlier)
        hidden = how?.hidden === true
        const { value, done } = await lines.next()
        if (hidden && atTerminal) console.log('')
        hidden = false
        if (done)
          throw new Problem(
            '\nThe input ended before every question was answered. .env was not written. Run npm run setup again.',
          )
        return String(value).trim()
      },
    },
    place: 'terminal',
    ...setUpParts(runtime),
  })
} catch (error) {
  fail(error)
} finally {
  terminal.close()
}
