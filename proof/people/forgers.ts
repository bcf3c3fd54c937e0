import type { SimulatedRequest } from '../world/simulated-http.ts'
import { BOT_URL, Bug, SERVICE_URL } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

/** Outsiders who lie or request other people's resources: nothing may move, and nothing may break. */
export const forgers: Actor = {
  name: 'forgers',
  weight: 4,
  async act(stage) {
    const name = stage.chance.one(Object.keys(FORGERIES)) as keyof typeof FORGERIES
    const forged = FORGERIES[name](stage)
    if (forged === undefined) return
    const status = await stage.world.internet(forged.request).then(
      (reply) => reply.status,
      () => 'nobody there',
    )
    stage.note(`a forger tries ${name}: ${status}`)
    if (typeof status === 'number' && !forged.answers.includes(status))
      throw new Bug(`${name} was answered with ${status}`)
  },
}

interface Forgery {
  readonly request: SimulatedRequest
  /** The HTTP statuses that are permitted as answers. */
  readonly answers: readonly number[]
}

type Forge = (stage: Stage) => Forgery | undefined

const FORGERIES = {
  /** Returns a genuine callback to be repeated; a callback is only a hint. */
  'a callback again': (stage) => {
    const request = overheard(stage)
    return request && { request, answers: [204, 401] }
  },
  'a callback with another body': (stage) => {
    const request = overheard(stage)
    const body = JSON.stringify({ id: 'anything', status: 'completed', slots: 0, amount: '1000000000' })
    return request && { request: { ...request, body }, answers: [401] }
  },
  'a callback without a signature': (stage) => {
    const request = overheard(stage)
    return request && { request: { ...request, headers: { 'content-type': 'application/json' } }, answers: [401] }
  },
  "a callback at somebody else's address": (stage) => {
    const [request, other] = [overheard(stage), overheard(stage)]
    return request && other && { request: { ...request, url: other.url }, answers: [204, 401] }
  },
  'a callback at an address that was never given out': (stage) => {
    const request = overheard(stage)
    const url = new URL(`${BOT_URL}/callbacks/${stage.chance.bytes(32).toString('base64url')}`)
    return request && { request: { ...request, url }, answers: [404, 401] }
  },
  'a payment with a key that nobody has': (stage) => ({
    request: asking(stage, 'POST', '/v0/payments', 'a'.repeat(43)),
    answers: [401],
  }),
  "a look at the bot's charges with another project's key": (stage) => {
    const [charge] = stage.world.botBook.rows<{ chargeId: string }>(
      'SELECT "chargeId" FROM "Deposit" WHERE "chargeId" IS NOT NULL ORDER BY "createdAt" DESC LIMIT 1',
    )
    const { apiKey } = stage.world.projects.stranger
    return charge && { request: asking(stage, 'GET', `/v0/static-charges/${charge.chargeId}`, apiKey), answers: [404] }
  },
  "the end of the bot's deposit with another project's key": (stage) => {
    const [charge] = stage.world.botBook.rows<{ chargeId: string }>(
      'SELECT "chargeId" FROM "Deposit" WHERE "chargeId" IS NOT NULL ORDER BY "createdAt" DESC LIMIT 1',
    )
    const { apiKey } = stage.world.projects.stranger
    return (
      charge && { request: asking(stage, 'PATCH', `/v0/static-charges/${charge.chargeId}`, apiKey), answers: [404] }
    )
  },
} as const satisfies Record<string, Forge>

function overheard(stage: Stage): SimulatedRequest | undefined {
  const { overheard } = stage.world
  return overheard.length === 0 ? undefined : stage.chance.one(overheard)
}

function asking(stage: Stage, method: 'GET' | 'POST' | 'PATCH', path: string, apiKey: string): SimulatedRequest {
  const { invoice } = stage.world.sandbox.outside.createInvoice()
  const body = {
    GET: undefined,
    POST: JSON.stringify({ invoice, amount: '1000' }),
    PATCH: JSON.stringify({ allowedSlots: 0 }),
  }
  return {
    method,
    url: new URL(`${SERVICE_URL}${path}`),
    headers: { apikey: apiKey, 'content-type': 'application/json' },
    body: body[method],
  }
}
