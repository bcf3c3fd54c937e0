import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createFrontsStage, type FrontsStage, type Instance } from '../../proof/kills/fronts/fronts-stage.ts'
import { freePort } from '../../proof/nodes/lnd-process.ts'
import { GAMERTAGS } from '../../proof/world/processes/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { Caddy, hasCaddy } from '../support/caddy.ts'
import { databaseFor } from '../support/postgres/databases.ts'

/**
 * The real Caddy with `deploy/scale.Caddyfile`, in front of two services and two fronts on one PostgreSQL. Each process
 * differs from one under Docker only in its address, which the file reads from its environment.
 */

const CLIENTS = 4
let stage: FrontsStage
let caddy: Caddy
let agent: Agent
let gateway: Awaited<ReturnType<typeof startGateway>>
const at = { secure: '', pay: '', inside: '', tips: '' }

async function begin(): Promise<void> {
  const ports: number[] = []
  while (ports.length < 6) ports.push(await freePort())
  const [secure, pay, inside, tips, http, https] = ports as [number, number, number, number, number, number]
  // The outside wallet believes in no certificate of Caddy's own, so people's address is a plain one here.
  at.secure = `https://localhost:${secure}`
  at.pay = `http://127.0.0.1:${pay}`
  at.inside = `http://127.0.0.1:${inside}`
  at.tips = `http://127.0.0.1:${tips}`
  const books = {
    tipping: await databaseFor('caddy tipping', 'tipping'),
    payments: await databaseFor('caddy payments', 'payments'),
  }
  const drained = { TRUST_PROXY: 'true', DRAIN_SECONDS: '5' }
  stage = await createFrontsStage(books, {
    services: { ...drained, SERVICE_PUBLIC_URL: at.pay },
    fronts: { ...drained, CALLBACK_PUBLIC_URL: at.tips, PAYMENTS_BASE_URL: at.inside },
  })
  gateway = await startGateway()
  const places = (all: readonly Instance[]) => all.map(({ url }) => new URL(url).host).join(' ')
  caddy = Caddy.start('deploy/scale.Caddyfile', [http, https], {
    SERVICE_PUBLIC_URL: `${at.pay}, ${at.secure}`,
    CALLBACK_PUBLIC_URL: at.tips,
    SERVICES: places(stage.services.all),
    SERVICES_INSIDE: `http://:${inside}`,
    INSIDE_BIND: '127.0.0.1',
    FRONTS: places(stage.fronts.all),
    GATEWAY: new URL(gateway.url).host,
  })
  agent = new Agent({ connect: { ca: await caddy.authority() } })
  await stage.start()
  await vi.waitFor(async () => expect((await get(`${at.secure}/ready/instance`)).status).toBe(200), { timeout: 60_000 })
  await vi.waitFor(async () => expect((await get(`${at.tips}/ready`)).status).toBe(200), { timeout: 60_000 })
  await stage.emulator.setInteractionsEndpoint(`${at.tips}/interactions`)
}

