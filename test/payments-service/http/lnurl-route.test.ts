import type { FastifyReply, FastifyRequest } from 'fastify'
import { beforeEach, expect, it } from 'vitest'
import { LedgerUnavailable } from '../../../src/ledger/ledger.ts'
import { ServiceRefusal } from '../../../src/payments-service/core/service-refusal.ts'
import { createLnurlRoute } from '../../../src/payments-service/engine/http/lnurl-route.ts'

const sent: { status: number; headers: Record<string, string> } = { status: 200, headers: {} }
beforeEach(() => Object.assign(sent, { status: 200, headers: {} }))

const reply = {
  header: (name: string, value: string) => Object.assign(sent.headers, { [name]: value }),
  code: (status: number) => Object.assign(sent, { status }) && reply,
  headers: (more: object) => Object.assign(sent.headers, more),
} as unknown as FastifyReply
const request = { ip: '203.0.113.7' } as FastifyRequest

/**
 * Resolves to the answer that a wallet reads when `error` is thrown by the requested work, by the limit, or by the
 * check of the wallet's IP address.
 */
function answerTo(error: unknown, by: 'work' | 'limit' | 'regions' = 'work'): Promise<object> {
  const thrower = (name: string) => () => {
    if (by === name) throw error
  }
  const route = createLnurlRoute({ take: thrower('limit') }, { admit: async () => thrower('regions')() })
  return route(request, reply, async () => {
    thrower('work')()
    return { tag: 'payRequest' }
  })
}

const LETS_BROWSERS_READ = { 'access-control-allow-origin': '*' }

it('the answer to a wallet’s LNURL request has headers that let browsers read it', async () => {
  const route = createLnurlRoute({ take: () => undefined }, { admit: async () => undefined })
  expect(await route(request, reply, async () => ({ tag: 'payRequest' }))).toEqual({ tag: 'payRequest' })
  expect(sent).toEqual({ status: 200, headers: LETS_BROWSERS_READ })
})

it.each(['work', 'regions'] as const)(
  'a refusal (by: %s) is reported in LNURL’s format with status 200',
  async (by) => {
    const refusal = new ServiceRefusal('still_running', 'Not yet.', { 'retry-after': '1' })
    expect(await answerTo(refusal, by)).toEqual({ status: 'ERROR', reason: 'Not yet.' })
    expect(sent).toEqual({ status: 200, headers: LETS_BROWSERS_READ })
  },
)

it('a refusal for too many requests has status 429 and LNURL’s format', async () => {
  const refusal = new ServiceRefusal('rate_limited', 'Too many.', { 'retry-after': '7' })
  expect(await answerTo(refusal, 'limit')).toEqual({ status: 'ERROR', reason: 'Too many.' })
  expect(sent).toEqual({ status: 429, headers: { ...LETS_BROWSERS_READ, 'retry-after': '7' } })
})

it('an answer in LNURL’s format claims that nothing happened only if that is certain', async () => {
  const broken = new Error('Connection terminated unexpectedly')
  expect(await answerTo(new LedgerUnavailable(broken))).toMatchObject({
    reason: expect.stringContaining('nothing happened'),
  })
  expect(await answerTo(broken)).toEqual({
    status: 'ERROR',
    reason: 'The service cannot look into its books right now. Check your wallet, and try again in a moment.',
  })
})

it('a bug is thrown instead of being reported as a refusal', async () => {
  const bug = new Error('a bug')
  await expect(answerTo(bug)).rejects.toBe(bug)
})
