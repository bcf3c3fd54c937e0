import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats, and bob and carol use the bot. */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  for (const who of ['bob', 'carol']) await world.available(who)
})
const DAY_MS = 24 * 3_600_000

const choose = (text: string, guild = 'guild') =>
  world.tipping.preferences.changeEmojiTips({ guild, member: 'mod', text })
const allow = (amount: number | undefined, member = 'alice') =>
  world.tipping.preferences.change({
    member,
    change: { emojiCeiling: amount === undefined ? undefined : sats(amount) },
  })

function react(message: string, emoji: string, { from = 'alice', to = 'bob', bot = false, guild = 'guild' } = {}) {
  const origin = { ...world.origin(`reaction ${message} ${from} ${emoji}`), guild }
  const command = { from, message, emoji, author: { id: to, bot }, origin }
  return world.run(world.tipping.messageTips.react(command))
}

describe('reactions with a server’s emoji', () => {
  it('tip the emoji’s amount once for each emoji and message, if the member allows it', async () => {
    await choose('🔥 100\n💯 7')
    expect(await react('77', '🔥')).toBeUndefined()
    await allow(1_000)
    await react('77', '🔥')
    await react('77', '💯')
    await react('77', '🔥')
    expect(await react('77', '💧')).toBeUndefined()
    expect(await world.tipping.messageTips.view('77')).toMatchObject({ total: sats(107), tips: 2 })
    expect([await world.available('alice'), await world.available('bob')]).toEqual([sats(893), sats(107)])
  })

  it('cause no new tip and no refusal if repeated after the server’s choice changes', async () => {
    await choose('🔥 100')
    await allow(1_000)
    await react('77', '🔥')
    await choose('🔥 300')
    expect(await react('77', '🔥')).toMatchObject({ total: sats(100), tips: 1 })
    await choose('🔥 20k')
    expect(await react('77', '🔥')).toMatchObject({ tips: 1 })
    await choose('')
    expect(await react('77', '🔥')).toMatchObject({ tips: 1 })
    expect(await world.available('bob')).toBe(sats(100))
  })

  it('tip the member’s own amount for ⚡ if the member has chosen it', async () => {
    await choose('⚡️ 100')
    await world.tipping.preferences.change({ member: 'alice', change: { reactionTip: sats(21) } })
    await allow(1_000)
    await react('77', '⚡')
    expect(await world.available('bob')).toBe(sats(21))
    await world.tipping.preferences.change({ member: 'alice', change: { reactionTip: undefined } })
    await react('78', '⚡')
    expect(await world.available('bob')).toBe(sats(121))
  })

  it('give at most their giver’s daily amount even if they come simultaneously', async () => {
    await choose('🔥 100\n💯 90')
    await allow(250)
    const many = await Promise.allSettled(['1', '2', '3', '4'].map((message) => react(message, '🔥')))
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await expect(react('9', '💯')).rejects.toMatchObject({
      code: 'emoji-ceiling',
      facts: { cap: sats(250), left: sats(50) },
    })
    expect(await world.available('bob')).toBe(sats(200))
    await world.tip('alice', 'bob', '500')
    await world.clock.advance(DAY_MS)
    await react('9', '💯')
    expect(await world.available('bob')).toBe(sats(790))
  })

  it('share their giver’s daily amount across servers', async () => {
    await choose('🔥 100')
    await choose('🔥 100', 'elsewhere')
    await allow(150)
    await react('1', '🔥')
    await expect(react('2', '🔥', { guild: 'elsewhere' })).rejects.toMatchObject({
      code: 'emoji-ceiling',
      facts: { cap: sats(150), left: sats(50) },
    })
    expect(await world.available('bob')).toBe(sats(100))
  })

  it('give nothing beyond the daily amount once their giver lowers or removes it', async () => {
    await choose('🔥 100')
    await allow(500)
    await react('1', '🔥')
    await allow(150)
    await expect(react('2', '🔥')).rejects.toMatchObject({ code: 'emoji-ceiling' })
    await allow(undefined)
    expect(await react('3', '🔥')).toBeUndefined()
    await world.tipping.privacy.forget('alice')
    expect((await world.tipping.preferences.of('alice')).emojiCeiling).toBeUndefined()
    expect(await world.available('bob')).toBe(sats(100))
  })

  it('give nothing above the confirmation limit, whatever the daily amount', async () => {
    await choose('🔥 500')
    await allow(1_000)
    await world.tipping.preferences.changeServer({
      guild: 'guild',
      member: 'mod',
      change: { confirmAbove: sats(100) },
    })
    const refused = { code: 'emoji-needs-confirmation', facts: { amount: sats(500), most: sats(100) } }
    await expect(react('77', '🔥')).rejects.toMatchObject(refused)
    expect(await world.available('alice')).toBe(sats(1_000))
  })

  it('tip neither their giver nor a bot, and respect the server’s limits', async () => {
    await choose('🔥 100')
    await allow(1_000)
    await expect(react('77', '🔥', { to: 'alice' })).rejects.toMatchObject({ code: 'tip-to-self' })
    await expect(react('77', '🔥', { bot: true })).rejects.toMatchObject({ code: 'tip-to-bot' })
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { perDay: sats(150) } })
    await react('77', '🔥')
    await expect(react('78', '🔥')).rejects.toMatchObject({ code: 'limit-reached' })
  })

  it('lead to an invoice if the balance is too small, and use up the daily amount', async () => {
    await choose('🔥 100')
    await allow(150, 'carol')
    const origin = { ...world.origin('reaction 77 carol 🔥'), guild: 'guild' }
    const about = { from: 'carol', message: '77', emoji: '🔥', author: { id: 'bob', bot: false } }
    const command = { ...about, origin, announced: origin }
    const tip = await world.run(world.tipping.invoicedTips.react(command))
    if (tip === undefined || !('deposit' in tip)) throw new Error('there is no invoice')
    await allow(50, 'carol')
    const again = { ...world.origin('reaction 78 carol 🔥'), guild: 'guild' }
    const next = world.tipping.invoicedTips.react({ ...command, message: '78', origin: again, announced: again })
    await expect(world.run(next)).rejects.toMatchObject({ code: 'emoji-ceiling' })
  })
})

