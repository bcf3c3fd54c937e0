import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { serveFixedRates } from '../../src/playground/world/fixed-rates.ts'
import { must } from '../support/must.ts'
import { openFundedStage } from './harness.ts'

/** Matches, in a text, an amount with a fraction of a sat. */
const FRACTION = /\d\.\d+\**\s(test )?sats/

it('cards show only whole sats even if a fee leaves a fraction of a sat in a balance', async () => {
  const stage = await openFundedStage()
  await stage.command('bob', 'balance', {})
  const { invoice } = await stage.world.phone.invoice(123_000n)
  const [asked] = await stage.command('alice', 'withdraw', { amount: '123', to: invoice })
  await stage.press('alice', must(asked), 'Send it')
  expect(textOf(await stage.sees('alice', /Withdrawal of 123[\s\S]*Paid .*The fee was/))).not.toMatch(FRACTION)
  const left = await stage.holds('bot', 'member', 'alice')
  expect(Number.isInteger(left)).toBe(false)

  const [balance] = await stage.command('alice', 'balance', {})
  expect(textOf(must(balance))).toContain(`## ${Math.floor(left).toLocaleString('en')} test sats`)
  const [history] = await stage.command('alice', 'history', {})
  expect(textOf(must(history))).not.toMatch(FRACTION)
  const [question] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: 'all' })
  expect(textOf(must(question))).not.toMatch(FRACTION)
  await stage.press('alice', must(question), 'Send it')
  await stage.until('bob is tipped', async () => (await stage.holds('bot', 'member', 'bob')) === Math.floor(left))
  const [over] = await stage.command('alice', 'drop', { amount: '2', shares: 2 })
  expect(textOf(must(over))).toMatch(/You have \*\*0 test sats\*\*, but this needs \*\*\d+ test sats\*\*/)
  // Less than a sat is nothing that one could still take out.
  const [privacy] = await stage.command('alice', 'privacy')
  await stage.press('alice', must(privacy), 'Delete my data …')
  expect(textOf(await stage.sees('alice', /Delete your data\?/))).not.toContain('in your balance')
  const [wallet] = await stage.command('alice', 'wallet')
  expect(textOf(must(wallet))).not.toContain('test sats')
})

it('an amount requested in dollars is shown in dollars on its card', async () => {
  const rates = await serveFixedRates({ logger: silentLogger, clock: systemClock })
  onTestFinished(() => rates.close())
  const stage = await openFundedStage(100_000, { ratesUrl: rates.url })
  const [small] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '$0.50' })
  expect(textOf(must(small))).toMatch(/500 test sats[\s\S]*≈ \$0\.50/)
  const [plain] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500' })
  expect(textOf(must(plain))).not.toContain('$')
  const [drop] = await stage.command('alice', 'drop', { amount: '$1', shares: 2 })
  expect(textOf(must(drop))).toContain('≈ $1.00')
  const [rest] = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '$60' })
  await stage.press('alice', must(rest), 'Send it')
  await stage.sees('alice', /60,000 test sats[\s\S]*≈ \$60\.00/)
})
