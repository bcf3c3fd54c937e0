import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { openFundedStage } from './harness.ts'

const ajv = addFormats.default(new Ajv2020({ strict: false }))

/** Opens a stage with 5,000 sats for alice, of which she has given bob 700. */
async function begin(options: { publicApi?: boolean } = {}): Promise<Stage> {
  const stage = await openFundedStage(5_000, options)
  await stage.command('bob', 'balance')
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '700' })
  return stage
}

function ask({ world }: Stage, what: string, init: RequestInit = {}, server = world.cast.server): Promise<Response> {
  return fetch(`${new URL(world.bot.callbackUrl).origin}/api/v1/servers/${server}/${what}`, init)
}

interface Described {
  readonly paths: Record<
    string,
    { get: { responses: Record<string, { content: Record<string, { schema: object }> }> } }
  >
}

/** Returns the public interface's answer, checked against the document that describes it. */
async function figures(stage: Stage, what: string): Promise<Record<string, unknown>> {
  const response = await ask(stage, what)
  expect(response.status).toBe(200)
  const data = (await response.json()) as Record<string, unknown>
  const { origin } = new URL(stage.world.bot.callbackUrl)
  const document = (await (await fetch(`${origin}/api/v1/openapi.json`)).json()) as Described
  const path = `/api/v1/servers/{server}/${what.replace(/\?.*/, '')}`
  const schema = document.paths[path]?.get.responses['200']?.content['application/json']?.schema
  expect(ajv.validate(schema ?? false, data), ajv.errorsText()).toBe(true)
  return data
}

it('the public API shows no server’s figures by default', async () => {
  const stage = await begin()
  for (const what of ['leaderboard', 'stats', 'drops']) {
    expect((await ask(stage, what)).status).toBe(404)
  }
})

it('the public API lists the largest givers and receivers, and the open drops', async () => {
  const stage = await begin({ publicApi: true })
  const [alice, bob] = [stage.id('alice'), stage.id('bob')]
  await stage.command('alice', 'tip', { to: stage.id('carol'), amount: '200' })
  const board = await figures(stage, 'leaderboard?period=day')
  expect(board).toMatchObject({ period: 'day', testMoney: true, server: stage.world.cast.server })
  expect(board.givers).toEqual([{ member: alice, amountMsats: '900000' }])
  expect(board.getters).toEqual([{ member: bob, amountMsats: '700000' }])
  const stats = await figures(stage, 'stats')
  expect(stats).toMatchObject({ totalMsats: '900000', gifts: 2, givers: 1, getters: 1, largestMsats: '700000' })
  expect(stats.bars).toHaveLength(30)
  expect([board.unclaimedMsats, stats.unclaimedMsats]).toEqual(['200000', '200000'])
  await stage.command('alice', 'drop', { amount: '300', shares: 3, puzzle: 'sum' })
  const { drops } = await figures(stage, 'drops')
  expect(drops).toEqual([
    expect.objectContaining({ member: alice, shareMsats: '100000', shares: 3, taken: 0, puzzle: 'sum', drawn: false }),
  ])
})

it('the public API names nobody who opted out, and reveals no secrets', async () => {
  const stage = await begin({ publicApi: true })
  const [mine] = await stage.command('alice', 'settings')
  if (mine === undefined) throw new Error('there are no settings')
  await stage.press('alice', mine, 'Leave me out of leaderboards')
  await stage.command('alice', 'drop', { amount: '300', shares: 3, puzzle: 'sum' })
  const texts = await Promise.all(
    ['leaderboard', 'stats', 'drops'].map(async (what) => JSON.stringify(await figures(stage, what))),
  )
  expect(texts.join()).not.toContain(stage.id('alice'))
  expect(texts.join()).not.toMatch(/question|answer|token|request|lnbc|balance/)
})

it('public API answers list no drop in a channel that not everybody can see', async () => {
  const stage = await begin({ publicApi: true })
  const { cast, emulator } = stage.world
  const open = async (channel: string, amount: string) => {
    await stage.person('mod').run(channel, 'drop', { amount, shares: 1 }).answered()
    await stage.world.settled()
  }
  await stage.command('mod', 'balance')
  await stage.command('alice', 'tip', { to: stage.id('mod'), amount: '900' })
  await open(cast.channels.mods, '100')
  const moderators = emulator.world.servers()[0]?.roles.find(({ name }) => name === 'Moderators')?.id ?? ''
  const den = emulator.world.createChannel(cast.server, { name: 'den', onlyRoleIds: [moderators] })
  await open(den.id, '200')
  await open(cast.channels.general, '300')
  const { drops } = await figures(stage, 'drops')
  expect(drops).toEqual([expect.objectContaining({ channel: cast.channels.general, shareMsats: '300000' })])
})

it('public API answers can be cached, revalidated with 304, and read by any web page', async () => {
  const stage = await begin({ publicApi: true })
  const first = await ask(stage, 'leaderboard')
  expect(first.headers.get('access-control-allow-origin')).toBe('*')
  expect(first.headers.get('cache-control')).toBe('public, max-age=10')
  const etag = first.headers.get('etag') ?? ''
  const second = await ask(stage, 'leaderboard', { headers: { 'if-none-match': `W/${etag}` } })
  expect([second.status, await second.text()]).toEqual([304, ''])
  const preflight = await ask(stage, 'leaderboard', { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'if-none-match'])
  const written = await ask(stage, 'leaderboard', { method: 'POST', body: '{}' })
  expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect((await ask(stage, 'leaderboard?period=ever')).status).toBe(400)
  const elsewhere = await ask(stage, 'leaderboard', {}, '123456789012345678')
  expect([elsewhere.status, await elsewhere.json()]).toMatchObject([404, { success: false, code: 'unknown_server' }])
})

it('the public API limits requests, and its refusals say when to ask again', async () => {
  const stage = await begin({ publicApi: true })
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(stage, 'stats')))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(15)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(20)
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect((await ask(stage, 'stats')).headers.get('access-control-allow-origin')).toBe('*')
})
