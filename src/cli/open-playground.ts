import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Config, isSandbox } from '../config/config.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { openDataFolder } from '../lib/data-folder.ts'
import { isNoFile, peek } from '../lib/database/sqlite/peek.ts'
import { isFile } from '../lib/database/url-kinds.ts'
import { lockBook, lockFolder } from '../lib/folder-lock.ts'
import { sats } from '../lib/money/amount.ts'
import { Problem } from '../lib/problem.ts'
import { createWorld } from '../playground/create-world.ts'
import { playFirstScene } from '../playground/flows/first-scene.ts'
import { createPageServer } from '../playground/page-server.ts'
import { serveFixedRates } from '../playground/world/fixed-rates.ts'
import type { PlaygroundWorld } from '../playground/world.ts'
import type { Running } from './run.ts'
import { createRuntime } from './runtime.ts'

/**
 * The playground's folders within the data folder, so that it stores nothing beside a bot's books. A bot without
 * custody has a folder of its own, because it cannot use a book with sats.
 */
const FOLDERS = { balances: 'playground', none: 'playground-no-custody' } as const
type Custody = PlaygroundWorld['custody']

/** The file that only a playground creates, and neither a bot nor a service. */
const WORLD = 'playground.sqlite'
/** The names of lock files. A lock that is held has a second file. */
const IS_LOCK = /-lock\.sqlite(-journal)?$/
const BOOKS = ['tipping.sqlite', 'payments.sqlite']

/** How long a payment takes: as long as on a good day on the real network, so that people can watch it. */
const PAYMENT_TAKES_MS = 600

/** The initial balance of the outside wallet: about as much as a person might have on their phone. */
export const PHONE_HOLDS = sats(2_000_000)

/**
 * Opens the playground: a whole world in this process, and its page. Throws Problem if the playground's folder contains
 * books other than a playground's, or is in use.
 */
export async function openPlayground(config: Config, fresh: boolean): Promise<Running> {
  const { custody } = config
  const { folder, unlock } = takePlaygroundFolder(config.dataFolder, { fresh, clock: systemClock, custody })
  // People look at the page here, and the log would only scroll its address away.
  const around = createRuntime({ logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel })
  const ports = { emulator: 8790, service: config.service.port, callbacks: config.callbacks.port }
  const rates = await serveFixedRates(around)
  const world = await createWorld({
    ...around,
    folder,
    custody,
    ports,
    paymentTakesMs: PAYMENT_TAKES_MS,
    phoneHolds: PHONE_HOLDS,
    gamertagReservedDays: config.service.gamertagReservedDays,
    ratesUrl: config.ratesUrl ?? rates.url,
    publicApi: true,
    ownEmoji: true,
  })
  await playFirstScene(world).catch((error: unknown) => around.logger.warn({ err: error }, 'nobody talks in #general'))
  const page = await createPageServer({ world, port: config.playgroundPort, host: config.host, ...around })
  console.log(greeting(page.url, config.playgroundPort, world.custody, folder))
  return {
    async close() {
      await page.close()
      await world.close()
      await rates.close()
      unlock()
    },
  }
}

/** Returns the text for the person who started the playground. A requested port of 0 means any free port. */
function greeting(url: string, requestedPort: number, custody: Custody, folder: string): string {
  const moved = requestedPort !== 0 && Number(new URL(url).port) !== requestedPort
  const why = moved ? `  Port ${requestedPort} is taken by another program, so the page uses another one.\n` : ''
  const now =
    custody === 'none'
      ? 'You are alice, and this bot holds no sats (CUSTODY=none). The page has a guided tour: connect two wallets, and tip from one to the other.'
      : 'You are alice, and one share of a drop in #general is left for you. Then /deposit 10000, and /tip @bob 500; the page has guided tours.'
  return `
  Satchel's playground is open:  ${url}

${why}  ${now}
  Alice and bob also have wallets of their own: see “Own wallets” at the foot of the page.
  Your data is in ${folder}. npm run playground -- --fresh starts over, and sets it aside. Ctrl-C stops.
`
}

/**
 * Locks the playground's own folder and returns it. If `fresh` is set, moves existing data into a folder with the date
 * in its name, and deletes nothing. Throws Problem, and changes nothing, if the folder is in use or contains books
 * other than a playground's.
 */
