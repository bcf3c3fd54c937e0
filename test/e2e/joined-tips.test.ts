import { expect, it } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { fund, openStage } from './harness.ts'

it('others can add the same amount to a tip with one press of a button on its card', async () => {
  const stage = await openStage()
  for (const who of ['alice', 'carol']) {
    await fund(stage, who, 2_000)
  }
  await stage.command('bob', 'balance')
  const before = stage.world.emulator.requests().length
  const [card] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500' })
  if (card === undefined) throw new Error('no card')
  // The first answer is complete: nothing edits it.
  const edits = stage.world.emulator.requests().slice(before)
  expect(edits.filter(({ method }) => method === 'PATCH')).toEqual([])
  const label = '+500 test sats'
  expect([...everyComponent(card.components)].map((each) => (each as { label?: string }).label)).toContain(label)
  const messages = () => stage.person('mod').conversation(stage.channel()).length
  const [count, tell] = [messages(), async (who: string) => (await stage.press(who, card, label)).map(textOf).join()]
  expect(await tell('carol')).toMatch(/You added \*\*500 test sats\*\*\. Together that is \*\*1,000 test sats\*\*/)
  expect(await tell('carol')).toMatch(/already added to this tip/)
  expect(await tell('alice')).toMatch(/your own tip/)
  expect(await tell('bob')).toMatch(/went to you/)
  expect(await tell('dave')).toMatch(/deposit/)
  await stage.world.settled()
  const now = await stage.sees('dave', /\+1 · \*\*1,000 test sats in all/)
  expect(now.id).toBe(card.id)
  expect(messages()).toBe(count)
  expect(await stage.holds('bot', 'member', 'bob')).toBe(1_000)
})
