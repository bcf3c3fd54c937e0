import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { openDataFolder } from '../lib/data-folder.ts'
import { lockFolder } from '../lib/folder-lock.ts'
import { sats } from '../lib/money/amount.ts'
import { SANDBOX_TOKEN_FILE } from '../payments-service/backends/sandbox/sandbox-token.ts'
import { createWorld } from '../playground/create-world.ts'
import { createPageServer } from '../playground/page-server.ts'
import { serveFixedRates } from '../playground/world/fixed-rates.ts'
import type { Running } from './run.ts'
import { createRuntime } from './runtime.ts'

/** Everything that a playground keeps, and nothing that is not its own: `--fresh` may remove all of it. */
const DATABASE_FILES = ['tipping.sqlite', 'payments.sqlite', 'lightning-sandbox.sqlite', 'playground.sqlite']
const OTHER_FILES = ['own-project.json', 'ports.json', SANDBOX_TOKEN_FILE]

/** A payment takes as long as on a good day on the real network, so that one sees it happen. */
const PAYMENT_TAKES_MS = 600

/** About what somebody who pays with a phone might have on it. */
export const PHONE_HOLDS = sats(2_000_000)

/** Opens the playground: the whole world in this process, and its page. */
export async function openPlayground(config: Config, fresh: boolean): Promise<Running> {
  const folder = config.dataFolder
  const unlock = lockFolder(openDataFolder(folder), 'playground')
  if (fresh) forget(folder)
  // The page is what people look at here; the log would only scroll its address away.
  const around = createRuntime({ logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel })
  const ports = { emulator: 8790, service: config.service.port, callbacks: config.callbacks.port }
  const rates = await serveFixedRates(around)
  const world = await createWorld({
    ...around,
    folder,
    ports,
    paymentTakesMs: PAYMENT_TAKES_MS,
    phoneHolds: PHONE_HOLDS,
    gamertagReservedDays: config.service.gamertagReservedDays,
    ratesUrl: config.ratesUrl ?? rates.url,
    publicApi: true,
  })
  const page = await createPageServer({ world, port: config.playgroundPort, host: config.host, ...around })
  console.log(greeting(page.url, config.playgroundPort, folder))
  return {
    async close() {
      await page.close()
      await world.close()
      await rates.close()
      unlock()
    },
  }
}

/** The text for the person who started it. A requested port of 0 means any. */
function greeting(url: string, requestedPort: number, folder: string): string {
  const moved = requestedPort !== 0 && Number(new URL(url).port) !== requestedPort
  const why = moved ? `  Port ${requestedPort} is taken by another program, so the page uses another one.\n` : ''
  return `
  Satchel's playground is open:  ${url}

${why}  You are alice. Start with /deposit 10000, then /tip @bob 500; the page has a guided tour.
  Your data is in ${folder}. npm start -- --fresh starts over. Ctrl-C stops.
`
}

function forget(folder: string): void {
  const files = [...DATABASE_FILES.flatMap((file) => [file, `${file}-wal`, `${file}-shm`]), ...OTHER_FILES]
  for (const file of files) if (existsSync(join(folder, file))) rmSync(join(folder, file))
}
