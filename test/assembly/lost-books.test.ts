import { cpSync, mkdtempSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownBook } from '../../src/assembly/books/known-books.ts'
import { startAll } from '../../src/assembly/start-all.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'

/**
 * Tests the bot and the service as `npm start` runs them, started once and stopped, after which part of their folder is
 * lost.
 */

const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
let above: string
let emulator: Emulator

const start = (folder: string) =>
  startAll(
    parseConfig({
      ...{ DATA_FOLDER: folder, SERVICE_PORT: '0', CALLBACK_PORT: '0' },
      ...{ DISCORD_TOKEN: emulator.token, DISCORD_API_URL: emulator.restUrl },
    }),
    runtime,
  )

beforeAll(async () => {
  above = mkdtempSync(join(tmpdir(), 'lost-books-'))
  emulator = await createEmulator(runtime)
  seedWorld(emulator, Date.now())
  await (await start(join(above, 'whole'))).close()
})
afterAll(async () => {
  await emulator.close()
  rmSync(above, { recursive: true })
})

let copies = 0
/** Returns a copy of the folder, from which `lose` has removed a part. */
function lost(lose: (at: (name: string) => string) => void): string {
  copies += 1
  const folder = join(above, `copy-${copies}`)
  cpSync(join(above, 'whole'), folder, { recursive: true })
  lose((name) => join(folder, name))
  return folder
}

describe('the command npm start', () => {
  it('notes that both books exist, and opens them at the next start', async () => {
    const folder = lost(() => {})
    expect(knownBook(folder, 'bot')).toMatchObject({ begun: true })
    await (await start(folder)).close()
    expect(knownBook(folder, 'service')).toMatchObject({ begun: true })
  })

  it.each<[string, (at: (name: string) => string) => void]>([
    ['the bot’s book', (at) => rmSync(at('tipping.sqlite'))],
    ['the contents of the bot’s book', (at) => truncateSync(at('tipping.sqlite'))],
    ['the bot’s book by renaming', (at) => renameSync(at('tipping.sqlite'), at('tipping.sqlite.bak'))],
    [
      'the bot’s book and the folder’s notes',
      (at) => {
        for (const name of ['tipping.sqlite', 'books.json', 'bot-lease.json']) rmSync(at(name), { force: true })
      },
    ],
    ['the service’s book', (at) => rmSync(at('payments.sqlite'))],
    ['the contents of the service’s book', (at) => truncateSync(at('payments.sqlite'))],
    ['both books', (at) => ['tipping.sqlite', 'payments.sqlite'].map((name) => rmSync(at(name)))],
  ])('refuses to create a new book after the loss of %s', async (_, lose) => {
    const folder = lost((at) => void lose(at))
    // Every attempt fails.
    for (const _ of [1, 2])
      await expect(start(folder)).rejects.toThrow(
        /^The (bot|service)’s book is missing: .+ but a book existed earlier \(/,
      )
  })
})
