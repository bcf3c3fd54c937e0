import type { FastifyInstance } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { HttpProblem } from '../lib/http/http-server.ts'
import type { Html } from '../lib/web/html.ts'
import { isForeignForm } from '../lib/web/is-foreign-form.ts'
import { keepPrivate } from './private-pages.ts'

/** The page on which a member connects a wallet, as the bot draws it. */
export interface WalletPages {
  form(path: string, acceptLanguage: string | undefined): Html
  connect(sent: {
    readonly path: string
    readonly key: string
    readonly connection: string
    readonly acceptLanguage: string | undefined
  }): Promise<{ readonly done: boolean; readonly page: Html }>
}

export interface WalletRoutes {
  readonly pages: WalletPages
  /** The page's Content-Security-Policy. */
  readonly policy: string
  readonly clock: Clock
  /** Where browsers reach these routes, where known. */
  readonly publicUrl: string | undefined
}

const PATH = '/wallet/connect'
/** Of one address: each try asks a wallet. */
const REQUESTS_PER_SECOND = 2
const MAX_FORM_BYTES = 8 * 1_024

/** The path of a link. The token is behind `#`, which browsers send to nobody: no proxy's log contains it. */
export function connectWalletPath(token: string): string {
  return `${PATH}#${token}`
}

/** `/wallet/connect`. Nothing is kept by caches, told to other sites, or shown inside them. */
export function addWalletRoutes(app: FastifyInstance, { pages, policy, clock, publicUrl }: WalletRoutes): void {
  app.register(async (routes) => {
    routes.removeAllContentTypeParsers()
    const options = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const
    routes.addContentTypeParser('application/x-www-form-urlencoded', options, (_, body, done) => done(null, body))
    keepPrivate(routes, { policy, requestsPerSecond: REQUESTS_PER_SECOND, clock })
    routes.get(PATH, { exposeHeadRoute: false }, async (request, reply) => {
      const { text } = pages.form(PATH, request.headers['accept-language'])
      return reply.type('text/html; charset=utf-8').send(text)
    })
    routes.post(PATH, async (request, reply) => {
      if (isForeignForm(request.headers, publicUrl)) {
        const message = 'This form was not sent from the page of the link. Nothing was done. Use /wallet on Discord.'
        throw new HttpProblem(403, 'foreign_form', message)
      }
      const sent = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
      const { done, page } = await pages.connect({
        ...{ path: PATH, key: sent.get('key') ?? '', connection: sent.get('connection') ?? '' },
        acceptLanguage: request.headers['accept-language'],
      })
      return reply
        .code(done ? 200 : 400)
        .type('text/html; charset=utf-8')
        .send(page.text)
    })
  })
}
