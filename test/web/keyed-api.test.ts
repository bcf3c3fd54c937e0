import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { markRestored } from '../../src/tipping/audit/restored.ts'
import type { ApiKeyScope, PeopleOfServer } from '../../src/tipping/tipping.ts'
import type { WebServer } from '../../src/web/web-server.ts'
import { TippingWorld } from '../tipping/world.ts'
import { mustBeAsDescribed } from './as-described.ts'
import { type DiscordNow, DORA, everybody, GONE, guild, MOD, makeKey, openKeyedServer, ROBOT } from './keyed-server.ts'

let world: TippingWorld
let server: WebServer
let discord: DiscordNow

/** Opens a world in which the pool has 1,000 sats, and a web server that accepts keys. */
beforeEach(async () => {
  world = await TippingWorld.open({ besideOthers: false })
  discord = { people: everybody, isConnected: true, knows: true }
  server = await openKeyedServer(world, discord)
})
afterEach(() => server.close())

const make = (scopes?: readonly ApiKeyScope[], budget?: string) => makeKey(world, scopes, budget)

interface Sent {
  readonly key?: string
  readonly id?: string | undefined
  readonly body?: unknown
}

async function post({ key, id = 'match-1', ...more }: Sent) {
  const { body = { member: DORA, amountMsats: '21000', reason: 'won' } } = more
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(id !== '' && { 'idempotency-key': id }),
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return await told('POST', 'rewards', { headers, body: text })
}

async function get(path: string, key: string) {
  const headers = { authorization: `Bearer ${key}` }
  return await told('GET', path, { headers })
}

/** Resolves to the answer, once it is checked against the document. */
async function told(method: string, path: string, init: RequestInit) {
  const response = await fetch(`${server.address}/api/v1/${path}`, { method, ...init })
  const { status, headers } = response
  const body = (await response.json()) as Record<string, unknown>
  mustBeAsDescribed(method, `/api/v1/${path}`, { status, headers, body })
  return { status, headers, body }
}

const pool = async () => (await world.tipping.pools.view(guild)).available

