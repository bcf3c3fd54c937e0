import { expect, onTestFinished, test } from 'vitest'
import { createBot } from '../../src/bot/bot.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { RuleView } from '../../src/tipping/tipping.ts'
import { FakeTipping } from '../support/fake-tipping.ts'

async function startWorld() {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const { people, channels } = seedWorld(emulator, systemClock.now())
  const tipping = new FakeTipping()
  const start = async () => {
    emulator.clearRequests()
    const api = { rest: emulator.restUrl, cdn: emulator.cdnUrl }
    const shared = { clock: systemClock, logger: silentLogger, callsPerSecond: 100_000 }
    const bot = createBot({ token: emulator.token, api, tipping, ...shared, ownEmoji: true })
    onTestFinished(() => bot.close())
    await bot.ready
    return bot
  }
  const asked = () =>
    emulator.requests().flatMap(({ method, path }) => (path.endsWith('/emojis') ? [`${method} ${path}`] : []))
  return { emulator, start, asked, people, channels, tipping }
}

test('the bot uploads its own emoji at the first start, and finds them at the next', async () => {
  const { start, asked } = await startWorld()
  await (await start()).close()
  expect(asked().map((call) => call.split(' ')[0])).toEqual(['GET', ...Array.from({ length: 7 }, () => 'POST')])
  await start()
  expect(asked().map((call) => call.split(' ')[0])).toEqual(['GET'])
})

test('frames show the bot’s own emoji; buttons and notifications show standard emoji', async () => {
  const { emulator, start, people, channels, tipping } = await startWorld()
  const bot = await start()
  tipping.states.set(people.bob, 'parked')
  const tip = emulator.as(people.alice).run(channels.tips, 'tip', { to: people.bob, amount: '500' })
  await tip.answered()
  await bot.settled()
  const [card] = tip.messages()
  const [above, ...others] = [...everyComponent(card?.components ?? [])]
  expect(above?.content).toMatch(/^⚡ /)
  const inFrame = others.map(({ content }) => String(content ?? '')).join('\n')
  expect(inFrame).toMatch(/## <:satchel_sat:\d+> 500 sats[\s\S]*<:satchel_waiting:\d+>/)
  // A button's label says what a press does, with a standard emoji.
  expect(others.find(({ label }) => label === 'Claim my sats')?.emoji).toEqual({ name: '🎁' })
  const picture = /<:satchel_sat:(\d+)>/.exec(inFrame)?.[1]
  const answer = await fetch(`${emulator.cdnUrl}/emojis/${picture}.png`)
  expect(answer.headers.get('content-type')).toBe('image/png')
  // A tip whose first answer was complete is written once, with its emoji.
  await emulator.as(people.alice).run(channels.tips, 'tip', { to: people.carol, amount: '500' }).answered()
  await bot.settled()
  expect(emulator.as(people.carol).conversation(channels.tips).at(-1)?.editedAt).toBe(null)
})

test('a text that names a reaction shows the emoji that people react with', async () => {
  const { emulator, start, people, channels, tipping } = await startWorld()
  const rule: RuleView = {
    ...{
      id: 'rule',
      guild: 'guild',
      owner: people.mod,
      recipe: 'solved',
      role: undefined,
      emoji: '🎁',
      days: undefined,
    },
    ...{ amount: sats(5), budget: sats(50), spent: sats(0), reason: 'Thanks', state: 'on', stoppedBy: undefined },
    ...{ trouble: undefined, given: 0, createdAt: new Date() },
  }
  Object.assign(tipping, { rules: { ...tipping.rules, list: () => Promise.resolve([rule]) } })
  const bot = await start()
  const shown = async (command: string, options = {}) => {
    const call = emulator.as(people.mod).run(channels.tips, command, options)
    await call.answered()
    await bot.settled()
    return JSON.stringify(call.messages()[0])
  }
  expect(await shown('rule list')).toMatch(/A helpful answer: ✅.? in a thread\*\* · 🎁/u)
  expect(await shown('settings')).toMatch(/⚡.? Tip by reaction/u)
  expect(await shown('help', { topic: 'tips' })).toMatch(/your ⚡.? reactions/u)
})

test('the bot starts with standard emoji if Discord refuses the bot’s own', async () => {
  const { emulator, start, people, channels } = await startWorld()
  emulator.faults.refuseNext({ status: 403, code: 50_001 }, { path: /emojis$/, times: 9 })
  const bot = await start()
  const tip = emulator.as(people.alice).run(channels.tips, 'tip', { to: people.bob, amount: '500' })
  await tip.answered()
  await bot.settled()
  expect(JSON.stringify(tip.messages()[0]?.components)).toMatch(/## 🪙 500 sats/)
})
