import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { addStandstill, watchStandstill } from '../../src/lib/standstill.ts'
import { ManualClock } from '../support/manual-clock.ts'

it('a standstill is remembered for 1 to 2 minutes, and reported if it lasts a second', async () => {
  const clock = new ManualClock()
  const log: object[] = []
  const delays = {
    max: 10_000_000,
    reset() {
      this.max = 10_000_000
    },
  }
  const standstill = watchStandstill({ clock, logger: { error: (fields: object) => void log.push(fields) } }, delays)
  const registry = new Registry()
  addStandstill(registry, standstill)
  expect(standstill()).toBe(0)
  delays.max = 60_000_000
  expect(standstill()).toBe(50)
  await clock.advance(60_000)
  expect(standstill()).toBe(50)
  expect(await registry.metrics()).toContain('satchel_standstill_seconds 0.05')
  await clock.advance(60_000)
  expect([standstill(), log]).toEqual([0, []])
  delays.max = 1_010_000_000
  await clock.advance(60_000)
  expect([standstill(), log]).toEqual([1_000, [{ alert: 'standstill', ms: 1_000 }]])
})

it('a standstill of 30 ms is measured on the real event loop', async () => {
  const standstill = watchStandstill({ clock: new ManualClock(), logger: { error: () => undefined } })
  const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 1))
  // Each delay is noted by a timer after it, and counts from the one before: the first may be too early to be seen.
  while (standstill() < 30) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
    for (let turns = 0; turns < 20; turns += 1) await turn()
  }
  expect(standstill()).toBeGreaterThanOrEqual(30)
})
