import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats, and bob and carol use the bot. */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  for (const author of ['bob', 'carol']) await world.available(author)
})

interface More {
  readonly from?: string
  readonly locale?: string
  readonly note?: string
  readonly interaction?: string
}

function tip(message: string, author: string, amount: string, more: More = {}) {
  const { from = 'alice', locale = 'de', note, interaction } = more
  const origin = { ...world.origin(interaction), guild: 'guild', channel: `channel of ${message}`, locale }
  return world.run(
    world.tipping.messageTips.tip({ from, message, author: { id: author, bot: false }, amount, note, origin }),
  )
}

/** Gives these sums of alice's sats to other people, so that they can tip. */
async function givers(sums: Readonly<Record<string, string>>): Promise<void> {
  for (const [who, amount] of Object.entries(sums)) {
    await world.available(who)
    await world.tip('alice', who, amount)
  }
}

const DAY_MS = 24 * 3_600_000

describe('tips for messages', () => {
  it('are counted for each message on its own card, which is redrawn with each tip', async () => {
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

  it('have a card that is not a reply and is in the language of the first giver', async () => {
    const { card } = await tip('77', 'bob', '10')
    await tip('77', 'bob', '10', { locale: 'fr' })
    expect((await world.tipping.cards.get(card))?.origin).toMatchObject({ guild: 'guild', reply: '', locale: 'de' })
  })

  it('have a card with an id in the usual format', async () => {
    const { card } = await tip('77', 'bob', '10')
    expect(card).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
  })

  it('belong to the server of the message', async () => {
    await tip('77', 'bob', '10')
    expect(await world.tipping.guildOf('tipped-message', '77')).toBe('guild')
  })

  it('are shown with the largest givers first and the three newest notes', async () => {
    await givers({ carol: '300', dave: '250' })
    await tip('77', 'bob', '100', { note: 'the first' })
    await world.pass(1_000)
    await tip('77', 'bob', '30')
    await world.pass(1_000)
    for (const note of ['the second', 'the third', 'the fourth']) {
      await tip('77', 'bob', '100', { from: 'carol', note })
      await world.pass(1_000)
    }
    await tip('77', 'bob', '250', { from: 'dave' })
    expect(await world.tipping.messageTips.view('77')).toMatchObject({
      total: sats(680),
      givers: [
        { member: 'carol', amount: sats(300) },
        { member: 'dave', amount: sats(250) },
        { member: 'alice', amount: sats(130) },
      ],
      notes: [
        { member: 'carol', note: 'the fourth' },
        { member: 'carol', note: 'the third' },
        { member: 'carol', note: 'the second' },
      ],
      claimableUntil: undefined,
    })
  })

  it('are shown with a newcomer’s earliest deadline and without returned sats', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { claimDays: 2 } })
    await givers({ carol: '300' })
    const began = world.clock.now()
    await tip('77', 'erin', '100')
    await world.clock.advance(DAY_MS)
    const second = await tip('77', 'erin', '300', { from: 'carol' })
    expect(second).toMatchObject({ total: sats(400), tips: 2, claimableUntil: new Date(began + 2 * DAY_MS) })
    await world.clock.advance(DAY_MS + 2 * 3_600_000)
    await world.settle()
    expect(await world.available('alice')).toBe(sats(700))
    const left = { total: sats(300), tips: 1, givers: [{ member: 'carol', amount: sats(300) }] }
    const until = new Date(began + 3 * DAY_MS)
    expect(await world.tipping.messageTips.view('77')).toMatchObject({ ...left, claimableUntil: until })
    await world.run(world.tipping.claims.take({ member: 'erin', origin: world.origin() }))
    expect(await world.tipping.messageTips.view('77')).toMatchObject({ ...left, claimableUntil: undefined })
  })

  it('are given once for each command, and a changed command is refused', async () => {
    const first = await tip('77', 'bob', '10', { note: 'thanks', interaction: 'the-same' })
    expect(await tip('77', 'bob', '10', { note: 'thanks', interaction: 'the-same' })).toEqual(first)
    for (const [amount, note] of [
      ['11', 'thanks'],
      ['10', 'many thanks'],
    ] as const) {
      const other = tip('77', 'bob', amount, { note, interaction: 'the-same' })
      await expect(other).rejects.toMatchObject({ code: 'already-done' })
    }
    expect(await world.available('bob')).toBe(sats(10))
  })

  it('can be sent with a reaction if the giver has chosen an amount', async () => {
    await givers({ carol: '100' })
    await world.tipping.preferences.change({ member: 'alice', change: { reactionTip: sats(21) } })
    const react = (from: string) => {
      const origin = { ...world.origin(`${from} reacts`), guild: 'guild' }
      const command = { from, message: '77', author: { id: 'bob', bot: false }, origin }
      return world.run(world.tipping.messageTips.react(command))
    }
    expect(await react('carol')).toBeUndefined()
    expect(await react('alice')).toMatchObject({ message: '77', author: 'bob', total: sats(21), tips: 1 })
    expect(await react('alice')).toMatchObject({ tips: 1 })
    expect(await world.available('bob')).toBe(sats(21))
  })

  it('cannot be viewed before the first tip', async () => {
    await expect(world.tipping.messageTips.view('77')).rejects.toMatchObject({ code: 'not-there' })
  })
})
