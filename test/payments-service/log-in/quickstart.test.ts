import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld } from '../harness.ts'
import { signedIn } from '../wallet-page/browser.ts'
import { LogIns } from './log-in-world.ts'

let world: ServiceWorld
let program: ChildProcess | undefined

beforeEach(async () => {
  world = await ServiceWorld.open()
})
afterEach(() => program?.kill())

/** Returns a port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

it('examples/log-in/log-in.mjs logs a user in', async () => {
  const example = readFileSync(join(import.meta.dirname, '../../../examples/log-in/log-in.mjs'), 'utf8')
  const port = await freePort()
  const code = example.replaceAll(/\b3000\b/g, String(port))
  const file = join(world.folder, 'log-in.mjs')
  writeFileSync(file, code)
  const logIns = await LogIns.open(world, { redirectUris: [`http://localhost:${port}/callback`] })
  const { clientId, clientSecret } = logIns.program
  const { apiKey, client } = logIns.project
  const { browser } = await signedIn(world, 'alice')
  await client.payToGamertag({ gamertag: 'alice', amount: sats(3), description: '' })
  const env = {
    ...process.env,
    SERVICE: world.url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret ?? '',
    API_KEY: apiKey,
  }
  program = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => program?.stdout?.once('data', resolve))
  const sent = await fetch(`http://localhost:${port}/`, { redirect: 'manual' })
  const asked = new URL(sent.headers.get('location') ?? '')
  await browser.open(`/wallet/log-in${asked.search}`)
  const fields = { ...browser.fieldsOf('/wallet/log-in'), answer: 'allow' }
  const back = await logIns.send(browser, new URLSearchParams(fields))
  const greeting = await fetch(back.headers.get('location') ?? '')
  expect(await greeting.text()).toBe('Hello alice, you have 3000 msats.')
})
