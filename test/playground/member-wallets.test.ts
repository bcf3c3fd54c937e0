import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { Bank } from '../../src/playground/member-wallets/bank.ts'
import { ManualClock } from '../support/manual-clock.ts'

const WALLET = { secret: '', client: '', balance: 50_000_000 }

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'member-wallets-'))
  const clock = new ManualClock(Date.UTC(2030, 0, 15))
  const store = { port: 0, wallets: { alice: WALLET, bob: WALLET } }
  const bank = new Bank(join(folder, 'network.sqlite'), store, { clock, entropy: systemEntropy })
  onTestFinished(async () => {
    await bank.close()
    rmSync(folder, { recursive: true })
  })
  const pay = async (amount: number) => {
    const made = (await bank.answer('bob', 'make_invoice', { amount, expiry: 86_400 })) as { invoice: string }
    return await bank.answer('alice', 'pay_invoice', { invoice: made.invoice })
  }
  return { bank, clock, pay, budget: () => bank.answer('alice', 'get_budget', {}) }
}

it('a wallet shows how much of its budget is spent, and pays no more than the rest', async () => {
  const { bank, pay, budget } = open()
  expect(await budget()).toMatchObject({ total_budget: 20_000_000, used_budget: 0, renewal_period: 'monthly' })
  await pay(15_000_000)
  expect(await budget()).toMatchObject({ used_budget: 15_000_000, renews_at: Date.UTC(2030, 1, 1) / 1_000 })
  await expect(pay(5_000_001)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
  await pay(5_000_000)
  expect(await budget()).toMatchObject({ used_budget: 20_000_000 })
  expect(bank.balance('alice')).toBe(30_000_000n)
})

it('a wallet gets a new budget every month', async () => {
  const { clock, pay, budget } = open()
  await pay(20_000_000)
  clock.jump(17 * 86_400_000)
  expect(await budget()).toMatchObject({ used_budget: 0, renews_at: Date.UTC(2030, 2, 1) / 1_000 })
  await pay(1_000)
  expect(await budget()).toMatchObject({ used_budget: 1_000 })
})