export function takePlaygroundFolder(
  dataFolder: string,
  {
    fresh,
    clock,
    custody = 'balances',
  }: { readonly fresh: boolean; readonly clock: Clock; readonly custody?: Custody },
): { readonly folder: string; unlock(): void } {
  openDataFolder(dataFolder)
  const folder = openDataFolder(join(dataFolder, FOLDERS[custody]))
  const held = [lockFolder(folder, 'playground', 'bot', 'service')]
  const unlock = () => {
    for (const letGo of held.splice(0)) letGo()
  }
  try {
    for (const book of BOOKS) held.push(lockBook(`file:${join(folder, book)}`))
    refuseRealBooks(folder)
    // The world locks its sandbox later.
    if (fresh) {
      const letGo = lockFolder(folder, 'sandbox')
      try {
        setAside(folder, clock)
      } finally {
        letGo()
      }
    }
    return { folder, unlock }
  } catch (error) {
    unlock()
    throw error
  }
}

function refuseRealBooks(folder: string): void {
  const books = BOOKS.filter((name) => !isNoFile(join(folder, name)))
  const advice = 'Nothing was changed. Set DATA_FOLDER to another folder.'
  if (books.length > 0 && !existsSync(join(folder, WORLD))) {
    throw new Problem(
      `${folder} holds books (${books.join(', ')}) but not ${WORLD}, the file of a playground's world. These books belong to a bot, or come from a backup, which never contains that file. ${advice}`,
    )
  }
  const [node] = peek(join(folder, 'payments.sqlite'), 'SELECT "kind" FROM "BookNode"') ?? []
  if (node === undefined || node.kind === 'sandbox') return
  throw new Problem(`${folder} holds a book with real sats: its node is ${node.kind}. ${advice}`)
}

function setAside(folder: string, clock: Clock): void {
  const names = readdirSync(folder).filter((name) => !IS_LOCK.test(name) && !name.startsWith('before-'))
  if (names.length === 0) return
  const aside = join(folder, `before-${new Date(clock.now()).toISOString().replace(/[:.]/g, '-')}`)
  mkdirSync(aside, { mode: 0o700 })
  for (const name of names) renameSync(join(folder, name), join(aside, name))
  console.log(`What was there is in ${aside} now.`)
}

/** Throws Problem if a bot would use a playground's folder, because `--fresh` moves that folder's books away. */
export function refusePlaygroundFolder({ dataFolder }: Pick<Config, 'dataFolder'>): void {
  const isPlaygrounds = Object.values<string>(FOLDERS).includes(basename(resolve(dataFolder)))
  if (!isPlaygrounds || !existsSync(join(dataFolder, WORLD))) return
  throw new Problem(
    `${dataFolder} is the playground's own folder: npm run playground -- --fresh would set a bot's books aside. Nothing was changed. Set DATA_FOLDER to another folder.`,
  )
}

/**
 * Throws Problem if a playground would open although the settings or books are those of a bot: `npm start` without a
 * token opens the playground, which a supervisor would mistake for the bot.
 */
export function refuseInPlaceOfBot({ custody, provider, service, tippingDatabaseUrl, dataFolder }: Config): void {
  const meant = [
    ...(custody === 'none' ? ['CUSTODY is none'] : provider ? ['PAYMENTS_BASE_URL names a provider'] : []),
    ...(isSandbox(service.lightning) ? [] : ['LIGHTNING_BACKEND names a node']),
    ...[tippingDatabaseUrl, service.databaseUrl].flatMap((url) => {
      if (!isFile(url)) return ['a book is on a server']
      const file = url.slice('file:'.length)
      // Playgrounds of earlier versions kept their books directly in the data folder.
      return isNoFile(file) || existsSync(join(dataFolder, WORLD)) ? [] : [`${file} is a book`]
    }),
  ]
  if (meant.length === 0) return
  throw new Problem(
    `DISCORD_TOKEN is not set, so no bot can start. But ${meant[0]}, so you seem to want a bot here. Set the token in .env (npm run setup asks for it). To open the playground, which has a folder of its own, use npm run playground. To start the payments service alone, use npm run service.`,
  )
}
