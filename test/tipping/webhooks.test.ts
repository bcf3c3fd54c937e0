import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { verifyCallback } from '../../src/payments-api/payments-api.ts'
import { readWebhook } from '../../src/tipping/api-keys/webhook.ts'
import type { TippingContext } from '../../src/tipping/engine/tipping-context.ts'
import type { Tipping, WebhookSight } from '../../src/tipping/tipping.ts'
import { must } from '../support/must.ts'
import { TippingWorld } from './world.ts'

const guild = 'guild'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface Heard {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
}

let world: TippingWorld
let receiver: Server
let url: string
let heard: Heard[]
/** Returns the status of the receiver's answer, or undefined for no answer. */
let answer: () => number | undefined
let isKnown: boolean
let moderates: () => Promise<boolean>

const sight: WebhookSight = {
  knows: () => isKnown,
  everybodySees: (channel) => channel !== 'staff',
  moderates: () => moderates(),
  body: ({ type, from = null, amount }) => JSON.stringify({ type, from, amountMsats: String(amount) }),
}

beforeEach(async () => {
  world = await TippingWorld.open({ besideOthers: false })
  for (const member of ['alice', 'bob']) await world.fund(member, 1_000)
  ;[heard, answer, isKnown, moderates] = [[], () => 204, true, async () => true]
  receiver = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    heard.push({ headers: request.headers, body, path: request.url ?? '' })
    const status = answer()
    if (status === undefined) request.socket.destroy()
    else response.writeHead(status, { location: `${url}/elsewhere`, connection: 'close' }).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterEach(async () => {
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

type Create = Parameters<Tipping['apiKeys']['create']>[0]

async function create(more: Partial<Create> = {}) {
  const { length } = await world.tipping.apiKeys.list(more.guild ?? guild)
  const name = length === 0 ? 'game' : `game ${length + 1}`
  const { interaction } = world.origin()
  const terms = { name, scopes: ['events'], budget: undefined, days: 30, channel: 'arena' } as const
  return await world.tipping.apiKeys.create({ guild, member: 'mod', ...terms, webhook: url, interaction, ...more })
}

const tip = (amount: string, place: { guild?: string; channel?: string; anonymous?: boolean } = {}) => {
  const { anonymous = false, ...where } = place
  const origin = { ...world.origin(), ...where }
  return world.tipping.tips.send({ from: 'alice', to: [{ id: 'bob', bot: false }], amount, anonymous, origin })
}

async function deliver(tipping = world.tipping): Promise<void> {
  await tipping.serverEvents.deliver(sight)
  await tipping.settled()
}

const amounts = () => heard.map(({ body }) => Number((JSON.parse(body) as { amountMsats: string }).amountMsats) / 1_000)
const webhook = async () => (await world.tipping.apiKeys.list(guild))[0]?.webhook
const refusal = (more: Partial<Create>) =>
  create(more).then(
    () => 'made',
    ({ code }: { code: string }) => code,
  )

describe('a webhook', () => {
  it('receives the events after its creation once, in order, signed with its secret', async () => {
    await tip('1')
    const { signingSecret = '' } = await create()
    const begun = await world.tipping.serverEvents.latest()
    await tip('2')
    await tip('3')
    await deliver()
    await deliver()
    expect(amounts()).toEqual([2, 3])
    const { events } = await world.tipping.serverEvents.after(begun, 100)
    const secrets = [signingSecret]
    expect(heard.map((each) => verifyCallback({ ...each, secrets, clock: world.clock }))).toEqual(
      events.map(({ id }) => ({ genuine: true, id: String(id) })),
    )
    expect(heard[0]?.headers['content-type']).toBe('application/json')
    const other = await create({ webhook: `${url}/other` })
    const secretsOfOther = [other.signingSecret ?? '']
    const verdict = verifyCallback({ ...must(heard[0]), secrets: secretsOfOther, clock: world.clock })
    expect(verdict).toEqual({ genuine: false, reason: 'forged' })
  })

  it('receives its server’s public events, without the names of anonymous givers', async () => {
    await create()
    await tip('2', { guild: 'elsewhere' })
    await tip('3', { channel: 'staff' })
    await tip('4', { anonymous: true })
    await tip('5')
    await deliver()
    expect(heard.map(({ body }) => JSON.parse(body))).toEqual([
      { type: 'tip', from: null, amountMsats: '4000' },
      { type: 'tip', from: 'alice', amountMsats: '5000' },
    ])
  })

  it('has a signing secret that is shown only once and not stored in the book', async () => {
    const { interaction } = world.origin()
    const { signingSecret = '', secret = '' } = await create({ interaction, name: 'game' })
    expect(signingSecret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(await create({ interaction, name: 'game' })).toMatchObject({ secret: undefined, signingSecret: undefined })
    const { read } = world.database
    const rows = [await read.apiKey.findMany(), await read.webhook.findMany()]
    const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).toContain('hook')
    for (const hidden of [signingSecret, secret]) expect(text).not.toContain(hidden)
  })
})

describe('a delivery to a webhook', () => {
  it.each([500, 302, 404, undefined])(
    'is repeated in order, at growing intervals, if it ends with %s',
    async (status) => {
      await create()
      await tip('2')
      await tip('3')
      answer = () => status
      await deliver()
      await world.clock.advance(4_000)
      await deliver()
      expect(amounts()).toEqual([2])
      expect((await webhook())?.failingSince).toBeInstanceOf(Date)
      await world.clock.advance(2_000)
      await deliver()
      await world.clock.advance(6_000)
      await deliver()
      expect(amounts()).toEqual([2, 2])
      answer = () => 200
      await world.clock.advance(6_000)
      await deliver()
      expect(amounts()).toEqual([2, 2, 2, 3])
      expect(new Set(heard.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(await webhook()).toEqual({ url, failingSince: undefined, givenUpAt: undefined })
      expect(heard.every(({ path }) => path === '/hook')).toBe(true)
    },
  )

  it('is given up after 3 days, and moderators are notified', async () => {
    const { key } = await create()
    await tip('2')
    answer = () => 500
    for (let tries = 0; tries < 12; tries += 1) {
      await deliver()
      await world.clock.advance(HOUR_MS)
    }
    await world.clock.advance(59 * HOUR_MS)
    await deliver()
    expect(await webhook()).toMatchObject({ failingSince: expect.any(Date), givenUpAt: undefined })
    await world.clock.advance(HOUR_MS)
    await deliver()
    expect((await webhook())?.givenUpAt).toBeInstanceOf(Date)
    const [change] = await world.tipping.insights.changes(guild, 1)
    expect(change).toMatchObject({ action: 'webhook-given-up', member: 'mod', apiKey: key.name })
    const before = heard.length
    await world.clock.advance(2 * HOUR_MS)
    await deliver()
    expect(heard).toHaveLength(before)
    expect(await refusal({ name: 'next' })).toBe('made')
  })

  it('is not given up after 3 days if the bot was off in between', async () => {
    await create()
    await tip('2')
    answer = () => 500
    await deliver()
    await world.clock.advance(73 * HOUR_MS)
    await deliver()
    expect(heard).toHaveLength(2)
    expect((await webhook())?.givenUpAt).toBeUndefined()
  })

  it('continues after its process dies, and no event is lost', async () => {
    await create()
    for (const amount of ['2', '3', '4']) await tip(amount)
    let dead: Promise<void> | undefined
    answer = () => {
      if (heard.length === 2) dead = world.restart()
      return 200
    }
    await world.tipping.serverEvents.deliver(sight)
    await expect.poll(() => heard.length).toBe(2)
    await dead
    await deliver()
    expect(amounts()).toEqual([2, 3])
    await world.clock.advance(61_000)
    await deliver()
    expect([amounts().slice(0, 3), amounts().at(-1)]).toEqual([[2, 3, 3], 4])
  })

  it('is made by only one of two processes', async () => {
    await create()
    await tip('2')
    const [first, second] = [world.tipping, await world.start()]
    await Promise.all([deliver(first), deliver(second)])
    expect(amounts()).toEqual([2])
  })

  it('waits while Discord is silent, and fails if the key’s maker no longer moderates', async () => {
    await create()
    await tip('2')
    isKnown = false
    await deliver()
    isKnown = true
    moderates = () => Promise.reject(new Error('Discord is down'))
    await deliver()
    expect((await webhook())?.failingSince).toBeUndefined()
    moderates = async () => false
    await world.clock.advance(61_000)
    await deliver()
    expect((await webhook())?.failingSince).toBeInstanceOf(Date)
    expect(heard).toEqual([])
    moderates = async () => true
    await world.clock.advance(61_000)
    await deliver()
    expect(amounts()).toEqual([2])
  })

  it('is no longer made once its key is revoked or has expired', async () => {
    const { key } = await create({ days: 1 })
    const revoked = await create({ webhook: `${url}/revoked` })
    await world.tipping.apiKeys.revoke({ key: revoked.key.id, guild, member: 'mod' })
    await tip('2')
    await deliver()
    expect(heard.map(({ path }) => path)).toEqual(['/hook'])
    await world.clock.advance(25 * HOUR_MS)
    await tip('3')
    await deliver()
    expect(amounts()).toEqual([2])
    expect(key.webhook?.url).toBe(url)
  })

  it('reaches the next event even if other servers have many pages of events before it', async () => {
    await create()
    for (let n = 0; n < 210; n += 1) await tip('1', { guild: 'elsewhere' })
    await tip('2')
    await deliver()
    expect(amounts()).toEqual([2])
  })
})

describe('the URL of a webhook', () => {
  it('is refused if its form, its host or its length is not permitted', async () => {
    const wrong = [
      ['of another scheme', 'ftp://example.com/x'],
      ['without a scheme', 'example.com'],
      ['that is a script', 'javascript:alert(1)'],
      ['of a private network', 'https://10.0.0.1/x'],
      ['of a private network, in plain http', 'http://192.168.1.1/x'],
      ["of a cloud's own data", 'https://169.254.169.254/latest/meta-data'],
      ['of a private network, as IPv6', 'https://[fd00::1]/x'],
      ['of a private network, as one number', 'https://0x0a000001/x'],
      ['with a password', 'https://user:pass@example.com/x'],
      ['of another kind of server', 'https://example.com:22/x'],
      ['that is too long', `https://example.com/${'x'.repeat(500)}`],
      ['that is too long once it is encoded', `https://example.com/${'ä'.repeat(100)}`],
    ] as const
    for (const [what, webhook] of wrong) {
      expect(await refusal({ webhook }), what).toBe('webhook-url')
      expect(await world.tipping.apiKeys.list(guild), what).toEqual([])
    }
  })

  it.each(['http://example.com/x', 'http://127.0.0.1:8080/x', 'https://localhost/x', 'https://[::1]/x'])(
    'is refused if plain http and loopback are not allowed: %s',
    (webhook) => {
      const egress = { lnurl: { allowLoopbackHttp: false } } as TippingContext['egress']
      const command = { scopes: ['events'], webhook } as unknown as Create
      expect(() => readWebhook({ egress }, command)).toThrow('webhook-url')
    },
  )

  it('can belong to only one of a server’s working keys, which needs the events scope', async () => {
    const { key } = await create({ webhook: 'https://example.com/hook' })
    expect(await refusal({ webhook: ' https://EXAMPLE.com:443/hook ' })).toBe('webhook-twice')
    expect(await refusal({ webhook: 'https://example.com/hook', guild: 'elsewhere' })).toBe('made')
    await world.tipping.apiKeys.revoke({ key: key.id, guild, member: 'mod' })
    expect(await refusal({ webhook: 'https://example.com/hook' })).toBe('made')
    expect(await refusal({ scopes: ['members'] })).toBe('webhook-use')
  })

  it('is refused for a server’s eleventh key', async () => {
    for (let n = 0; n < 10; n += 1) await create({ webhook: `${url}/${n}` })
    expect(await refusal({ webhook: `${url}/10` })).toBe('api-key-too-many')
  })
})
