import { expect, it } from 'vitest'
import { startWorker, type WorkerOptions } from '../../src/lib/worker.ts'
import { ManualClock } from '../support/manual-clock.ts'

const clock = new ManualClock()

/** Starts a worker each of whose rounds waits until the test ends it. */
function held(options: Partial<WorkerOptions> = {}) {
  const rounds: { readonly at: number; end(error?: Error): Promise<void> }[] = []
  const faults: unknown[] = []
  const start = clock.monotonic()
  let under = 0
  let closing: AbortSignal | undefined
  const worker = startWorker({
    clock,
    pauseMs: 1_000,
    failed: (error) => faults.push(error),
    async round(signal) {
      closing = signal
      under += 1
      expect(under).toBe(1)
      const ended = Promise.withResolvers<void>()
      const end = async (error?: Error) => {
        if (error === undefined) ended.resolve()
        else ended.reject(error)
        await clock.advance(0)
      }
      rounds.push({ at: clock.monotonic() - start, end })
      await ended.promise.finally(() => {
        under -= 1
      })
    },
    ...options,
  })
  const times = () => rounds.map(({ at }) => at)
  const end = (error?: Error) => rounds.at(-1)?.end(error)
  return { worker, rounds, times, end, faults, isClosing: () => closing?.aborted }
}

it('a worker pauses after the end of each round before it starts the next', async () => {
  const { worker, times, end } = held()
  await clock.advance(999)
  expect(times()).toEqual([])
  await clock.advance(1)
  await clock.advance(5_000)
  expect(times()).toEqual([1_000])
  await end()
  await clock.advance(1_000)
  expect(times()).toEqual([1_000, 7_000])
  await end()
  await worker.close()
})

it('a worker starts its first round immediately or after a given time', async () => {
  const atOnce = held({ firstInMs: 0 })
  expect(atOnce.times()).toEqual([0])
  const later = held({ firstInMs: 300 })
  await clock.advance(300)
  expect(later.times()).toEqual([300])
  for (const { end, worker } of [atOnce, later]) {
    await end()
    await worker.close()
  }
})

it('a worker that is woken several times during a round runs one more round', async () => {
  const { worker, times, end } = held({ pauseMs: Number.POSITIVE_INFINITY })
  worker.wake()
  worker.wake()
  await clock.advance(10)
  worker.wake()
  worker.wake()
  expect(times()).toEqual([0])
  await end()
  expect(times()).toEqual([0, 10])
  await end()
  await clock.advance(1_000_000)
  expect(times()).toEqual([0, 10])
  expect(clock.pending).toBe(0)
  await worker.close()
})

it('a worker wakes at the earliest requested time unless a round comes first', async () => {
  const { worker, times, end } = held({ pauseMs: Number.POSITIVE_INFINITY })
  worker.wakeIn(500)
  worker.wakeIn(200)
  worker.wakeIn(400)
  await clock.advance(200)
  expect(times()).toEqual([200])
  worker.wakeIn(100)
  await end()
  await clock.advance(100)
  expect(times()).toEqual([200, 300])
  await end()
  worker.wakeIn(700)
  worker.wake()
  await end()
  await clock.advance(10_000)
  expect(times()).toEqual([200, 300, 300])
  await worker.close()
})

it('a worker reports each failed round and counts failures in a row to set its pause', async () => {
  const asked: number[] = []
  const { worker, times, end, faults } = held({
    firstInMs: 0,
    pauseMs: async (failures) => {
      asked.push(failures)
      return 100 * (failures + 1)
    },
  })
  const faulty = new Error('the disk is full')
  await end(faulty)
  await clock.advance(200)
  await end(faulty)
  await clock.advance(300)
  await end()
  await clock.advance(100)
  expect({ asked, times: times(), faults }).toEqual({
    asked: [1, 2, 0],
    times: [0, 200, 500, 600],
    faults: [faulty, faulty],
  })
  await end()
  await worker.close()
})

it('a worker continues even if the length of a pause cannot be determined', async () => {
  const faulty = new Error('no answer')
  const { worker, times, end, faults } = held({ firstInMs: 0, pauseMs: () => Promise.reject(faulty) })
  await end()
  await clock.advance(1_000)
  expect({ times: times(), faults }).toEqual({ times: [0, 1_000], faults: [faulty] })
  await end()
  await worker.close()
})

it('a closing worker tells its round to end, waits for that and starts no new round', async () => {
  const { worker, times, end, isClosing } = held({ firstInMs: 0 })
  worker.wake()
  let idle = false
  const closed = worker.close().then(() => {
    idle = true
  })
  await clock.advance(0)
  expect({ idle, closing: isClosing() }).toEqual({ idle: false, closing: true })
  await end()
  await closed
  worker.wake()
  worker.wakeIn(0)
  await clock.advance(100_000)
  expect({ times: times(), pending: clock.pending }).toEqual({ times: [0], pending: 0 })
})

it('a worker becomes idle when its running round ends', async () => {
  const { worker, end } = held({ firstInMs: 0 })
  let idle = false
  const waiting = worker.idle().then(() => {
    idle = true
  })
  await clock.advance(10)
  expect(idle).toBe(false)
  await end()
  await waiting
  await worker.close()
})