describe('POST /rewards', () => {
  it('gives a reward, reports it, and answers a repetition in the same way', async () => {
    const key = await make()
    const first = await post({ key })
    expect(first.status).toBe(201)
    expect(first.headers.get('cache-control')).toBe('no-store')
    const { id } = first.body
    const about = { member: DORA, amountMsats: '21000', testMoney: true, reason: 'won', state: 'given' }
    expect(first.body).toEqual({ id, ...about })
    expect((await post({ key })).body).toEqual(first.body)
    expect((await get(`rewards/${id}`, key)).body).toEqual(first.body)
    expect(await world.available(DORA)).toBe(sats(22))
    expect(await pool()).toBe(sats(979))
  })

  it('reports a reward that waits for a moderator, and one that is unclaimed', async () => {
    const key = await make()
    const newcomer = '200000000000000009'
    expect((await post({ key, body: { member: newcomer, amountMsats: '1000', reason: 'hi' } })).body).toMatchObject({
      state: 'unclaimed',
    })
    await world.tipping.preferences.changeServer({ guild, member: MOD, change: { approvalAbove: sats(10) } })
    const { status, body } = await post({ key, id: 'match-2' })
    expect([status, body.state]).toEqual([201, 'waiting'])
    await world.tipping.rewards.deny({ reward: String(body.id), member: 'second' })
    expect((await get(`rewards/${body.id}`, key)).body.state).toBe('denied')
  })

  const good = { member: DORA, amountMsats: '21000', reason: 'won' }
  it.each<[string, unknown, number, string]>([
    ['no body', '', 400, 'invalid_json'],
    ['half of JSON', '{"member":', 400, 'invalid_json'],
    ['a list', [good], 400, 'invalid_request'],
    ['nothing', 'null', 400, 'invalid_request'],
    ['no member', { ...good, member: undefined }, 400, 'invalid_request'],
    ['a name for a member', { ...good, member: 'dora' }, 400, 'invalid_request'],
    ['a number for a member', { ...good, member: 2e17 }, 400, 'invalid_request'],
    ['a member with a zero before the id', { ...good, member: `0${DORA}` }, 400, 'invalid_request'],
    ['a member beyond all ids', { ...good, member: '9'.repeat(20) }, 400, 'invalid_request'],
    ['a number for an amount', { ...good, amountMsats: 21000 }, 400, 'invalid_request'],
    ['a negative amount', { ...good, amountMsats: '-1' }, 400, 'invalid_request'],
    ['zero', { ...good, amountMsats: '0' }, 400, 'invalid_request'],
    ['a fraction', { ...good, amountMsats: '1.5' }, 400, 'invalid_request'],
    ['an amount in words', { ...good, amountMsats: 'all' }, 400, 'invalid_request'],
    ['an amount beyond all numbers', { ...good, amountMsats: '9'.repeat(400) }, 400, 'invalid_request'],
    ['an unknown field', { ...good, amount: '5' }, 400, 'invalid_request'],
    [
      'a field of the prototype',
      `{"__proto__":{},"member":"${DORA}","amountMsats":"1000","reason":"r"}`,
      400,
      'invalid_request',
    ],
    ['no reason', { ...good, reason: ' ' }, 400, 'invalid_request'],
    ['a reason of NULs', { ...good, reason: '\0\0' }, 400, 'invalid_request'],
    ['a long reason', { ...good, reason: 'r'.repeat(201) }, 400, 'invalid_request'],
    ['a very long reason', { ...good, reason: 'r'.repeat(20_000) }, 400, 'invalid_request'],
    ['a reason that is a list', { ...good, reason: ['won'] }, 400, 'invalid_request'],
    ['more than the largest amount', { ...good, amountMsats: '9'.repeat(18) }, 422, 'amount_too_large'],
    ['less than the smallest amount', { ...good, amountMsats: '1' }, 422, 'amount_too_small'],
    ['more than the key may give', { ...good, amountMsats: '500001' }, 422, 'key_budget_exceeded'],
    ['a bot', { ...good, member: ROBOT }, 422, 'recipient_is_bot'],
    ['somebody who left', { ...good, member: GONE }, 404, 'member_not_found'],
    ['the maker of the key', { ...good, member: MOD }, 422, 'recipient_is_owner'],
  ])('refuses %s with a code and a sentence, and moves no sats', async (_, body, status, code) => {
    const key = await make()
    const answer = await post({ key, body })
    expect(answer).toMatchObject({ status, body: { success: false, code } })
    expect(answer.body.message).toMatch(/^["A-Z].*\.$/s)
    expect(await pool()).toBe(sats(1_000))
    expect((await post({ key })).status).toBe(201)
  })

  it.each(['', 'two words', 'k'.repeat(201)])('is refused with %j as its Idempotency-Key', async (id) => {
    expect(await post({ key: await make(), id })).toMatchObject({
      status: 400,
      body: { code: 'idempotency_key_missing' },
    })
  })

  it('reports a conflict if its Idempotency-Key belongs to another reward', async () => {
    const key = await make()
    await post({ key })
    const body = { ...good, amountMsats: '22000' }
    expect(await post({ key, body })).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } })
    expect(await pool()).toBe(sats(979))
  })

  it('refuses rewards that the budget of the key’s maker or the pool cannot cover', async () => {
    const key = await make(['rewards'], '5000')
    const ask = (amountMsats: string) => post({ key, id: amountMsats, body: { ...good, amountMsats } })
    expect(await ask('900001')).toMatchObject({ status: 422, body: { code: 'owner_budget_exceeded' } })
    await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '0', period: 'month' })
    expect(await ask('1000')).toMatchObject({ status: 422, body: { code: 'owner_without_budget' } })
    await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '4000', period: 'month' })
    expect(await ask('1000001')).toMatchObject({ status: 422, body: { code: 'pool_insufficient' } })
  })

  it('explains what moderators must do if a restored server wallet has to pay', async () => {
    const key = await make()
    const wallet = { member: `server:${guild}`, client: 'client', wallet: 'wallet', relays: '[]', name: 'Alby' }
    const connected = { ...wallet, id: 'connection', sealed: '', methods: 'pay_invoice', network: 'regtest' }
    await world.database.write.walletConnection.create({
      data: { ...connected, createdAt: new Date(world.clock.now()) },
    })
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    const { status, body } = await post({ key })
    expect([status, body.code]).toEqual([422, 'wallet_restored'])
    expect(body.message).toContain('/pool balance')
    expect(await pool()).toBe(sats(1_000))
  })

  it('is refused if the key’s maker cannot give rewards, or the recipient is excluded', async () => {
    const key = await make()
    const before = discord.people
    discord.people = { ...(before as PeopleOfServer), moderator: async () => undefined }
    expect(await post({ key })).toMatchObject({ status: 403, body: { code: 'owner_not_allowed' } })
    discord.people = before
    const change = { blockedMembers: [DORA] }
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change })
    expect(await post({ key })).toMatchObject({ status: 422, body: { code: 'recipient_blocked' } })
    expect(await pool()).toBe(sats(1_000))
  })

  it('answers 503 while Discord or the database is unreachable, and works afterwards', async () => {
    const key = await make()
    const before = discord.people
    discord.people = undefined
    expect(await post({ key })).toMatchObject({ status: 503, body: { code: 'discord_unreachable' } })
    discord.people = { ...(before as PeopleOfServer), person: () => Promise.reject(new Error('Discord is down')) }
    expect(await post({ key })).toMatchObject({ status: 503, body: { code: 'discord_unreachable' } })
    discord.people = before
    world.failCommits = 1
    expect(await post({ key })).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect((await post({ key })).status).toBe(201)
    expect(await pool()).toBe(sats(979))
  })
})

