import type { FastifyInstance } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import type { Html } from '../lib/web/html.ts'
import { formOf, readForms, refuseForeign, sendPage } from './forms.ts'
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
const FOREIGN_FORM = 'This form was not sent from the page of the link. Nothing was done. Use /wallet on Discord.'

/** The path of a link. The token is behind `#`, which browsers send to nobody: no proxy's log contains it. */
export function connectWalletPath(token: string): string {
  return `${PATH}#${token}`
}

/** `/wallet/connect`. Nothing is kept by caches, told to other sites, or shown inside them. */
export function addWalletRoutes(app: FastifyInstance, { pages, policy, clock, publicUrl }: WalletRoutes): void {
  app.register(async (routes) => {
    readForms(routes, MAX_FORM_BYTES)
    keepPrivate(routes, { policy, requestsPerSecond: REQUESTS_PER_SECOND, clock })
    routes.get(PATH, { exposeHeadRoute: false }, async (request, reply) =>
      sendPage(reply, pages.form(PATH, request.headers['accept-language'])),
    )
    routes.post(PATH, async (request, reply) => {
      refuseForeign(request, publicUrl, FOREIGN_FORM)
      const sent = formOf(request)
      const { done, page } = await pages.connect({
        ...{ path: PATH, key: sent.get('key') ?? '', connection: sent.get('connection') ?? '' },
        acceptLanguage: request.headers['accept-language'],
      })
      return sendPage(reply.code(done ? 200 : 400), page)
    })
  })
}
