import { expect, it } from 'vitest'
import { createReplayKnowledge } from '../../src/assembly/replay-knowledge.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { clock, connect, eachTestHasAProvider, provider } from '../payments-api/client-world.ts'
import { json } from '../payments-api/loopback-provider.ts'

eachTestHasAProvider()

const decoded = { success: true, data: { amount: '0' } }
const replayed = json(200, decoded, { 'idempotency-replayed': 'true' })

it('a provider that was away, or said no, is asked again until it is known to replay', async () => {
  const knowledge = createReplayKnowledge({ clock, entropy: systemEntropy, logger: silentLogger })
  provider.answer(json(503, { success: false, message: 'Starting.', code: 'nothing_sent' }))
  await clock.advanceUntil(knowledge.learn(connect()), 5_000)
  expect(knowledge.known()).toBe(false)
  const no = json(404, { message: 'No such path.' })
  provider.answer(no)
  const asked = () => provider.seen.length
  const soFar = asked()
  await clock.advance(30_000)
  await expect.poll(asked).toBe(soFar + 2)
  expect(knowledge.known()).toBe(false)
  provider.answer(json(200, decoded), replayed)
  await expect.poll(() => clock.pending).toBeGreaterThan(0)
  await clock.advance(15 * 60_000)
  await expect.poll(() => knowledge.known()).toBe(true)
  knowledge.close()
})
