import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BookCheck } from '../../src/assembly/books/check-books.ts'
import { holdBooks } from '../../src/assembly/books/hold-books.ts'
import { knownBook } from '../../src/assembly/books/known-books.ts'
import { withOwnService } from '../../src/assembly/set-up/prepare-own-service.ts'
import { sidesOf, startAll } from '../../src/assembly/start-all.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { databaseFor, recreate } from '../support/postgres/databases.ts'

/** A bot that holds no sats, and whose book, on a server, never records a beginning. */

const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
let folder: string
let emulator: Emulator
let urls: { TIPPING_DATABASE_URL: string; PAYMENTS_DATABASE_URL: string }

const configOf = (variables: Record<string, string>) =>
  parseConfig({
    ...{ DATA_FOLDER: folder, SERVICE_PORT: '0', CALLBACK_PORT: '0', ...urls },
    ...{ DISCORD_TOKEN: emulator.token, DISCORD_API_URL: emulator.restUrl, ...variables },
  })

/** Starts the bot as `npm start` does, and stops it. */
async function runOnce(variables: Record<string, string>): Promise<void> {
  const config = configOf(variables)
  const sides = sidesOf(config)
  const check = new BookCheck(config, { sides, newBook: false, clock: systemClock })
  const unlock = holdBooks(config, sides, () => check.files())
  try {
    await (await startAll(config, runtime, check)).close()
  } finally {
    unlock()
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'without-custody-'))
  urls = {
    TIPPING_DATABASE_URL: await databaseFor(`${folder}/tipping`, 'tipping'),
    PAYMENTS_DATABASE_URL: await databaseFor(`${folder}/payments`, 'payments'),
  }
  emulator = await createEmulator(runtime)
  seedWorld(emulator, Date.now())
})
afterAll(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true })
})

describe('a bot without custody on PostgreSQL', () => {
  it('can be started repeatedly', async () => {
    for (const _ of [1, 2, 3]) await runOnce({ CUSTODY: 'none' })
  })

  it('moves to the bundled service when it is set up again', async () => {
    await withOwnService(configOf({}), runtime, async () => undefined)
    expect(knownBook(folder, 'bot')).toMatchObject({ begun: false })
    for (const _ of [1, 2]) await runOnce({})
    expect(knownBook(folder, 'bot')).toMatchObject({ begun: true })
  })

  it('refuses to start if its book has disappeared after the move', async () => {
    const { pathname } = new URL(urls.TIPPING_DATABASE_URL)
    await recreate(pathname.slice(1))
    await expect(runOnce({})).rejects.toThrow(/^The bot’s book is missing: there is nothing in /)
  })
})
