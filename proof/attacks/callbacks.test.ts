import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { slowdown } from '../world/slowdown.ts'
import { attack, installed, type Project } from './installation.ts'

/**
 * A project attacks other projects' callbacks. The operator lets callbacks reach this machine, so that the project can
 * receive them.
 */
const world = installed({ CALLBACKS_ALLOW_LOOPBACK: 'true', PUBLIC_REQUESTS_PER_SECOND: '1000' })

/**
 * The longest that a callback may take behind others that hang. Usually it takes a fiftieth of a second; it once took
 * eight seconds, until the first of the hanging ones timed out.
 */
const BEHIND_OTHERS_MS = 5_000
const ORIGINS = 36
const EACH = 17

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Pays an invoice, which ends its charge immediately and causes a callback to the project at `callbackUrl`. */
async function causeCallback({ apiKey }: Project, callbackUrl: string): Promise<void> {
  const charge = await world().ask('/v0/gamertag/charges', { apiKey, body: { gamertag: 'taker', amount: '1000' } })
  const invoice = charge.json.data.invoiceRequest
  const paid = await world().ask('/v0/payments', { apiKey, body: { invoice, callbackUrl } })
  expect(paid.status).toBe(200)
}

attack('36 servers that never answer hundreds of callbacks', 'another project’s callback arrives', async () => {
  await world().administration.createUser('taker')
  const [mallory, other] = [await world().project(), await world().project()]
  const hanging = Array.from({ length: ORIGINS }, () => createServer(() => undefined))
  const urls = await Promise.all(hanging.map(listen))
  const all = Array.from({ length: EACH }, () => urls).flat()
  // As fast as a few clients can send.
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let url = all.pop(); url !== undefined; url = all.pop()) await causeCallback(mallory, url)
    }),
  )
  let told: () => void = () => undefined
  const arrived = new Promise<void>((resolve) => {
    told = resolve
  })
  const receiver = createServer((_request, response) => {
    response.end()
    told()
  })
  const started = performance.now()
  await causeCallback(other, await listen(receiver))
  await arrived
  expect(performance.now() - started).toBeLessThan(BEHIND_OTHERS_MS * slowdown())
  for (const server of [...hanging, receiver]) {
    server.closeAllConnections()
    server.close()
  }
})
