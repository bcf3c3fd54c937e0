import { request as rawRequest } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { invoice, type StartedPage, startPage } from './page-fixture.ts'

interface PageAnswer {
  readonly status: number
  readonly body: Record<string, unknown> & { message?: string; code?: string; field?: string | null }
  readonly headers: Headers
}

async function ask(
  url: string,
  person: string | null,
  path: string,
  body?: unknown,
  verb?: string,
): Promise<PageAnswer> {
  const response = await fetch(url + path, {
    method: verb ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(person === null ? {} : { 'x-person': person }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

/** Opens a tab's stream of events; `next` waits for a matching event. */
async function listen(url: string, person: string) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(`${url}/api/events?person=${person}`, { signal: abort.signal })
  const heard: { name: string; data: Record<string, unknown> }[] = []
  let wake = () => {}
  const decoder = new TextDecoder()
  let text = ''
  void (async () => {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/s.exec(text.slice(0, end)) ?? []
        heard.push({ name, data: JSON.parse(data) })
        text = text.slice(end + 2)
        wake()
      }
    }
  })().catch(() => {})
  async function next(fits: (name: string, data: Record<string, unknown>) => boolean) {
    for (;;) {
      const found = heard.find(({ name, data }) => fits(name, data))
      if (found !== undefined) return found.data
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  await next((name) => name === 'parts')
  return { heard, next }
}

const url = ({ page }: StartedPage) => page.url
const messagesOf = (world: StartedPage, person: string, channel: string) =>
  ask(url(world), person, `/api/channels/${channel}/messages`).then(({ body }) => JSON.stringify(body))

describe('the page itself', () => {
  test('is served with a policy that blocks all outside sources', async () => {
    const world = await startPage()
    const response = await fetch(url(world))
    const html = await response.text()
    const policy = response.headers.get('content-security-policy')
    expect(html).toContain('<script type="module" src="/page/app.ts">')
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(html.match(/(?:src|href)="(?!\/)[^"]*"/g)).toBeNull()
  })

  test('serves its own fonts and preloads them', async () => {
    const world = await startPage()
    const html = await (await fetch(url(world))).text()
    const wanted = [...html.matchAll(/<link rel="preload" href="([^"]+)" as="font"/g)].map(([, path = '']) => path)
    const css = await (await fetch(`${url(world)}/page/styles/fonts.css`)).text()
    expect([...css.matchAll(/url\("([^"]+)"\)/g)].map(([, path]) => path)).toEqual(wanted)
    for (const path of wanted) {
      const response = await fetch(url(world) + path)
      expect(response.headers.get('content-type')).toBe('font/ttf')
      // Every TrueType file begins like this.
      expect(new Uint8Array(await response.arrayBuffer()).slice(0, 4)).toEqual(new Uint8Array([0, 1, 0, 0]))
    }
    expect((await fetch(`${url(world)}/fonts/none.ttf`)).status).toBe(404)
  })
  test('runs without a build step, from modules whose types are stripped', async () => {
    const world = await startPage()
    const map = /<script type="importmap">([\s\S]*?)<\/script>/.exec(await (await fetch(url(world))).text())?.[1]
    const { imports } = JSON.parse(map ?? '') as { imports: Record<string, string> }
    const seen = new Set<string>()
    const waiting = ['/page/app.ts', '/page/theme-first.ts']
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      const response = await fetch(url(world) + path)
      expect(response.status, path).toBe(200)
      expect(response.headers.get('content-type')).toContain('text/javascript')
      const source = await response.text()
      expect(source, path).not.toMatch(/^\s*(import type|export interface)/m)
      for (const [, name = ''] of source.matchAll(/\bfrom\s*['"]([^'"]+)['"]/g)) {
        waiting.push(name.startsWith('.') ? new URL(name, `http://x${path}`).pathname : (imports[name] ?? `no ${name}`))
      }
    }
    expect(seen.size).toBeGreaterThan(40)
  })

  test('is not sent again if the browser has cached it', async () => {
    const world = await startPage()
    const first = await fetch(`${url(world)}/page/app.ts`)
    const etag = first.headers.get('etag') ?? ''
    const again = await fetch(`${url(world)}/page/app.ts`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  const inside = '/page/../page-server.ts /page/..%2fpage-server.ts /page/%2e%2e/world.ts'
  const unnamed = '/modules/fastify /modules/__proto__ /modules/constructor /fonts/toString'
  test.each(`${inside} ${unnamed}`.split(' '))('gives no access to files outside its folder: %s', async (path) => {
    const world = await startPage()
    const { port } = new URL(url(world))
    const status = await new Promise((resolve, reject) => {
      rawRequest({ port, path, host: '127.0.0.1' }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(404)
  })
})

describe('a person on the page', () => {
  test('must be named in a request, must exist, and cannot be the bot', async () => {
    const world = await startPage()
    const nobody = await ask(url(world), null, '/api/view')
    const stranger = await ask(url(world), '123456789012345678', '/api/view')
    const bot = await ask(url(world), world.emulator.applicationId, '/api/view')
    expect([nobody.status, stranger.status, bot.status]).toEqual([400, 404, 404])
  })

  test('sees only the channels to which they have access', async () => {
    const world = await startPage()
    const channelsOf = async (person: string) =>
      JSON.stringify((await ask(url(world), person, '/api/view')).body.servers)
    expect(await channelsOf(world.people.alice)).not.toContain(world.channels.mods)
    expect(await channelsOf(world.people.mod)).toContain(world.channels.mods)
  })

  test('is one of at least five people to choose from', async () => {
    const world = await startPage()
    const { people } = (await ask(url(world), null, '/api/people')).body as unknown as {
      people: { username: string; role: string | null; createdAt: string }[]
    }
    const dayMs = 86_400_000
    expect(people.length).toBeGreaterThanOrEqual(5)
    expect(people[0]?.username).toBe('alice')
    expect(people.map(({ role }) => role)).toEqual(expect.arrayContaining(['owner', 'operator', 'moderator', null]))
    expect(people.some(({ createdAt }) => Date.now() - Date.parse(createdAt) < dayMs)).toBe(true)
  })
})

describe('a private reply', () => {
  test('is visible only to its recipient', async () => {
    const world = await startPage()
    const { alice, bob } = world.people
    const { general } = world.channels
    const events = await listen(url(world), alice)
    const others = await listen(url(world), bob)
    await ask(url(world), alice, `/api/channels/${general}/run`, { path: 'whisper', values: {} })
    await events.next((name, data) => name === 'message-created' && JSON.stringify(data).includes('A secret for alice'))
    await ask(url(world), bob, `/api/channels/${general}/messages`, { text: 'hello everybody' })
    await others.next((_, data) => JSON.stringify(data).includes('hello everybody'))
    expect(JSON.stringify(others.heard)).not.toContain('A secret')
    expect(others.heard.some(({ name }) => name === 'interaction')).toBe(false)
    expect(await messagesOf(world, alice, general)).toContain('A secret for alice')
    expect(await messagesOf(world, bob, general)).not.toContain('A secret')
  })

  test('does not mark the channel as unread for other people', async () => {
    const world = await startPage()
    const { alice, bob } = world.people
    const lastOf = async (person: string) => {
      const { servers } = (await ask(url(world), person, '/api/view')).body as unknown as {
        servers: { channels: { id: string; lastMessageId: string | null }[] }[]
      }
      return servers[0]?.channels.find(({ id }) => id === world.channels.general)?.lastMessageId
    }
    const events = await listen(url(world), alice)
    await ask(url(world), alice, `/api/channels/${world.channels.general}/run`, { path: 'whisper', values: {} })
    const { message } = (await events.next((name) => name === 'message-created')) as { message: { id: string } }
    expect(await lastOf(alice)).toBe(message.id)
    expect(await lastOf(bob)).toBeNull()
  })

  test('can be dismissed by its recipient', async () => {
    const world = await startPage()
    const { alice } = world.people
    const { general } = world.channels
    const events = await listen(url(world), alice)
    await ask(url(world), alice, `/api/channels/${general}/run`, { path: 'whisper', values: {} })
    const created = await events.next((name) => name === 'message-created')
    const { id } = created.message as { id: string }
    const dismissed = await ask(url(world), alice, `/api/channels/${general}/messages/${id}/dismiss`, {})
    expect(dismissed.status).toBe(204)
    expect(await messagesOf(world, alice, general)).not.toContain('A secret')
  })
})

describe('the stream of events', () => {
  test('contains a channel’s events only for people who can see the channel', async () => {
    const world = await startPage()
    const alice = await listen(url(world), world.people.alice)
    const mod = await listen(url(world), world.people.mod)
    await ask(url(world), world.people.mod, `/api/channels/${world.channels.mods}/messages`, { text: 'among us' })
    await mod.next((_, data) => JSON.stringify(data).includes('among us'))
    await ask(url(world), world.people.mod, `/api/channels/${world.channels.general}/messages`, { text: 'for all' })
    await alice.next((_, data) => JSON.stringify(data).includes('for all'))
    expect(JSON.stringify(alice.heard)).not.toContain('among us')
  })

  test('contains the calls between the bot and the service, and the state of each part', async () => {
    const world = await startPage()
    const events = await listen(url(world), world.people.alice)
    const line = {
      id: 1,
      at: '2026-01-01T00:00:00.000Z',
      from: 'bot',
      kind: 'call',
      exchange: 1,
      status: null,
    } as const
    world.tellWire({ ...line, title: 'payToGamertag', tookMs: null, reads: false, body: { amount: 5n } })
    const told = await events.next((name) => name === 'wire')
    expect(told).toMatchObject({ title: 'payToGamertag', body: { amount: '5' } })
    const killed = await ask(url(world), world.people.alice, '/api/parts/service/kill', {})
    expect(killed.status).toBe(204)
    await events.next((name, data) => name === 'parts' && data.service === false)
    expect(world.asked).toEqual(['kill service'])
  })

  test('ends when the page server closes', async () => {
    const world = await startPage()
    const response = await fetch(`${url(world)}/api/events?person=${world.people.alice}`)
    const reading = response.text()
    await world.page.close()
    await expect(reading).resolves.toContain('event: parts')
  })
})

describe('a person’s action', () => {
  test('reaches the bot in every form that Discord offers', async () => {
    const world = await startPage()
    const { alice, bob } = world.people
    const channel = `/api/channels/${world.channels.general}`
    const events = await listen(url(world), alice)
    const told = (text: string) => events.next((_, data) => JSON.stringify(data).includes(text))
    await ask(url(world), alice, `${channel}/run`, { path: 'order', values: { who: bob, count: 3, hurry: true } })
    await told(`Ordered: who=${bob} count=3 hurry=true`)
    const dishes = await ask(url(world), alice, `${channel}/suggestions`, {
      path: 'order',
      values: { dish: 'P' },
      focused: 'dish',
    })
    expect(dishes.body).toEqual([
      { name: 'Pasta', value: 'pasta' },
      { name: 'Pizza', value: 'pizza' },
    ])
    await ask(url(world), alice, `${channel}/run`, { path: 'board', values: {} })
    const { message } = (await told('The board')) as { message: { id: string } }
    await ask(url(world), alice, `${channel}/messages/${message.id}/choose`, { customId: 'menu', values: ['blue'] })
    await told('You chose blue')
    await ask(url(world), alice, `${channel}/messages/${message.id}/menu`, { name: '⚡ Praise' })
    await ask(url(world), alice, `${channel}/people/${bob}/menu`, { name: '⚡ Greet' })
    await ask(url(world), alice, `${channel}/messages/${message.id}/press`, { customId: 'ask' })
    const opened = await events.next(
      (name, data) => name === 'interaction' && JSON.stringify(data).includes('A reason'),
    )
    const { id } = opened.interaction as { id: string }
    await ask(url(world), alice, `/api/interactions/${id}/submit`, { values: { why: 'for fun' } })
    await told('Because: for fun')
    await ask(url(world), alice, `${channel}/messages/${message.id}/reactions`, { emoji: '⚡', on: true })
    await events.next((_, data) => JSON.stringify(data).includes('"reactions":[{"emoji":"⚡"'))
  })

  test('is refused in Discord’s words, and the answer names the option at fault', async () => {
    const world = await startPage()
    const { alice, bob } = world.people
    const run = (values: unknown) =>
      ask(url(world), alice, `/api/channels/${world.channels.general}/run`, { path: 'order', values })
    expect((await run({ who: bob })).body).toMatchObject({
      code: 'not_possible',
      message: 'This option is required. Specify a value.',
      field: 'count',
    })
    const tooMany = await run({ who: bob, count: 10 })
    expect(tooMany.status).toBe(422)
    expect(tooMany.body.field).toBe('count')
    const closed = await ask(url(world), alice, `/api/channels/${world.channels.mods}/messages`)
    expect(closed.body.message).toBe('You do not have access to this channel.')
  })

  test.each([
    ['/api/channels/1/run', { path: 5 }],
    ['/api/channels/1/run', { path: 'tip', values: { a: [] } }],
    ['/api/phone/pay', { text: '' }],
    ['/api/phone/pay', { text: 'x', amount: '-1' }],
    ['/api/phone/pay', { text: 'x', amount: 1000 }],
    ['/api/phone/misbehave', { next: 'explode' }],
    ['/api/phone/lose-callbacks', { count: 0 }],
  ])('is refused as malformed if it is sent to %s with %j', async (path, body) => {
    const world = await startPage()
    const { status, body: answer } = await ask(url(world), world.people.alice, path, body)
    expect({ status, code: answer.code }).toEqual({ status: 400, code: 'malformed_request' })
  })

  test('is refused if it names no person, as in a request from another site', async () => {
    const world = await startPage()
    for (const path of ['/api/phone/pay', '/api/parts/bot/kill', '/api/phone/misbehave', '/api/phone/release']) {
      expect((await ask(url(world), null, path, {})).status, path).toBe(400)
    }
    expect(world.asked).toEqual([])
  })
})

describe('pictures and files', () => {
  test('come from the same origin as the page', async () => {
    const world = await startPage()
    const { alice } = world.people
    const events = await listen(url(world), alice)
    await ask(url(world), alice, `/api/channels/${world.channels.general}/run`, { path: 'picture', values: {} })
    const { message } = (await events.next((name) => name === 'message-created')) as {
      message: { attachments: { url: string }[]; author: { avatarUrl: string } }
    }
    expect(JSON.stringify(events.heard)).not.toContain(world.emulator.cdnUrl)
    for (const path of [message.attachments[0]?.url ?? '', message.author.avatarUrl]) {
      const file = await fetch(url(world) + path)
      expect(file.status, path).toBe(200)
      expect(file.headers.get('content-type')).toMatch(/^image\//)
      expect(file.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    expect((await fetch(`${url(world)}/cdn/attachments/1/2/none.png`)).status).toBe(404)
  })
})

describe('the phone', () => {
  test('shows amounts of any size exactly', async () => {
    const world = await startPage()
    const { body } = await ask(url(world), null, '/api/phone')
    expect(body.balance).toBe('9007199254740993')
    const { books } = (await ask(url(world), null, '/api/books')).body as { books: { totals: unknown }[] }
    expect(books[0]?.totals).toEqual({ member: '9007199254740993' })
  })

  test('pays and claims codes', async () => {
    const world = await startPage()
    const pay = { text: 'lnurl1abc', amount: '21000', comment: 'hi' }
    const paid = await ask(url(world), world.people.alice, '/api/phone/pay', pay)
    const claimed = await ask(url(world), world.people.alice, '/api/phone/claim', { text: 'lnurl1abc' })
    expect(paid.body.preimage).toBe('ab'.repeat(32))
    expect(claimed.body.amount).toBe('5000')
    expect(world.asked).toEqual(['pay lnurl1abc 21000 hi'])
  })

  test('explains why it cannot pay or read a text', async () => {
    const world = await startPage()
    const tryIt = (path: string, text: string) => ask(url(world), world.people.alice, path, { text })
    expect((await tryIt('/api/phone/pay', 'broken')).body.message).toBe('The wallet cannot find a way there.')
    expect((await tryIt('/api/phone/read', 'hello')).body.message).toContain('not a Lightning invoice')
    expect((await tryIt('/api/phone/read', invoice)).body.message).toContain('expired')
    expect((await tryIt('/api/phone/read', `${invoice.slice(0, -1)}q`)).status).toBe(422)
  })

  test('opens a member’s wallet page or says that the member has none', async () => {
    const world = await startPage()
    const { alice, bob, carol } = world.people
    const walletOf = (person: string) => ask(url(world), alice, `/api/people/${person}/wallet`, {})
    expect((await walletOf(bob)).body).toEqual({ link: 'http://wallet.test/bob' })
    expect((await walletOf(carol)).body.message).toContain('carol has no wallet')
  })

  test('can be made to hang, to answer late and to lose callbacks', async () => {
    const world = await startPage()
    const tell = (what: string, body: unknown) => ask(url(world), world.people.alice, `/api/phone/${what}`, body)
    for (const next of ['unknown-then-paid', 'hang']) await tell('misbehave', { next })
    await tell('release', { outcome: 'settle' })
    await tell('lose-callbacks', { count: 1 })
    const asked = [
      'misbehave unknown-then-paid 1 for 15000 ms',
      'misbehave hang 1 until released',
      'release settle',
      'lose 1',
    ]
    expect(world.asked).toEqual(asked)
  })
})
