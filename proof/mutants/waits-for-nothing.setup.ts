import { performance } from 'node:perf_hooks'
import { aroundEach } from 'vitest'

/**
 * A changed line often makes a test wait in vain. The wall clock shows that late, and on a busy machine a slow test
 * looks the same. So this counts how long the process had nothing to do.
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
