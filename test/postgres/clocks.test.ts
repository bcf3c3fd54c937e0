import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { confirmClock } from '../../src/assembly/confirm-clock.ts'
import { startAll } from '../../src/assembly/start-all.ts'
import { startService } from '../../src/assembly/start-service.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { databaseFor } from '../support/postgres/databases.ts'

const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
const SAYS =
  /the clock of the machine \S+ says .*Z, and the clock of the database's server says .*Z\. Correct the wrong clock/
const now = Date.now

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clocks-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

/** Sets this machine's clock ahead of the server's. */
const ahead = (ms: number) => void vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)

const settings = { SERVICE_PORT: '0', CALLBACK_PORT: '0' }

describe('a machine whose clock differs by minutes from the database server’s', () => {
  it('starts no service', async () => {
    const PAYMENTS_DATABASE_URL = await databaseFor('clock-of-service', 'payments')
    const config = parseConfig({ DATA_FOLDER: folder, ...settings, PAYMENTS_DATABASE_URL })
    ahead(5 * 60_000)
    await expect(startService({ config, ...runtime })).rejects.toThrow(SAYS)
    ahead(-5 * 60_000)
    await expect(startService({ config, ...runtime })).rejects.toThrow(SAYS)
    ahead(0)
    await (await startService({ config, ...runtime })).close()
  })

  it('starts no bot if only the bot’s book is on the server', async () => {
    const TIPPING_DATABASE_URL = await databaseFor('clock-of-bot', 'tipping')
    const discord = { DISCORD_TOKEN: 'abc', DISCORD_API_URL: 'http://127.0.0.1:9/api' }
    const config = parseConfig({ DATA_FOLDER: folder, ...discord, ...settings, TIPPING_DATABASE_URL })
    ahead(5 * 60_000)
    await expect(startAll(config, runtime)).rejects.toThrow(SAYS)
    ahead(0)
    await expect(startAll(config, runtime)).rejects.toThrow('Discord')
  })
})

it('a clock that differs by minutes from the database server’s cannot be confirmed', async () => {
  const TIPPING_DATABASE_URL = await databaseFor('clock-confirmed', 'tipping')
  const config = parseConfig({ DATA_FOLDER: folder, ...settings, TIPPING_DATABASE_URL })
  ahead(5 * 60_000)
  await expect(confirmClock(config, systemClock)).rejects.toThrow(SAYS)
  ahead(0)
  expect(await confirmClock(config, systemClock)).toMatchObject([{ side: 'bot' }])
})

it('the server’s clock advances between two queries', async () => {
  const database = await openTippingDatabase(await databaseFor('clock-goes-on', 'tipping'))
  const first = await database.serverTime?.()
  const second = await database.serverTime?.()
  expect(Math.abs((first ?? 0) - now())).toBeLessThan(60_000)
  expect(second).toBeGreaterThan(first ?? Number.NaN)
  await database.close()
})
