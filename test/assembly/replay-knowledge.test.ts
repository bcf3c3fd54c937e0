import { expect, it } from 'vitest'
import { createReplayKnowledge } from '../../src/assembly/replay-knowledge.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { PaymentsError } from '../../src/payments-api/payments-api.ts'
import { clock, connect, eachTestHasAProvider, provider } from '../payments-api/client-world.ts'
import { json, refusal, reset } from '../payments-api/loopback-provider.ts'

eachTestHasAProvider()

const decoded = { success: true, data: { amount: '0' } }
const fresh = json(200, decoded)
const replayed = json(200, decoded, { 'idempotency-replayed': 'true' })
/** The answer of a provider that remembers keys to a different request with a used key. */
const remembered = refusal(409, 'idempotency_key_reused')

it('the bot keeps asking about replay until the provider shows that it replays', async () => {
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

it('a bot that cannot ask about replay at its start asks before its first request', async () => {
  const knowledge = createReplayKnowledge({ clock, entropy: systemEntropy, logger: silentLogger })
  const away = json(503, { success: false, message: 'Starting.', code: 'nothing_sent' })
  provider.answer(away)
  await clock.advanceUntil(knowledge.learn(connect()), 5_000)
  await expect(clock.advanceUntil(knowledge.asked(), 5_000)).rejects.toThrow(PaymentsError)
  expect(knowledge.known()).toBe(false)
  provider.answer(fresh, replayed)
  await Promise.all([knowledge.asked(), knowledge.asked()])
  expect(knowledge.known()).toBe(true)
  const asked = provider.seen.length
  await knowledge.asked()
  expect(provider.seen).toHaveLength(asked)
  knowledge.close()
})

it('the bot asks about replay again if a request with an old key gets no answer', async () => {
  const kept = ['lost', 'kept']
  const knowledge = createReplayKnowledge({ clock, entropy: systemEntropy, logger: silentLogger })
  provider.answer(json(503, { success: false, message: 'Starting.', code: 'nothing_sent' }))
  await clock.advanceUntil(knowledge.learn(connect()), 5_000)
  await knowledge.takeUp({
    read: async () => [...kept],
    take: async (key) => kept.splice(kept.indexOf(key), 1).length > 0,
    add: async (keys) => void kept.push(...keys),
    startOver: async () => expect.fail('nothing was forgotten'),
  })
  provider.answer(fresh, replayed, reset)
  await expect(knowledge.asked()).rejects.toThrow(PaymentsError)
  expect(knowledge.known()).toBe(false)
  const spares = Array.from({ length: 4 }, () => [fresh, replayed]).flat()
  provider.answer(...spares, remembered)
  await knowledge.asked()
  expect(knowledge.known()).toBe(true)
  knowledge.close()
})

it('a provider that forgets an old key is not trusted until it shows that it replays', async () => {
  const knowledge = createReplayKnowledge({ clock, entropy: systemEntropy, logger: silentLogger })
  provider.answer(fresh, replayed)
  await clock.advanceUntil(knowledge.learn(connect()), 5_000)
  const keyOf = (request: (typeof provider.seen)[number] | undefined) => request?.headers['idempotency-key']
  await clock.advance(10_000)
  provider.answer(replayed, replayed, remembered)
  expect(await knowledge.confirm()).toBe(true)
  expect(keyOf(provider.seen.at(-1))).toBe(keyOf(provider.seen[0]))
  await clock.advance(10_000)
  provider.answer(fresh)
  expect(await knowledge.confirm()).toBe(false)
  expect(knowledge.known()).toBe(false)
  provider.answer(fresh, replayed)
  await clock.advance(15 * 60_000)
  await expect.poll(() => knowledge.known()).toBe(true)
  expect(keyOf(provider.seen.at(-1))).not.toBe(keyOf(provider.seen[0]))
  knowledge.close()
})

it('a provider that does not notice the reuse of an old key counts as forgetful', async () => {
  const knowledge = createReplayKnowledge({ clock, entropy: systemEntropy, logger: silentLogger })
  provider.answer(fresh, replayed)
  await clock.advanceUntil(knowledge.learn(connect()), 5_000)
  await clock.advance(10_000)
  for (const forgotten of [replayed, fresh, refusal(400, 'invalid_invoice')]) {
    provider.answer(fresh, replayed, forgotten)
    expect(await knowledge.confirm()).toBe(false)
    // From here on, it has proven its replay again.
    expect(knowledge.known()).toBe(true)
    await clock.advance(10_000)
  }
  const [first, last] = [provider.seen[0], provider.seen.at(-1)]
  expect(JSON.parse(last?.body ?? '').invoice).not.toBe(JSON.parse(first?.body ?? '').invoice)
  knowledge.close()
})

it('a key whose request got no answer is not used for later checks of replay', async () => {
  const knowledge = createReplayKnowledge({ clock, entropy: systemEntropy, logger: silentLogger })
  provider.answer(fresh, replayed)
  await clock.advanceUntil(knowledge.learn(connect()), 5_000)
  const keys = () => provider.seen.map((request) => request.headers['idempotency-key'])
  const kept = [...new Set(keys())]
  expect(kept.length).toBeGreaterThan(1)
  await clock.advance(10_000)
  for (const old of kept) {
    provider.answer(fresh, replayed, reset)
    await expect(knowledge.confirm()).rejects.toThrow(PaymentsError)
    expect(keys().at(-1)).toBe(old)
  }
  const before = keys().length
  provider.answer(fresh, replayed)
  expect(await knowledge.confirm()).toBe(false)
  for (const old of kept) expect(keys().slice(before)).not.toContain(old)
  expect(knowledge.known()).toBe(true)
  knowledge.close()
})

it('an outage uses up no key, and afterwards the provider shows that it replays', async () => {
  const knowledge = createReplayKnowledge({ clock, entropy: systemEntropy, logger: silentLogger })
  provider.answer(fresh, replayed)
  await clock.advanceUntil(knowledge.learn(connect()), 5_000)
  await clock.advance(10_000)
  for (let outage = 0; outage < 5; outage += 1) {
    provider.answer(reset)
    await expect(knowledge.confirm()).rejects.toThrow(PaymentsError)
  }
  provider.answer(fresh, replayed, remembered)
  expect(await knowledge.confirm()).toBe(true)
  knowledge.close()
})

it('a key that another bot has used is skipped, and the check uses the next key', async () => {
  const kept = ['taken-by-another', 'of-our-own']
  const knowledge = createReplayKnowledge({ clock, entropy: systemEntropy, logger: silentLogger })
  provider.answer(fresh, replayed)
  await clock.advanceUntil(knowledge.learn(connect()), 5_000)
  await clock.advance(10_000)
  const before = provider.seen.length
  provider.answer(remembered)
  await knowledge.takeUp({
    read: async () => [...kept],
    async take(key) {
      kept.splice(kept.indexOf(key), 1)
      return key === 'of-our-own'
    },
    add: async (keys) => void kept.push(...keys),
    startOver: async () => expect.fail('nothing was forgotten'),
  })
  const asked = provider.seen.slice(before).map((request) => request.headers['idempotency-key'])
  expect(asked).toContain('of-our-own')
  expect(asked).not.toContain('taken-by-another')
  expect(knowledge.known()).toBe(true)
  knowledge.close()
})
