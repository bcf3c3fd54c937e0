import { describe, expect, it } from 'vitest'
import { flows } from '../../src/playground/flows/flows.ts'
import { poolPays } from '../../src/playground/flows/pool-pays.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { discordContract } from '../support/discord-openapi.ts'
import { openStage } from './harness.ts'

/**
 * The title of the flow that needs its own processes; `npm run tour`, which the gate runs, plays this flow with all
 * others.
 */
const PLAYED_BY_THE_TOUR_ALONE = 'The bot is killed in the middle of a tip, and starts again'

describe('the flows of the tour', () => {
  it('leave both books proven when they run one after another', async () => {
    const stage = await openStage({ gamertagReservedDays: 0 })
    const played = flows.filter((flow) => flow.title !== PLAYED_BY_THE_TOUR_ALONE && !poolPays.includes(flow))
    expect(played.length).toBe(flows.length - 1 - poolPays.length)
    for (const flow of played) await flow.play(stage)
  })

  it('that need a pool leave both books proven in a world of their own', async () => {
    const stage = await openStage()
    for (const who of ['alice', 'carol']) await stage.command(who, 'balance')
    const proof = flows.at(-1)
    expect(proof?.title).toBe('The proof')
    for (const flow of [...poolPays, ...(proof === undefined ? [] : [proof])]) await flow.play(stage)
  })
})

describe('a world with a real bot and service', () => {
  it('updates a card after a restart, and finds a deposit whose callback was lost', async () => {
    const stage = await openStage()
    const { bot, service, phone } = stage.world
    const [card] = await stage.command('alice', 'deposit', { amount: '2k' })
    const [lost] = await stage.command('bob', 'deposit', { amount: '3000' })
    if (!card || !lost) throw new Error('no deposit card')
    const codes = { alice: await stage.scan(card, 'deposit'), bob: await stage.scan(lost, 'deposit') }
    await bot.kill()
    await service.kill()
    await service.start()
    await bot.start()
    await stage.pay(codes.alice)
    await stage.sees('alice', /2,000.* has arrived/)
    expect(await stage.holds('bot', 'member', 'alice')).toBe(2_000)
    phone.loseCallbacks(1)
    await phone.pay(codes.bob)
    await stage.until('bob’s is found', async () => (await stage.holds('bot', 'member', 'bob')) === 3_000)
  })
})

describe('wrong input', () => {
  it('is refused with an explanation, whether it is an amount, a name or a person', async () => {
    const stage = await openStage()
    const entries = async () => (await stage.world.books()).map((book) => book.entries)
    const before = await entries()
    for (const [amount, words] of [
      ['0', /greater than zero/],
      ['-5', /greater than zero/],
      ['0.0001', /Lightning cannot split a sat that far/],
      ['99999999999999999999', /largest amount here is 10,000,000 test sats/],
      ['lots', /could not read “lots”/],
      ['1.000', /can mean different amounts/],
    ] as const) {
      const said = await stage.command('alice', 'tip', { to: stage.id('bob'), amount })
      expect(said.map(textOf).join('\n'), amount).toMatch(words)
      expect(said.every(({ ephemeral }) => ephemeral)).toBe(true)
    }
    stage.mustSay(await stage.command('alice', 'link', { wallet: 'nobody-at-all' }), /nobody-at-all/)
    const away = await stage.command('alice', 'link', { wallet: 'alice@nowhere.invalid' })
    stage.mustSay(away, /could not link alice@nowhere.invalid[\s\S]*Your tips keep going where they went before/)
    expect(away.map(textOf).join()).not.toContain('sent')
    stage.mustSay(await stage.command('alice', 'tip', { to: stage.id('alice'), amount: '5' }), /yourself/i)
    stage.mustSay(await stage.command('alice', 'tip', { to: stage.world.emulator.applicationId, amount: '5' }), /bot/i)
    expect(await entries()).toEqual(before)
  })
})

const contract = discordContract()

// Without DISCORD_OPENAPI there is no document to check against; the gate names one if it is available.
describe.skipIf(!contract)('the check against Discord’s document', () => {
  const request = {
    at: 0,
    query: {},
    files: [],
    status: 200,
    method: 'POST',
    path: '/channels/123456789012345678/messages',
  }

  it('accepts a valid message, and names the fault in an invalid request', () => {
    expect(contract?.faults({ ...request, body: { content: 'hello' } })).toEqual([])
    expect(contract?.faults({ ...request, body: { content: 'x'.repeat(4_001) } }).join()).toMatch(/content/)
    expect(contract?.faults({ ...request, path: '/nowhere', body: {} }).join()).toMatch(/not in Discord's document/)
  })
})
