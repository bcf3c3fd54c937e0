import { expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { fund, openStage } from './harness.ts'

/** Every way to give 20 sats; a new account can only give 10 a day. */
const GIFTS: Readonly<Record<string, (stage: Stage) => Promise<readonly Parameters<typeof textOf>[0][]>>> = {
  'a tip': (stage) => stage.command('newcomer', 'tip', { to: stage.id('bob'), amount: '20' }),
  'a drop': (stage) => stage.command('newcomer', 'drop', { amount: '20', shares: 1 }),
  'a voucher': (stage) => stage.command('newcomer', 'voucher create', { amount: '20' }),
  'a batch of vouchers': (stage) => stage.command('newcomer', 'voucher batch', { amount: '10', count: 2 }),
  'a giveaway': (stage) => stage.command('newcomer', 'giveaway start', { prize: '20', winners: 1, duration: '1h' }),
  async 'a tip that is joined'(stage) {
    const [card] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '20' })
    return await stage.press('newcomer', must(card), '+20 test sats')
  },
}

it('a new account’s limit applies to every kind of gift', async () => {
  const stage = await openStage()
  for (const who of ['alice', 'newcomer']) {
    await fund(stage, who, 1_000)
  }
  const change = { newAccountDays: 30, newAccountPerDay: sats(10) }
  const [guild, member] = [stage.world.cast.server, stage.id('mod')]
  await stage.world.bot.tipping.preferences.changeServer({ guild, member, change })
  for (const [name, give] of Object.entries(GIFTS)) {
    const said = (await give(stage)).map(textOf).join()
    expect(said, name).toMatch(/Your Discord account is new/)
  }
  expect(await stage.holds('bot', 'member', 'newcomer')).toBe(1_000)
})