describe('a request with a key', () => {
  it.each(['', 'satchel_wrong', `satchel_${'x'.repeat(43)}`])('is answered with 401 if the key is %j', async (key) => {
    const answer = await post({ key })
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_key' } })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('is refused without the scope of its operation', async () => {
    const members = await make(['members'])
    expect(await post({ key: members })).toMatchObject({ status: 403, body: { code: 'scope_missing' } })
    const rewards = await make(['rewards'])
    expect(await get(`members/${DORA}`, rewards)).toMatchObject({ status: 403, body: { code: 'scope_missing' } })
  })

  it('can return only old rewards if the key’s maker no longer moderates', async () => {
    const key = await make(['rewards', 'members', 'events'])
    const given = await post({ key })
    discord.people = { ...(discord.people as PeopleOfServer), moderator: async () => undefined }
    const refused = { status: 403, body: { code: 'owner_not_allowed' } }
    expect(await post({ key, id: 'match-2' })).toMatchObject(refused)
    expect(await get(`members/${DORA}`, key)).toMatchObject(refused)
    expect(await get('events', key)).toMatchObject(refused)
    expect((await post({ key })).body).toEqual(given.body)
    expect((await get(`rewards/${given.body.id}`, key)).body).toEqual(given.body)
    expect(await pool()).toBe(sats(979))
  })

  it('is refused if its key makes too many requests at the same time', async () => {
    const key = await make(['members'])
    const answers = await Promise.all(Array.from({ length: 60 }, () => get(`members/${DORA}`, key)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(await get(`members/${DORA}`, await make(['members']))).toMatchObject({ status: 200 })
  })
})

describe('a look-up with a key', () => {
  it('reports whether a member is linked, but no balance', async () => {
    const key = await make()
    expect((await get(`members/${DORA}`, key)).body).toEqual({ member: DORA, bot: false, linked: false })
    await world.linked(DORA)
    expect((await get(`members/${DORA}`, key)).body).toEqual({ member: DORA, bot: false, linked: true })
    for (const nobody of [GONE, 'dora', '1', `0${DORA}`, '9'.repeat(20), '9'.repeat(90)])
      expect(await get(`members/${nobody}`, key)).toMatchObject({ status: 404, body: { code: 'member_not_found' } })
  })

  it.each(['1', 'x', '00000000-0000-0000-0000-000000000000', '%27--'])('finds no reward with the id %s', async (id) => {
    expect(await get(`rewards/${id}`, await make())).toMatchObject({ status: 404, body: { code: 'reward_not_found' } })
  })

  it('finds no reward that a moderator gave', async () => {
    const origin = { ...world.origin(), guild }
    const to = { id: DORA, bot: false }
    const command = { guild, member: MOD, roles: ['mods'], to, amount: '5', reason: 'by hand', origin }
    const { id } = await world.tipping.rewards.give(command)
    expect(await get(`rewards/${id}`, await make())).toMatchObject({ status: 404 })
  })
})

/** Reads events until this many have arrived, or the stream ends. */
async function listen(key: string, most: number, lastEventId?: string) {
  const headers = { authorization: `Bearer ${key}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
  const ends = new AbortController()
  const response = await fetch(`${server.address}/api/v1/events`, { headers, signal: ends.signal })
  const read = async () => {
    const [found, decoder] = [[] as { id: string; event: string; data: Record<string, unknown> }[], new TextDecoder()]
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, id = '', event = '', data = ''] = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/.exec(part) ?? []
        if (id !== '') found.push({ id, event, data: JSON.parse(data) as Record<string, unknown> })
      }
      if (found.length >= most) break
    }
    ends.abort()
    return found
  }
  return { response, read }
}

describe('GET /events', () => {
  const tip = (amount: string, channel = 'lounge') => {
    const origin = { ...world.origin(), guild, channel }
    return world.run(world.tipping.tips.send({ from: 'giver', to: [{ id: DORA, bot: false }], amount, origin }))
  }
  /** Advances the web server's clock, which otherwise stands still, while events are read. */
  const passing = async <T>(reading: Promise<T>): Promise<T> => {
    let isOver = false
    void reading.finally(() => {
      isOver = true
    })
    while (!isOver) await world.pass(500)
    return await reading
  }

  beforeEach(() => world.fund('giver', 1_000))

  it('reports gifts in public channels, and resumes after the last event', async () => {
    const key = await make(['events'])
    const { response, read } = await listen(key, 2)
    expect(response.headers.get('content-type')).toMatch('text/event-stream')
    await tip('10')
    await tip('11', 'staff')
    await post({ key: await make() })
    const [first, second] = await passing(read())
    expect(first).toMatchObject({
      event: 'tip',
      data: { from: 'giver', to: DORA, amountMsats: '10000', testMoney: true },
    })
    expect(second).toMatchObject({ event: 'reward', data: { from: null, to: DORA, amountMsats: '21000' } })
    await tip('12')
    const more = await listen(key, 2, first?.id)
    expect((await passing(more.read())).map(({ data }) => data.amountMsats)).toEqual(['21000', '12000'])
  })

  it.each([
    ['x', 400, 'invalid_cursor'],
    ['-1', 400, 'invalid_cursor'],
    ['999999999', 410, 'events_expired'],
  ])('does not continue after the event id %s', async (lastEventId, status, code) => {
    const { response } = await listen(await make(['events']), 1, lastEventId)
    expect([response.status, await response.json()]).toMatchObject([status, { code }])
  })

  it.each([
    ['Discord is away', { isConnected: false }],
    ['Discord has not sent the server', { knows: false }],
  ])('answers 503 while %s, so that a reader misses no event', async (_, now) => {
    const key = await make(['events'])
    const begin = await world.tipping.serverEvents.latest()
    await tip('10')
    Object.assign(discord, now)
    const { response } = await listen(key, 1, String(begin))
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'discord_unreachable' }])
    Object.assign(discord, { isConnected: true, knows: true })
    const { read } = await listen(key, 1, String(begin))
    expect(await passing(read())).toMatchObject([{ event: 'tip' }])
  })

  it('ends when its key is revoked', async () => {
    const key = await make(['events'])
    const { read } = await listen(key, 1)
    const [made] = await world.tipping.apiKeys.list(guild)
    await world.tipping.apiKeys.revoke({ key: made?.id ?? '', guild, member: MOD })
    const reading = read()
    expect(await passing(reading)).toEqual([])
  })

  it('ends once its key’s maker is known to be no longer a moderator', async () => {
    const { read } = await listen(await make(['events']), 2)
    const reading = read()
    discord.people = {
      ...(discord.people as PeopleOfServer),
      moderator: () => Promise.reject(new Error('Discord is down')),
    }
    await world.pass(60_000)
    await tip('10')
    await world.pass(1_000)
    discord.people = { ...discord.people, moderator: async () => undefined }
    await world.pass(60_000)
    await tip('11')
    expect((await passing(reading)).map(({ event }) => event)).toEqual(['tip'])
  })

  it('is refused without the events scope', async () => {
    const { response } = await listen(await make(), 1)
    expect(response.status).toBe(403)
    await response.body?.cancel()
  })
})
