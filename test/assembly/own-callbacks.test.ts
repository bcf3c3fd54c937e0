import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedProject } from '../../src/assembly/own-project.ts'
import { type RunningAll, startAll } from '../../src/assembly/start-all.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { openAdministration } from '../../src/payments-service/administration/administration.ts'

/** Tests the bot and the service as `npm start` runs them, with somebody else's project at the same service. */

let folder: string
let emulator: Emulator
let all: RunningAll
let callbackPort: number
let stranger: string
let own: string
const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'own-callbacks-'))
  emulator = await createEmulator(around)
  seedWorld(emulator, Date.now())
  callbackPort = await freePort()
  const config = parseConfig({
    DATA_FOLDER: folder,
    SERVICE_PORT: '0',
    CALLBACK_PORT: String(callbackPort),
    DISCORD_TOKEN: emulator.token,
    DISCORD_API_URL: emulator.restUrl,
  })
  all = await startAll(config, around)
  const { databaseUrl } = config.service
  const settings = { gamertagReservedDays: 30, reservedNames: [] }
  const administration = await openAdministration({ ...around, databaseUrl, settings, sandbox: true })
  stranger = (await administration.createProject('somebody')).apiKey
  await administration.close()
  own = storedProject(folder)?.apiKey ?? ''
})
afterAll(async () => {
  await all.close()
  await emulator.close()
  rmSync(folder, { recursive: true })
})

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    }),
  )
}

async function createCharge(apikey: string, callbackUrl: string): Promise<number> {
  const body = JSON.stringify({ minAmount: '1000', maxAmount: '1000', description: 'x', callbackUrl })
  const headers = { apikey, 'content-type': 'application/json' }
  return (await fetch(`${all.serviceUrl}/v0/static-charges`, { method: 'POST', headers, body })).status
}

describe('with bot and service in one process, a local callback address', () => {
  it('is accepted only for the bot’s own project, and only if it leads to the bot', async () => {
    expect(await createCharge(own, `http://127.0.0.1:${callbackPort}/callbacks/token`)).toBe(200)
    expect(await createCharge(own, `${all.serviceUrl}/sandbox/faults`)).toBe(400)
    expect(await createCharge(stranger, `http://127.0.0.1:${callbackPort}/callbacks/token`)).toBe(400)
    expect(await createCharge(stranger, `${all.serviceUrl}/metrics`)).toBe(400)
  })
})

it('the operators’ pages of the bot and of the service return 401 before sign-in', async () => {
  for (const address of [all.serviceUrl, `http://127.0.0.1:${callbackPort}`]) {
    const answer = await fetch(`${address}/operators`)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(await answer.text()).toContain('/admin page')
  }
})
