import { expect, it } from 'vitest'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { openFundedStage, openStage } from './harness.ts'

it('the public message of an anonymous tip answers no command and hides the giver', async () => {
  const stage = await openFundedStage(20_000)
  await stage.command('bob', 'balance')
  const others = () => stage.person('carol').conversation(stage.channel())
  const before = new Set(others().map(({ id }) => id))
  const options = { to: stage.id('bob'), amount: '500', note: 'for the soup', anonymous: true }
  const [said] = await stage.command('alice', 'tip', options)
  expect(said?.ephemeral).toBe(true)
  expect(said && textOf(said)).toMatch(/Sent without your name/)
  const [question] = await stage.command('alice', 'tip', { ...options, amount: '12000' })
  await stage.press('alice', must(question), 'Send it')
  const card = await stage.sees('bob', /Somebody tipped .*12,000 test sats[\s\S]*for the soup/)
  expect(card.notifies.personIds).toEqual([stage.id('bob')])

  const seen = others().filter(({ id }) => !before.has(id))
  expect(seen).toHaveLength(2)
  for (const message of seen) {
    expect(message.usedBy).toBeNull()
    expect(message.interactionId).toBeNull()
    expect(message.replyTo).toBeNull()
    const text = JSON.stringify(message)
    expect(text).not.toContain(stage.id('alice'))
    expect(text).not.toMatch(/alice/i)
  }
  expect(await stage.wealth('bob')).toBe(12_500)
  const [history] = await stage.command('bob', 'history')
  expect(history && textOf(history)).toContain('Tip from Alice')

  const [mine] = await stage.command('mod', 'settings')
  const [server] = mine ? await stage.press('mod', mine, 'Server settings') : []
  const [list] = server ? await stage.press('mod', server, 'Anonymous tips') : []
  expect(list?.ephemeral).toBe(true)
  expect(list && textOf(list)).toMatch(/• .*Alice.* → .*Bob.* · 12,000 test sats · “for the soup”/)
})

it('an anonymous tip is refused privately in a server that forbids such tips', async () => {
  const stage = await openStage()
  const [mine] = await stage.command('mod', 'settings')
  const [server] = mine ? await stage.press('mod', mine, 'Server settings') : []
  const mod = stage.person('mod')
  for (const [topic, chosen] of [
    ['topic', 'noAnonymousTips'],
    ['noAnonymousTips', 'off'],
  ] as const) {
    await mod.choose(stage.channel(), server?.id ?? '', `settings-server:${topic}`, [chosen]).acknowledged()
    await stage.world.settled()
  }
  await stage.sees('mod', /Anonymous tips: \*\*off/)
  const count = stage.person('carol').conversation(stage.channel()).length
  const [said] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '5', anonymous: true })
  expect(said && textOf(said)).toMatch(/Tips in this server always show who gave them/)
  expect(stage.person('carol').conversation(stage.channel())).toHaveLength(count)
})
