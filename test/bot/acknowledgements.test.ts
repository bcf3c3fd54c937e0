import { expect, onTestFinished, test } from 'vitest'
import { createAcknowledgements } from '../../src/bot/interactions/acknowledgements.ts'
import { limitConcurrency } from '../../src/bot/transport/limit-concurrency.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { startLounge } from './lounge.ts'

/** Starts `count` acknowledgements, which the test ends one by one. */
function underWay(count: number) {
  const clock = new ManualClock()
  const acknowledgements = createAcknowledgements(clock)
  const deferred = Array.from({ length: count }, () => Promise.withResolvers<void>())
  const sent = deferred.map(({ promise }) => acknowledgements.send(() => promise))
  let drained = false
  void acknowledgements.drained().then(() => {
    drained = true
  })
  return { clock, deferred, sent, isDrained: () => drained }
}

test('answers do not wait while at most 32 acknowledgements are open', async () => {
  const { clock, isDrained } = underWay(32)
  await clock.advance(0)
  expect(isDrained()).toBe(true)
})

test('answers wait while more than 32 acknowledgements are open', async () => {
  const { clock, deferred, sent, isDrained } = underWay(34)
  const failing = expect(sent[0]).rejects.toThrow('refused')
  deferred[0]?.reject(new Error('refused'))
  await failing
  expect(isDrained()).toBe(false)
  deferred[1]?.resolve()
  await sent[1]
  await clock.advance(0)
  expect(isDrained()).toBe(true)
  expect(clock.pending).toBe(0)
})

test('an answer waits at most 2 seconds for the acknowledgements of other commands', async () => {
  const { clock, isDrained } = underWay(100)
  await clock.advance(1_999)
  expect(isDrained()).toBe(false)
  await clock.advance(1)
  expect(isDrained()).toBe(true)
})

test('a dry run precedes a command’s acknowledgement only while the bot is not busy', async () => {
  const acknowledgements = createAcknowledgements(new ManualClock())
  const dryRuns = Array.from({ length: 4 }, () => Promise.withResolvers<string>())
  const running = dryRuns.map(({ promise }) => acknowledgements.beforehand(() => promise))
  expect(acknowledgements.beforehand(async () => 'too much')).toBeUndefined()
  dryRuns[0]?.resolve('goes')
  expect(await running[0]).toBe('goes')
  const sent = Promise.withResolvers<void>()
  const sending = acknowledgements.send(() => sent.promise)
  expect(acknowledgements.beforehand(async () => 'too much')).toBeUndefined()
  sent.resolve()
  await sending
  expect(await acknowledgements.beforehand(async () => 'again')).toBe('again')
})

test('the commands of a burst begin only after all have been received', async () => {
  const acknowledgements = createAcknowledgements(new ManualClock())
  let begun = 0
  const commands = Array.from({ length: 100 }, async () => {
    await acknowledgements.heard()
    await acknowledgements.drained()
    begun += 1
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toBe(0)
  await Promise.all(commands)
  expect(begun).toBe(100)
})

test('commands over the concurrency limit wait in order, and a failure frees a place', async () => {
  const begun: number[] = []
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<string>())
  const limited = limitConcurrency(2, (index: number) => {
    begun.push(index)
    return gates[index]?.promise ?? Promise.resolve('')
  })
  const calls = [0, 1, 2, 3].map((index) => limited(index))
  expect(begun).toEqual([0, 1])
  const failing = expect(calls[1]).rejects.toThrow('broken')
  gates[1]?.reject(new Error('broken'))
  await failing
  expect(begun).toEqual([0, 1, 2])
  gates[0]?.resolve('first')
  expect(await calls[0]).toBe('first')
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2, 3])
  gates[2]?.resolve('third')
  gates[3]?.resolve('fourth')
  expect(await Promise.all(calls.slice(2))).toEqual(['third', 'fourth'])
})

test('the bot acknowledges 200 /tip commands before it runs any, and runs each once', async () => {
  // The clock is frozen, so that nobody is late because this machine is busy.
  const { alice, channels, settled, tipping, emulator } = await startLounge({ clock: new ManualClock() })
  const go = Promise.withResolvers<void>()
  tipping.before = go.promise
  onTestFinished(() => go.resolve())

  const tips = Array.from({ length: 200 }, () => alice.run(channels.tips, 'tip', { to: '@bob', amount: '1' }))
  const acknowledged = await Promise.all(tips.map((tip) => tip.acknowledged()))

  expect(acknowledged.filter(({ state }) => state !== 'deferred')).toEqual([])
  expect(emulator.requests().filter(({ path }) => path.startsWith('/webhooks/'))).toEqual([])
  go.resolve()
  const views = await Promise.all(tips.map((tip) => tip.answered()))
  await settled()
  expect(views.filter(({ state }) => state !== 'answered')).toEqual([])
  expect(tipping.asked).toHaveLength(200)
  expect(tips.flatMap((tip) => tip.messages())).toHaveLength(400)
})
