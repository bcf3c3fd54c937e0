import { performance } from 'node:perf_hooks'
import { aroundEach } from 'vitest'

/**
 * The longest time, in ms, that a process may be idle during a test. A changed line often makes a test wait in vain. By
 * the wall clock, such a test is noticed late, and on a busy machine it cannot be told from a slow test; idle time
 * distinguishes the two.
 */
const TIMEOUT_MS = 4_000
const LOOK_EVERY_MS = 250

// The originals, before a test replaces them.
const { setInterval, clearInterval } = globalThis

aroundEach(async (runTest) => {
  const begun = performance.eventLoopUtilization()
  const { promise: forever, reject } = Promise.withResolvers<never>()
  const watch = setInterval(() => {
    const { idle } = performance.eventLoopUtilization(begun)
    if (idle > TIMEOUT_MS) reject(new Error('it waits, and nothing happens'))
  }, LOOK_EVERY_MS)
  try {
    await Promise.race([runTest(), forever])
  } finally {
    clearInterval(watch)
  }
})
