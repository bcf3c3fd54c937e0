import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { createGuardedFetch } from '../../lib/http/guarded-fetch.ts'
import { HttpProblem } from '../../lib/http/http-server.ts'
import { written } from './books.ts'
import type { PageWorld } from './page-world.ts'
import { readPaymentCode } from './payment-code.ts'
import { askingPerson, bodyOf, inWords, segment } from './request.ts'

const msats = z
  .string()
  .regex(/^[1-9]\d{0,17}$/, 'must be a whole number of msats, as text')
  .transform(BigInt)
const code = z.string().trim().min(1).max(8_192)

/**
 * After how many milliseconds a misbehaving payment ends: late enough for people to see "on its way" first. Failures
 * come immediately, and hanging payments last until a person releases them.
 */
const DELAY_MS: Readonly<Record<string, number>> = { 'unknown-then-paid': 15_000, 'unknown-then-failed': 15_000 }

export interface PhoneOptions {
  readonly clock: Clock
  readonly onPartsChanged: () => void
}

/**
 * Serves the outside wallet, the simulated faults of payments, and the switches that stop and start bot and service.
 */
export function servePhone(app: FastifyInstance, world: PageWorld, options: PhoneOptions): void {
  const { emulator, phone } = world
  const fetch = createGuardedFetch({ allowLoopback: true, clock: options.clock })
  app.addHook('onClose', () => fetch.close())

  app.get('/api/phone', () =>
    inWords(async () => written({ ...(await phone.wallet()), history: await phone.history() })),
  )

  app.post('/api/phone/read', async (request) => {
    askingPerson(request, emulator)
    const { text } = bodyOf(request, z.object({ text: code }))
    return written(await inWords(() => readPaymentCode(text, fetch, options.clock.now())))
  })

  app.post('/api/phone/pay', async (request) => {
    askingPerson(request, emulator)
    const shape = z.object({ text: code, amount: msats.optional(), comment: z.string().max(1_000).optional() })
    const { text, amount, comment } = bodyOf(request, shape)
    return written(await inWords(() => phone.pay(text, amount, comment)))
  })

  app.post('/api/phone/claim', async (request) => {
    askingPerson(request, emulator)
    const { text } = bodyOf(request, z.object({ text: code }))
    return written(await inWords(() => phone.claim(text)))
  })

  app.post('/api/phone/invoice', async (request) => {
    askingPerson(request, emulator)
    const shape = z.object({ amount: msats.optional(), description: z.string().max(639).optional() })
    const { amount, description } = bodyOf(request, shape)
    return await inWords(() => phone.invoice(amount, description))
  })

  serveMisbehaviour(app, world)
  serveParts(app, world, options.onPartsChanged)
}

function serveMisbehaviour(app: FastifyInstance, { emulator, phone }: PageWorld): void {
  app.post('/api/phone/misbehave', async (request, reply) => {
    askingPerson(request, emulator)
    const next = z.enum(['fail', 'hang', 'unknown-then-paid', 'unknown-then-failed'])
    const body = bodyOf(request, z.object({ next, delayMs: z.int().min(0).max(600_000).optional() }))
    const delayMs = body.delayMs ?? DELAY_MS[body.next]
    await inWords(() => phone.misbehave(body.next, { times: 1, ...(delayMs === undefined ? {} : { delayMs }) }))
    return reply.code(204).send()
  })

  app.post('/api/phone/release', async (request) => {
    askingPerson(request, emulator)
    const { outcome } = bodyOf(request, z.object({ outcome: z.enum(['settle', 'fail']) }))
    return { released: await inWords(() => phone.release(outcome)) }
  })

  app.post('/api/phone/lose-callbacks', async (request, reply) => {
    askingPerson(request, emulator)
    const { count } = bodyOf(request, z.object({ count: z.int().min(1).max(100) }))
    phone.loseCallbacks(count)
    return reply.code(204).send()
  })
}

function serveParts(app: FastifyInstance, world: PageWorld, onChanged: () => void): void {
  app.post('/api/parts/:part/:action', async (request, reply) => {
    askingPerson(request, world.emulator)
    const name = segment(request, 'part')
    const part = { bot: world.bot, service: world.service }[name]
    const action = segment(request, 'action')
    if (part === undefined || !['kill', 'start'].includes(action)) {
      throw new HttpProblem(404, 'unknown_part', 'The parts that can be killed and started are "bot" and "service".')
    }
    if (action === 'kill' && part.running) await part.kill()
    if (action === 'start' && !part.running) await part.start()
    onChanged()
    return reply.code(204).send()
  })
}
