import type { FastifyInstance } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { createAddressLimit } from '../lib/http/address-limit.ts'
import { HttpProblem } from '../lib/http/http-server.ts'
import type { Html } from '../lib/web/html.ts'
import { sendPage } from './forms.ts'

/** Pages on which a payment can be made that a message asks for. */
export interface PayPages {
  show(card: string, acceptLanguage: string | undefined): Promise<{ readonly found: boolean; readonly page: Html }>
  /** The page of an address where there is nothing, in the reader's language. */
  missing(acceptLanguage: string | undefined): Html
  /** Changes with the page; undefined if there is no such page. */
  state(card: string): Promise<string | undefined>
}

export interface PayRoutes {
  readonly pages: PayPages
  /** The pages' Content-Security-Policy. */
  readonly policy: string
  readonly clock: Clock
}

/** Limit for one address: a page asks for its state every two seconds. */
const REQUESTS_PER_SECOND = 5

/** The path of a card's page. */
export function payPath(card: string): string {
  return `/pay/${card}`
}

/** Answers a browser with a page where a program gets an error's JSON: at addresses that nobody serves. */
export function addMissingPage(app: FastifyInstance, { pages, policy }: Omit<PayRoutes, 'clock'>): void {
  // No promise: this runs for each answer of the server.
  app.addHook('onSend', (request, reply, payload, done) => {
    const isUnknown = request.is404 && reply.statusCode === 404 && request.method === 'GET'
    if (!isUnknown || !request.headers.accept?.includes('text/html')) return done(null, payload)
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    done(null, pages.missing(request.headers['accept-language']).text)
  })
}

/** `/pay/<card>` and its state. Nothing is kept by caches, told to other sites, or shown inside them. */
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
    // A HEAD, which previews and scanners send, must not have an invoice made.
    routes.get('/pay/:card', { exposeHeadRoute: false }, async (request, reply) => {
      const { card } = request.params as { card: string }
      const { found, page } = await pages.show(card, request.headers['accept-language'])
      return sendPage(reply.code(found ? 200 : 404), page)
    })
    routes.get('/pay/:card/state', async (request) => {
      const { card } = request.params as { card: string }
      const state = await pages.state(card)
      if (state === undefined) throw new HttpProblem(404, 'not_found', 'There is nothing to pay at this address.')
      return { state }
    })
  })
}