describe('a server’s choice of emoji for tips', () => {
  it('is stored, is known after a restart, and is logged', async () => {
    const own = '<:party:123456789012345678>'
    await choose(`🔥 2.5k; ${own}  21 \n\n❤️ 7`)
    await world.restart()
    expect(world.tipping.preferences.ofServer('guild').emojiTips).toEqual([
      { emoji: '🔥', amount: sats(2_500) },
      { emoji: own, amount: sats(21) },
      { emoji: '❤️', amount: sats(7) },
    ])
    const [change] = await world.tipping.insights.changes('guild', 1)
    expect(change?.settings.emojiTips?.[0]).toEqual({ emoji: '🔥', amount: sats(2_500) })
  })

  it('is refused if one of its lines is wrong, and the earlier choice remains', async () => {
    await choose('💧 5')
    const wrong = [
      ['fire 100', 'emoji-line'],
      ['🔥', 'emoji-line'],
      ['🔥🔥 100', 'emoji-line'],
      [':party: 100', 'emoji-line'],
      ['🔥 100\n🔥 200', 'emoji-twice'],
      ['❤️ 100\n❤ 200', 'emoji-twice'],
      ['🔥 1\n💯 2\n💧 3\n🎉 4\n🍕 5\n🐛 6', 'emoji-too-many'],
      ['🔥 1.00001', 'amount-fraction-of-msat'],
      ['🔥 −3', 'amount-zero'],
      ['🔥 0', 'amount-zero'],
      ['🔥 all', 'amount-of-nothing'],
      ['🔥 100m', 'amount-too-large'],
      ['🔥 many', 'amount-not-understood'],
    ] as const
    for (const [text, code] of wrong) {
      await expect(choose(text), text).rejects.toMatchObject({ code })
      expect(world.tipping.preferences.ofServer('guild').emojiTips).toEqual([{ emoji: '💧', amount: sats(5) }])
    }
  })
})
