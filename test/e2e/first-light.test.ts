import { describe, expect, it } from 'vitest'
import { flows } from '../../src/playground/tour/flows.ts'
import { textOf } from '../../src/playground/tour/text-of.ts'
import { discordContract } from '../support/discord-openapi.ts'
import { openStage } from './harness.ts'

describe('the flows of the tour', () => {
  it('hold from the first link to the proof', { timeout: 60_000 }, async () => {
    const stage = await openStage({ gamertagReservedDays: 0 })
    for (const flow of flows) await flow.play(stage)
  })
})

describe('a world', () => {
  it('goes on after a restart: balances, messages and open cards are still there', async () => {
    const stage = await openStage()
    await stage.world.service.kill()
    await stage.world.service.start()
    await stage.world.bot.kill()
    const [card] = await (async () => {
      await stage.world.bot.start()
      return await stage.command('alice', 'deposit', { amount: '2k' })
    })()
    if (!card) throw new Error('no deposit card')
    const code = await stage.scan(card, 'deposit')
    await stage.world.bot.kill()
    await stage.world.bot.start()
    await stage.pay(code)
    await stage.sees('alice', /2,000.* has arrived/)
    expect(await stage.holds('bot', 'member', 'alice')).toBe(2_000)
  })

  it('finds a deposit whose callback is lost', async () => {
    const stage = await openStage()
    const [card] = await stage.command('alice', 'deposit', { amount: '3000' })
    if (!card) throw new Error('no deposit card')
    stage.world.phone.loseCallbacks(1)
    await stage.world.phone.pay(await stage.scan(card, 'deposit'))
    await stage.until(
      'the deposit is found by asking',
      async () => (await stage.holds('bot', 'member', 'alice')) === 3_000,
    )
  })
})

describe('bad input is refused in words, and nothing moves', () => {
  it.each([
    ['0', /zero/],
    ['-5', /above zero/],
    ['0.0001', /finer than Lightning/],
    ['99999999999999999999', /10,000,000 test sats at most/],
    ['lots', /could not read “lots”/],
    ['1.000', /one amount in one country/],
  ])('an amount of %s', async (amount, words) => {
    const stage = await openStage()
    const said = await stage.command('alice', 'tip', { to: stage.id('bob'), amount })
    expect(said.map(textOf).join('\n')).toMatch(words)
    expect(said.every(({ ephemeral }) => ephemeral)).toBe(true)
  })

  it('a gamertag that nobody has', async () => {
    const stage = await openStage()
    stage.mustSay(await stage.command('alice', 'link', { gamertag: 'nobody-at-all' }), /nobody-at-all/)
  })

  it('a tip to oneself, and to the bot', async () => {
    const stage = await openStage()
    stage.mustSay(await stage.command('alice', 'tip', { to: stage.id('alice'), amount: '5' }), /yourself/i)
    stage.mustSay(await stage.command('alice', 'tip', { to: stage.world.emulator.applicationId, amount: '5' }), /bot/i)
  })
})

const contract = discordContract()

// Without DISCORD_OPENAPI there is no document to check against; the gate names one where it is at hand.
describe.skipIf(!contract)("the check against Discord's document", () => {
  const request = {
    at: 0,
    query: {},
    files: [],
    status: 200,
    method: 'POST',
    path: '/channels/123456789012345678/messages',
  }

  it('lets a right message pass and names what is wrong with another', () => {
    expect(contract?.faults({ ...request, body: { content: 'hello' } })).toEqual([])
    expect(contract?.faults({ ...request, body: { content: 'x'.repeat(4_001) } }).join()).toMatch(/content/)
    expect(contract?.faults({ ...request, path: '/nowhere', body: {} }).join()).toMatch(/not in Discord's document/)
  })
})
