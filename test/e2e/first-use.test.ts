import { expect, it } from 'vitest'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openFundedStage } from './harness.ts'

it('a newcomer’s first command claims waiting sats, and can tip them immediately', async () => {
  const stage = await openFundedStage()
  await stage.command('alice', 'tip', { to: stage.id('newcomer'), amount: '300' })
  expect(await stage.holds('bot', 'member', 'newcomer')).toBe(0)
  const said = await stage.command('newcomer', 'tip', { to: stage.id('alice'), amount: '100' })
  expect(said.map(textOf).join('\n')).toMatch(/tipped @\S+ \*\*100 test sats/)
  // The answer is private, below the first one.
  const told = stage.mustSay(said, /300 test sats for you[\s\S]*In your balance now/)
  expect(told.ephemeral).toBe(true)
  expect(await stage.holds('bot', 'member', 'newcomer')).toBe(200)
})

it('a tip to a newcomer is shown without edits, and only the newcomer can claim it', async () => {
  const stage = await openFundedStage()
  // Discord reports everybody who writes.
  stage.person('newcomer').say(stage.channel(), 'hello')
  await stage.command('alice', 'tip', { to: stage.id('newcomer'), amount: '300' })
  const tip = await stage.sees('carol', /tipped[\s\S]*300 test sats[\s\S]*not claimed yet/)
  expect(tip.editedAt).toBeNull()
  stage.mustSay(await stage.press('bob', tip, 'Claim my sats'), /This tip is for/)
  stage.mustSay(await stage.press('newcomer', tip, 'Claim my sats'), /300 test sats for you/)
  expect(await stage.holds('bot', 'member', 'newcomer')).toBe(300)
})

it('/stats and /leaderboard show unclaimed sats until they are claimed', async () => {
  const stage = await openFundedStage()
  await stage.command('alice', 'tip', { to: stage.id('newcomer'), amount: '300' })
  // An answer is reused for ten times as long as it took, so each question names another period.
  const both = async (period: string) => [
    ...(await stage.command('alice', 'stats', { period })).map(textOf),
    ...(await stage.command('alice', 'leaderboard', { period })).map(textOf),
  ]
  const before = await both('week')
  expect(before).toHaveLength(2)
  for (const text of before) expect(text).toContain('Not claimed yet: 300 test sats.')
  expect(before[0]).toContain('1 gave, 0 received')
  await stage.command('newcomer', 'balance')
  const after = await both('month')
  for (const text of after) expect(text).not.toContain('Not claimed')
  expect(after[0]).toContain('1 gave, 1 received')
})

it('/link runs before the claim, so waiting sats go to the linked account', async () => {
  const stage = await openFundedStage()
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '300' })
  const said = await stage.command('bob', 'link', { wallet: 'bob' })
  stage.mustSay(said, /From now on your tips go to/)
  stage.mustSay(said, /300 test sats for you[\s\S]*In your wallet/)
  expect(await stage.holds('bot', 'member', 'bob')).toBe(0)
})

it('a newcomer who tips is asked to pay only what the claimed sats do not cover', async () => {
  const stage = await openFundedStage()
  await stage.command('alice', 'tip', { to: stage.id('newcomer'), amount: '10' })
  stage.world.emulator.clearRequests()
  const said = await stage.command('newcomer', 'tip', { to: stage.id('bob'), amount: '15' })
  expect(said.filter(({ ephemeral }) => !ephemeral)).toEqual([])
  // It answers the command itself: no public answer was begun and deleted.
  expect(said[0] && textOf(said[0])).toMatch(
    /Pay 5 test sats[\s\S]*The other \*\*10 test sats\*\* come from your balance/,
  )
  expect(stage.world.emulator.requests().filter(({ method }) => method === 'DELETE')).toEqual([])
  stage.mustSay(said, /10 test sats for you/)
})

it('/balance shows the claimed sats, and mentions the claim once', async () => {
  const stage = await openFundedStage()
  await stage.command('alice', 'tip', { to: stage.id('newcomer'), amount: '70' })
  const said = await stage.command('newcomer', 'balance')
  stage.mustSay(said, /## 70 test sats/)
  stage.mustSay(said, /70 test sats for you/)
  expect(await stage.command('newcomer', 'balance')).toHaveLength(1)
})

it('a newcomer who presses the tip’s button learns of the claim once', async () => {
  const stage = await openFundedStage()
  const [tip] = await stage.command('alice', 'tip', { to: stage.id('newcomer'), amount: '70' })
  if (tip === undefined) throw new Error('no tip')
  expect(await stage.press('newcomer', tip, 'Claim my sats')).toHaveLength(1)
})

it('a tip appears as one notifying message, and a large tip needs confirmation first', async () => {
  const stage = await openFundedStage()
  // A user of the bot gets sats immediately.
  await stage.command('bob', 'balance')
  const channel = stage.channel()
  const count = () => stage.person('bob').conversation(channel).length
  const before = count()
  const [tip] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '50' })
  expect(count()).toBe(before + 1)
  expect(tip?.notifies.personIds).toEqual([stage.id('bob')])
  // The first answer is final: it notifies with the amount, and nothing marks it as edited.
  expect(tip && textOf(tip)).toMatch(/^⚡ Alice tipped @Bob \*\*50 test sats\*\*/)
  const answers = stage.world.emulator
    .requests()
    .filter(({ body }) => JSON.stringify(body ?? '').includes('**50 test sats**'))
  expect(answers.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual(['POST callback'])
  expect(tip?.editedAt).toBeNull()
  await stage.world.bot.tipping.preferences.changeServer({
    guild: stage.world.cast.server,
    member: stage.id('mod'),
    change: { confirmAbove: 1_000_000n as never },
  })
  const [question] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '5000' })
  expect(question?.ephemeral).toBe(true)
  expect(question && textOf(question)).toMatch(
    /Send \*\*5,000 test sats\*\* to Bob\?[\s\S]*You will have \*\*4,950 test sats\*\* left/i,
  )
})
