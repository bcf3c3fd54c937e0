import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { roundAfter, timeOfRound } from '../../../src/lib/proofs/beacon.ts'
import { type DrawProof, faultsOfDraw, strengthOfDraw } from '../../../src/lib/proofs/draw-proof.ts'
import { drawLine, keyOfDraw } from '../../../src/lib/proofs/provable-draw.ts'
import type { GiveawayView } from '../../../src/tipping/tipping.ts'
import { createBeaconChain, type OwnBeaconChain } from '../../support/beacon-chain.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
/** The clock of the source of beacons: that of the world, once the world exists. */
let nowMs: () => number
let presses = 0
let server: Server
let own: OwnBeaconChain
/** The state of the source of beacons, which answers, is unreachable, lies, or is off. */
let mood: 'well' | 'away' | 'lies' | 'off'
let asked: string[]

beforeEach(async () => {
  mood = 'well'
  asked = []
  nowMs = () => Date.UTC(2030, 0, 1)
  own = createBeaconChain(Date.UTC(2029, 0, 1))
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const now = roundAfter(own.chain, nowMs()) - 1
    const which = request.url?.split('/').at(-1) ?? ''
    const round = which === 'latest' ? now : Number(which)
    response.statusCode = mood === 'away' || round > now ? 503 : 200
    response.end(JSON.stringify({ round, signature: own.sign(mood === 'lies' ? round + 1 : round) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function begin(): Promise<void> {
  const drandUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  world = await TippingWorld.open({ beaconChain: own.chain, ...(mood === 'off' ? {} : { drandUrl }) })
  nowMs = () => world.clock.now()
  await world.fund('alice', 10_000)
  if (mood !== 'off') await until('the source was asked', () => asked.length > 0)
  await world.settle()
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns += 1) {
    if (turns > 2_000) throw new Error(`never: ${what}`)
    await world.settle()
  }
}

async function start(duration = '1h'): Promise<GiveawayView> {
  const terms = { member: 'alice', prize: '500', winners: 2, duration, origin: world.origin() }
  const giveaway = await world.tipping.giveaways.start(terms)
  for (const member of ['bob', 'carol', 'dave', 'erin']) {
    presses += 1
    const entrant = { accountSince: new Date(0), roles: [] }
    await world.tipping.giveaways.enter({ giveaway: giveaway.id, member, entrant, interaction: String(presses) })
  }
  return giveaway
}

const by = ({ id }: GiveawayView) => ({ giveaway: id, member: 'alice', moderator: false, guild: 'guild' })
const view = ({ id }: GiveawayView) => world.tipping.giveaways.view(id)

async function show(): Promise<string[]> {
  const cards = await world.tipping.cards.pending(100)
  for (const card of cards) await world.tipping.cards.shown(card, `1/${'1'.repeat(18)}`)
  return cards.map(({ kind }) => kind)
}

/** Lets time pass in steps, and shows the messages after each, until the giveaway is drawn. */
async function drawn(giveaway: GiveawayView, stepMs = 1_000, most = 200): Promise<GiveawayView> {
  for (let step = 0; step < most; step += 1) {
    const now = await view(giveaway)
    if (now.state === 'drawn') return now
    await world.pass(stepMs)
    await show()
  }
  throw new Error('it is not drawn')
}

async function proofOf(giveaway: GiveawayView): Promise<Extract<DrawProof, { version: 2 }>> {
  const { proof } = await world.tipping.giveaways.proof({ giveaway: giveaway.id, guild: 'guild' })
  if (proof?.version !== 2) throw new Error('no proof')
  return proof
}

describe('a giveaway in a bot with a beacon source', () => {
  it('announces a round due 30 seconds after its end, and mixes in the verified beacon', async () => {
    await begin()
    const giveaway = await start('10m')
    const round = roundAfter(own.chain, giveaway.endsAt.getTime() + 30_000)
    const at = new Date(timeOfRound(own.chain, round))
    expect(giveaway.beacon).toEqual({ round, at, state: 'announced' })
    await world.pass(10 * 60_000)
    expect(await show()).toContain('giveaway-sealed')
    await world.pass(29_000)
    expect(await view(giveaway)).toMatchObject({ state: 'sealed', seed: undefined })
    const { beacon, won } = await drawn(giveaway)
    expect([beacon?.state, won.length]).toEqual(['mixed', 2])
    const proof = await proofOf(giveaway)
    expect(proof.beacon).toEqual({ chain: 'test-chain', round, signature: own.sign(round) })
    expect(faultsOfDraw(proof, own.chain)).toEqual([])
    expect(strengthOfDraw(proof, own.chain).kind).toBe('beacon')
    // The seed alone draws by another key; two of four people may be the same by chance.
    const seed = Buffer.from(proof.seed, 'hex')
    expect(Buffer.from(keyOfDraw(seed, own.sign(round))).equals(seed)).toBe(false)
  })

  it('has the same result even if the bot restarts during the draw', async () => {
    await begin()
    const giveaway = await start('10m')
    await world.pass(10 * 60_000)
    await show()
    const { seed } = await world.database.read.giveaway.findFirstOrThrow()
    const { entrantsHash = '' } = await view(giveaway)
    await world.restart()
    await world.pass(20_000)
    await world.restart()
    const { won } = await drawn(giveaway)
    const key = keyOfDraw(Buffer.from(seed, 'hex'), own.sign(giveaway.beacon?.round ?? 0))
    const line = drawLine(key, entrantsHash, (await proofOf(giveaway)).entrants)
    expect(won.map(({ member }) => member)).toEqual(line.slice(0, 2).map(({ member }) => member))
    expect(faultsOfDraw(await proofOf(giveaway), own.chain)).toEqual([])
    const again = await world.tipping.giveaways.reroll({ ...by(giveaway), origin: world.origin() })
    expect(won.map(({ member }) => member)).not.toContain(again.member)
    expect(faultsOfDraw(await proofOf(giveaway), own.chain)).toEqual([])
  })

  it.each(['away', 'lies'] as const)(
    'waits while its source fails (%s), and is drawn once the source returns',
    async (trouble) => {
      await begin()
      const giveaway = await start('10m')
      mood = trouble
      await world.pass(10 * 60_000)
      await show()
      await world.pass(60 * 60_000)
      expect(await view(giveaway)).toMatchObject({ state: 'sealed', won: [] })
      mood = 'well'
      expect((await drawn(giveaway, 60_000)).beacon?.state).toBe('mixed')
      expect(faultsOfDraw(await proofOf(giveaway), own.chain)).toEqual([])
    },
  )

  it('is drawn with the seed alone after a day without the source, as its proof states', async () => {
    await begin()
    const giveaway = await start('10m')
    mood = 'away'
    await world.pass(10 * 60_000)
    await show()
    await world.pass(23 * 3_600_000)
    expect((await view(giveaway)).state).toBe('sealed')
    const { beacon } = await drawn(giveaway, 10 * 60_000)
    expect(beacon?.state).toBe('missed')
    const proof = await proofOf(giveaway)
    expect(proof.beacon).toMatchObject({ round: giveaway.beacon?.round, signature: null })
    expect(faultsOfDraw(proof, own.chain)).toEqual([])
    expect(strengthOfDraw(proof, own.chain).kind).toBe('beacon-missed')
  })

  it.each(['off', 'away', 'lies'] as const)(
    'starts without a beacon if the source cannot be used (%s)',
    async (trouble) => {
      mood = trouble
      await begin()
      const giveaway = await start('10m')
      expect(giveaway.beacon).toBeUndefined()
      mood = 'well'
      await world.pass(10 * 60_000)
      await show()
      await world.pass(1_000)
      expect(await view(giveaway)).toMatchObject({ state: 'drawn', beacon: undefined })
      const proof = await proofOf(giveaway)
      expect(proof.beacon).toBeNull()
      expect(faultsOfDraw(proof)).toEqual([])
      expect(strengthOfDraw(proof)).toEqual({ kind: 'seed-only' })
    },
  )
})

describe('the early end of a giveaway', () => {
  it('takes effect after a minute, has its own beacon, and is announced and logged', async () => {
    await begin()
    const giveaway = await start('1h')
    await show()
    await world.pass(5 * 60_000)
    const endsAt = new Date(world.clock.now() + 60_000)
    const ending = await world.tipping.giveaways.end(by(giveaway))
    const round = roundAfter(own.chain, endsAt.getTime() + 30_000)
    expect(ending).toMatchObject({ state: 'open', endsAt, beacon: { round } })
    expect(await show()).toEqual(expect.arrayContaining(['giveaway', 'giveaway-ending']))
    const log = await world.database.read.moderationLogEntry.findMany()
    expect(log).toMatchObject([{ guild: 'guild', member: 'alice', action: 'giveaway-ended-early' }])
    expect(JSON.parse(log[0]?.about ?? '')).toMatchObject({ giveaway: giveaway.id, to: endsAt.toISOString() })
    await drawn(giveaway)
    const proof = await proofOf(giveaway)
    expect(proof.shortenedAt).toBe(new Date(endsAt.getTime() - 60_000).toISOString())
    expect(faultsOfDraw(proof, own.chain)).toEqual([])
  })

  it('cannot be moved once it is announced, and changes nothing in the last minute', async () => {
    await begin()
    const giveaway = await start('1h')
    const { endsAt } = await world.tipping.giveaways.end(by(giveaway))
    await world.pass(10_000)
    expect((await world.tipping.giveaways.end(by(giveaway))).endsAt).toEqual(endsAt)
    const short = await start('1m')
    expect((await world.tipping.giveaways.end(by(short))).endsAt).toEqual(short.endsAt)
    expect(await world.database.read.moderationLogEntry.count()).toBe(1)
    const where = { id: giveaway.id }
    const later = { endsAt: new Date(endsAt.getTime() + 1) }
    await expect(world.database.write.giveaway.update({ where, data: later })).rejects.toThrow()
    const sooner = { endsAt: new Date(endsAt.getTime() - 1) }
    await expect(world.database.write.giveaway.update({ where, data: sooner })).rejects.toThrow()
    await expect(world.database.write.giveaway.update({ where, data: { beaconRound: null } })).rejects.toThrow()
  })

  it('excludes entries that Discord’s clock shows as later, even if the bot’s is slow', async () => {
    await begin()
    const giveaway = await start('1h')
    const { endsAt } = await world.tipping.giveaways.end(by(giveaway))
    const snowflake = (ms: number) => String(BigInt(ms - 1_420_070_400_000) << 22n)
    const press = (member: string, ms: number) =>
      world.tipping.giveaways.enter({
        giveaway: giveaway.id,
        member,
        entrant: { accountSince: new Date(0), roles: [] },
        interaction: snowflake(ms),
      })
    await expect(press('late', endsAt.getTime())).rejects.toMatchObject({ code: 'giveaway-over' })
    expect(await press('early', endsAt.getTime() - 1)).toMatchObject({ already: false })
  })
})