/** Starts a stand-in for a bot that has the gateway. */
async function startGateway() {
  const server = createServer((request, response) => response.end(`the gateway was asked for ${request.url}`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const get = (url: string) => fetch(url, { dispatcher: agent })

/** Sends alice's command through Discord, Caddy and a front. Resolves to the answer's text. */
async function command(name: string, values: Record<string, string> = {}): Promise<string> {
  const { emulator, seeded } = stage
  const sent = emulator.as(seeded.people.alice).run(seeded.channels.tips, name, values)
  const { failure } = await sent.answered()
  if (failure !== null) throw new Error(failure)
  return sent.messages().map(textOf).join('\n')
}

/** Sends a project's payment to alice's gamertag, through one of the addresses. Resolves to the fault in the answer. */
async function pay(where: string, key: string): Promise<string | undefined> {
  const answer = await fetch(`${where}/v0/gamertag/send-payment`, {
    dispatcher: agent,
    method: 'POST',
    headers: { apikey: stage.apiKey, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ gamertag: GAMERTAGS.alice, amount: '1000', description: key }),
  })
  const text = await answer.text()
  return answer.status === 200 ? undefined : `${answer.status} ${text}`
}

/** The number of addresses in the file that lead to the services: in `begin`, two for people and one inside. */
const TO_SERVICES = 3
const TO_FRONTS = 1

/**
 * Starts a process again, and resolves when Caddy sends it requests from this many addresses: only then may the next
 * one stop. Caddy checks the processes every second. While it knows of no process that accepts requests, it refuses a
 * POST immediately (2.6).
 */
async function startAgain({ process, url }: Instance, addresses: number): Promise<void> {
  const place = new URL(url).host
  const before = caddy.timesFound(place)
  await process.start()
  await stage.allReady()
  const all = before + addresses
  await vi.waitFor(() => expect(caddy.timesFound(place)).toBeGreaterThanOrEqual(all), { timeout: 60_000 })
}

/** Repeats an action, as several clients would at once, until told to end; by then nothing may have failed. */
function again(act: (key: string) => Promise<string | undefined>) {
  const answers: (string | undefined)[] = []
  let over = false
  const client = async (name: number) => {
    for (let count = 0; !over; count += 1) answers.push(await act(`${name}-${count}`))
  }
  const all = Promise.all(Array.from({ length: CLIENTS }, (_, name) => client(name)))
  const more = async () => {
    const enough = answers.length + 20
    await vi.waitFor(() => expect(answers.length).toBeGreaterThan(enough), { timeout: 60_000 })
  }
  const end = async () => {
    over = true
    await all
    expect(answers.filter((wrong) => wrong !== undefined)).toEqual([])
    return answers.length
  }
  return { more, end }
}

// Without Caddy (apt install caddy) nothing here can be tried.
describe.skipIf(!hasCaddy)('two services and two fronts behind Caddy', () => {
  beforeAll(begin, 240_000)
  afterAll(async () => {
    await stage?.close()
    await agent?.close()
    await caddy?.stop()
    gateway?.server.close()
  }, 60_000)

  it('answer commands, callbacks, LNURL calls and page visits at the public addresses', async () => {
    await command('deposit', { amount: '2000' })
    const [request = ''] = await stage.openDeposits()
    await stage.phone.pay(request)
    await vi.waitFor(async () => expect(await command('balance')).toContain('2,000'), { timeout: 60_000 })
    // The bot was told by a callback, and did not only ask.
    const [hint] = await stage.ask<{ hints: string }>('tipping', `SELECT "hints" FROM "Watch" WHERE "kind" = 'deposit'`)
    expect(Number(hint?.hints)).toBeGreaterThan(0)
    const address = (await (await get(`${at.pay}/.well-known/lnurlp/${GAMERTAGS.alice}`)).json()) as {
      callback: string
    }
    expect(new URL(address.callback).origin).toBe(at.pay)
    const invoice = (await (await get(`${address.callback}?amount=5000`)).json()) as { pr: string }
    expect(invoice.pr).toMatch(/^lnbcrt/)
    const page = await get(`${at.secure}/wallet`)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain('</html>')
  })

  it('can be reached internally under another host name; API calls reach the gateway', async () => {
    const otherName = at.inside.replace('127.0.0.1', 'localhost')
    expect(await (await get(`${otherName}/ready`)).json()).toEqual({ status: 'ready' })
    expect(await (await get(`${at.tips}/api/v1/anything`)).text()).toBe('the gateway was asked for /api/v1/anything')
  })

  it('fail no request when the services restart one after the other', async () => {
    const paying = again((key) => pay(key.startsWith('0') ? at.secure : at.inside, key))
    for (const service of stage.services.all) {
      await paying.more()
      await service.process.stop()
      await paying.more()
      await startAgain(service, TO_SERVICES)
      await paying.more()
    }
    expect(await paying.end()).toBeGreaterThan(100)
  }, 240_000)

  it('fail no command when the fronts restart one after the other', async () => {
    const asking = again(async () => {
      const told = await command('balance').catch(String)
      return told.includes('2,000') ? undefined : told
    })
    for (const front of stage.fronts.all) {
      await asking.more()
      await front.process.stop()
      await asking.more()
      await startAgain(front, TO_FRONTS)
    }
    await asking.end()
  }, 240_000)
})
