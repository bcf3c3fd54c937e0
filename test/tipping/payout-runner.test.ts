import { beforeEach, expect, it } from 'vitest'
import type { OutgoingContext } from '../../src/tipping/engine/outgoing/outgoing.ts'
import { PayoutRunner } from '../../src/tipping/engine/payouts/payout-runner.ts'
import { ManualClock } from '../support/manual-clock.ts'

const clock = new ManualClock()
let runner: PayoutRunner
let named: string[]
let begun: number[]
let ends: (() => void)[]

beforeEach(() => {
  named = []
  begun = []
  ends = []
  const activity = {
    run(name: string, task: () => Promise<void>) {
      named.push(name)
      return task()
    },
  }
  const settings = { maxConcurrentPayouts: 2, payoutTimeoutMs: 1_000 }
  runner = new PayoutRunner(() => ({ clock, activity, settings }) as unknown as OutgoingContext)
})

/** Starts this many tasks, which run until they are ended. */
function runTasks(count: number): Promise<void> {
  const tasks = Array.from({ length: count }, () => () => {
    begun.push(begun.length)
    return new Promise<void>((resolve) => void ends.push(resolve))
  })
  return runner.run('payout', tasks)
}

const turns = () => new Promise((resolve) => setImmediate(resolve))

it('payouts are sent simultaneously up to a limit, and any more wait for a place', async () => {
  const ended = runTasks(5)
  for (const underway of [2, 3, 4, 5]) {
    await turns()
    expect(begun).toHaveLength(underway)
    ends.shift()?.()
  }
  for (const end of ends.splice(0)) end()
  await ended
  expect(named).toEqual(Array(5).fill('payout'))
  begun = []
  const later = runTasks(3)
  await turns()
  expect(begun).toHaveLength(2)
  for (let left = 3; left > 0; left -= 1) {
    ends.shift()?.()
    await turns()
  }
  await later
})

it('each payout that is started runs as a task with the name “payout”', async () => {
  await runner.start(['one', 'two'])
  expect(named).toEqual(['payout', 'payout'])
})

it('a failed payout frees its place in the runner', async () => {
  const failing = () => Promise.reject(new Error('lost'))
  await runner.run('payout', [failing, failing, failing])
  void runTasks(2)
  await turns()
  expect(begun).toHaveLength(2)
})

it('a command waits a limited time for its payouts, and not at all if none is sent', async () => {
  let told = false
  const waiting = runTasks(1).then(() => {
    told = true
  })
  await clock.advance(999)
  expect(told).toBe(false)
  await clock.advance(1)
  await waiting
  await runner.run('payout', [])
  expect(clock.pending).toBe(0)
})
