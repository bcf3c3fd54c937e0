import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

/** alice has 1,000 sats, and bob and carol use the bot. */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  for (const author of ['bob', 'carol']) await world.available(author)
})

afterEach(() => world.close())

function tip(message: string, author: string, amount: string, locale = 'de') {
  const origin = { ...world.origin(), guild: 'guild', channel: `channel of ${message}`, locale }
  return world.run(
    world.tipping.messageTips.tip({ from: 'alice', message, author: { id: author, bot: false }, amount, origin }),
  )
}

describe('tips for messages', () => {
  it('are counted for each message on a card of its own, which is drawn again with each tip', async () => {
    for (const amount of ['10', '20']) await tip('77', 'bob', amount)
    for (const amount of ['100', '200', '300']) await tip('78', 'carol', amount)
    const views = await Promise.all(['77', '78'].map((message) => world.tipping.messageTips.view(message)))
    const of77 = { channel: 'channel of 77', author: 'bob', total: sats(30), tips: 2 }
    const of78 = { channel: 'channel of 78', author: 'carol', total: sats(600), tips: 3 }
    expect(views).toMatchObject([of77, of78])
    const cards = await Promise.all(views.map(({ card }) => world.tipping.cards.get(card)))
    expect(cards).toMatchObject([
      { kind: 'tally', record: '77', audience: { channel: 'channel of 77' }, revision: 2 },
      { kind: 'tally', record: '78', audience: { channel: 'channel of 78' }, revision: 3 },
    ])
    expect(await world.database.read.card.count({ where: { kind: { in: ['tip', 'tally'] } } })).toBe(2)
  })

  it('have a card that speaks the language of the first, and is no answer to them', async () => {
    const { card } = await tip('77', 'bob', '10')
    await tip('77', 'bob', '10', 'fr')
    expect((await world.tipping.cards.get(card))?.origin).toMatchObject({ guild: 'guild', reply: '', locale: 'de' })
  })

  it('have a card that is named as other cards are', async () => {
    const { card } = await tip('77', 'bob', '10')
    expect(card).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
  })

  it('belong to the server where the message is', async () => {
    await tip('77', 'bob', '10')
    expect(await world.tipping.guildOf('tipped-message', '77')).toBe('guild')
  })
})
