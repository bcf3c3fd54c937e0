import { parseArgs } from 'node:util'
import { BookCheck } from '../assembly/books/check-books.ts'
import { holdBooks } from '../assembly/books/hold-books.ts'
import { checkToken } from '../assembly/set-up/check-token.ts'
import { sidesOf, startAll } from '../assembly/start-all.ts'
import { inviteLink } from '../bot/bot.ts'
import { type DiscordConfig, readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import { openPlayground, refuseInPlaceOfBot, refusePlaygroundFolder } from './open-playground.ts'
import { online } from './people-log.ts'
import { type Running, run } from './run.ts'
import { atTerminal, createRuntime } from './runtime.ts'
import { serveSetUp } from './serve-set-up.ts'

interface Flags {
  readonly fresh: boolean
  readonly 'new-book': boolean
  readonly setup: boolean
}

const isProduction = process.env.NODE_ENV === 'production'

/**
 * `npm start`: runs the bot on Discord if there is a Discord token. Without a token, runs the playground or, in
 * production, set-up in a browser. `--setup` runs set-up in a browser in any case.
 */
await run(async () => {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ options: { fresh: flag, 'new-book': flag, setup: flag } })
  // Nobody should answer set-up's questions for a start that will be refused.
  if (values.fresh && (values.setup || isProduction))
    throw forPlayground(values.setup ? '--setup is given, too' : 'this is production (NODE_ENV)')
  if (values.setup) return await serveSetUp(() => start({ ...values, setup: false }))
  return await start(values)
})

async function start(values: Flags): Promise<Running> {
  const config = readConfig()
  if (!config.discord) {
    refuseInPlaceOfBot(config)
    if (isProduction) return await serveSetUp(() => start(values))
    return await openPlayground(config, values.fresh)
  }
  if (values.fresh) throw forPlayground('DISCORD_TOKEN is set')
  refusePlaygroundFolder(config)
  const token = atTerminal ? await tryToken(config.discord) : undefined
  const sides = sidesOf(config)
  const check = new BookCheck(config, { sides, newBook: values['new-book'], clock: systemClock })
  const unlock = holdBooks(config, sides, () => check.files())
  const all = await startAll(config, createRuntime(config, atTerminal), check).catch((error) => {
    // In set-up a person can fix the problem and start again.
    unlock()
    throw error
  })
  const payments = all.serviceUrl
    ? `The payments service listens on ${all.serviceUrl}.`
    : config.custody === 'none'
      ? 'It holds no sats: tips go from wallet to wallet.'
      : `Payments go through ${config.provider?.baseUrl}.`
  if (atTerminal) console.log(online(all.bot.bot.servers(), token && inviteLink(token.applicationId)))
  console.log(`The bot is connected to Discord. ${payments} Ctrl-C stops.`)
  return {
    drainMs: 2 * config.instance.drainMs,
    async close() {
      await all.close()
      unlock()
    },
  }
}

function forPlayground(why: string): Problem {
  return new Problem(
    `--fresh is for the playground, but ${why}. Nothing was done. To start the playground over, use npm run playground -- --fresh.`,
  )
}

/**
 * Checks the token at Discord before anything starts and a book is created, because a person is waiting. Throws Problem
 * if Discord refuses the token. Resolves to undefined if Discord does not answer; the bot then tries again later.
 */
async function tryToken({ token, apiUrl }: DiscordConfig) {
  const check = await checkToken(token.reveal(), apiUrl ?? 'https://discord.com/api')
  if (check.ok) return check
  if (check.isRefused) throw new Problem(check.why)
  return undefined
}
