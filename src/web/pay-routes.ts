import type { FastifyInstance } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { createAddressLimit } from '../lib/http/address-limit.ts'
import { HttpProblem } from '../lib/http/http-server.ts'
import type { Html } from '../lib/web/html.ts'
import { sendPage } from './forms.ts'

/** Pages on which people pay what a message asks for. */
export interface PayPages {
  show(card: string, acceptLanguage: string | undefined): Promise<{ readonly found: boolean; readonly page: Html }>
  /** Draws the page for an unknown address, in the reader's language. */
  missing(acceptLanguage: string | undefined): Html
  /** Resolves to a text that changes whenever the page does; undefined if there is no such page. */
  state(card: string): Promise<string | undefined>
}

export interface PayRoutes {
  readonly pages: PayPages
  /** The pages' Content-Security-Policy. */
  readonly policy: string
  readonly clock: Clock
}

/** The limit for one IP address. A page asks for its state every two seconds. */
const REQUESTS_PER_SECOND = 5

/** Returns the path of a card's page. */
export function payPath(card: string): string {
  return `/pay/${card}`
}

/** Adds `/pay/<card>` and its state. No cache keeps these pages, no referrer names them, and no site may frame them. */
export function addPayRoutes(app: FastifyInstance, { pages, policy, clock }: PayRoutes): void {
  const limit = createAddressLimit(clock, REQUESTS_PER_SECOND)
  app.register(async (routes) => {
    routes.addHook('onRequest', async (request, reply) => {
      reply.headers({
        'cache-control': 'no-store',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      })
      const wait = limit.take(request.ip)
      if (wait === 0) return
      const message = `Too many requests. Try again in ${wait} s.`
      throw new HttpProblem(429, 'rate_limited', message, { 'retry-after': String(wait) })
    })
    // Previews and scanners send a HEAD, which must not create an invoice.
    routes.get('/pay/:card', { exposeHeadRoute: false }, async (request, reply) => {
      const { card } = request.params as { card: string }
      const { found, page } = await pages.show(card, request.headers['accept-language'])
      return sendPage(reply.code(found ? 200 : 404), page)
    })
    routes.get('/pay/:card/state', async (request) => {
      const { card } = request.params as { card: string }
      const state = await pages.state(card)
      if (state === undefined)
        throw new HttpProblem(404, 'not_found', 'There is nothing to pay at this address. Check the link.')
      return { state }
    })
  })
}
