import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { settlements } from './backend-contract.ts'
import { ask, maxFee, open, payOutside, TEN_BTC, temporaryFile, timeoutMs } from './sandbox-world.ts'

describe('a restart of the sandbox', () => {
  it('preserves keys, balances, invoices, cursors and planned faults', async () => {
    const file = temporaryFile()
    const before = open({ file })
    const { invoice, paymentHash } = await before.backend.createInvoice(ask)
    await before.outside.pay(invoice)
    const [settled] = await settlements(before.backend, 1)
    const identity = [await before.backend.info(), before.outside.wallet()]
    before.setFault('fail')
    await before.close()
    const after = open({ file })
    expect([await after.backend.info(), after.outside.wallet()]).toEqual(identity)
    expect(await after.backend.lookUpInvoice(paymentHash)).toMatchObject({ state: 'settled' })
    expect(await settlements(after.backend, 1)).toEqual([settled])
    expect(await payOutside(after).outcome).toMatchObject({ state: 'failed' })
  })

  it('leaves a hanging payment pending until its release', async () => {
    const file = temporaryFile()
    const before = open({ file })
    before.setFault('hang')
    const { outcome, paymentHash, invoice } = payOutside(before)
    await before.close()
    expect(await outcome).toMatchObject({ state: 'unknown' })
    const after = open({ file })
    expect(await after.backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
    const again = after.backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })
    expect(after.release('settle')).toBe(1)
    expect(await again).toMatchObject({ state: 'paid' })
  })

  it('leaves a payment pending until its latency has passed', async () => {
    const file = temporaryFile()
    const clock = new ManualClock()
    const before = open({ file, clock, latencyMs: 1_000 })
    const { paymentHash } = payOutside(before)
    await before.close()
    const between = open({ file, clock, latencyMs: 1_000 })
    expect(await between.backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
    await between.close()
    await clock.advance(1_000)
    const after = open({ file, clock })
    expect(await after.backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'paid' })
  })

  it('loses no sat, even after a kill at a random moment', async () => {
    const file = temporaryFile()
    for (let round = 0; round < 2; round += 1) {
      const victim = spawn(process.execPath, [fileURLToPath(new URL('./killable-sandbox.ts', import.meta.url)), file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(victim, 'exit')
      await once(victim.stdout, 'data')
      victim.kill('SIGKILL')
      await exited
    }
    const network = open({ file })
    await network.close()
    const database = new Database(file)
    onTestFinished(() => void database.close())
    const sum = (sql: string) => BigInt((database.prepare(sql).pluck().get() as number | null) ?? 0)
    const lost =
      sum('SELECT sum(balance) FROM node') +
      sum(`SELECT sum(fee) FROM payment WHERE state = 'paid'`) +
      sum(`SELECT sum(amount + fee) FROM payment WHERE state = 'pending'`) -
      sats(100_000_000_000) -
      TEN_BTC
    expect(lost).toBe(0n)
    expect(sum(`SELECT count(*) FROM payment WHERE payer = 'ours'`)).toBeGreaterThan(10n)
    const arrived = sum(`SELECT count(*) FROM arrival`)
    expect(sum(`SELECT count(*) FROM payment WHERE state = 'paid'`)).toBe(arrived)
    expect(sum(`SELECT count(*) FROM invoice WHERE state = 'settled'`)).toBe(arrived)
  })
})
