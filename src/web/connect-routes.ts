import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { HttpProblem } from '../lib/http/http-server.ts'
import type { Html } from '../lib/web/html.ts'
import { formOf, readForms, refuseForeign, sendPage } from './forms.ts'
import { keepPrivate } from './private-pages.ts'
import { sessionCookie } from './session-cookie.ts'

/** The paths of the page and its parts. */
interface FormPage {
  readonly path: string
  /** The path at which the page asks whose wallet a link connects. */
  readonly whosePath: string
  readonly beginPath: string
  readonly reader: string
  readonly icon: string
  /** Whose wallet the link connects, according to its address. Only the page's words depend on this. */
  readonly whose?: 'member' | 'server'
  /** The member's language, according to the link's address. */
  readonly language?: string | undefined
}

interface WalletForm extends FormPage {
  readonly fields: URLSearchParams
  readonly begun: string | undefined
  readonly origin: string
  readonly acceptLanguage: string | undefined
}

/** The owner of the wallet that a link connects, in words, or the reason why the link does not work. */
type WhoseLink = { readonly account: string; readonly server: string | undefined } | { readonly problem: string }

/** The page on which a member connects a wallet, as the bot draws it. */
export interface ConnectPages {
  form(page: FormPage, acceptLanguage: string | undefined): Html
  whose(sent: WalletForm): Promise<WhoseLink>
  begin(sent: WalletForm): Promise<{ readonly begun?: string; readonly page: Html }>
  connect(sent: WalletForm): Promise<{ readonly done: boolean; readonly page: Html }>
}

export interface ConnectRoutes {
  readonly pages: ConnectPages
  /** The page's Content-Security-Policy. */
  readonly policy: string
  readonly clock: Clock
  /** The address at which browsers reach these routes, if it is known. */
  readonly publicUrl: string | undefined
}

const PATH = '/wallet/connect'
const PAGE: FormPage = {
  path: PATH,
  whosePath: `${PATH}/whose`,
  beginPath: `${PATH}/begin`,
  reader: `${PATH}/reader.js`,
  icon: `${PATH}/icon.svg`,
}
interface Asked {
  readonly for?: unknown
  readonly language?: unknown
}
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/
/** The limit for one IP address. It is low because each attempt calls a wallet. */
const REQUESTS_PER_SECOND = 2
const MAX_FORM_BYTES = 8 * 1_024
/** The lifetime of a link. */
const BEGUN_SECONDS = 15 * 60
const FOREIGN_FORM =
  'This form was not sent from the page that the link opens. Nothing was done. Open the link on Discord again.'

/** Returns the path of a link. The token follows `#`, which browsers send to nobody, so no proxy's log contains it. */
export function connectWalletPath(
  token: string,
  { whose, language }: { readonly whose?: 'server'; readonly language?: string } = {},
): string {
  const query = new URLSearchParams({ ...(whose && { for: whose }), ...(language && { language }) })
  return `${PATH}${query.size === 0 ? '' : `?${query}`}#${token}`
}

/** Adds `/wallet/connect`. No cache keeps the page, no referrer names it, and no site may frame it. */
export function addConnectRoutes(app: FastifyInstance, { pages, policy, clock, publicUrl }: ConnectRoutes): void {
  const cookie = sessionCookie(publicUrl, 'wallet-link')
  const read = (request: FastifyRequest): WalletForm => {
    refuseForeign(request, publicUrl, FOREIGN_FORM)
    const { origin = '', host = '', 'accept-language': acceptLanguage } = request.headers
    // The browser's address, which may differ from the public one. The browser keeps its cookie for this address alone.
    const here = [origin, publicUrl ?? '', `${request.protocol}://${host}`].find((each) => URL.canParse(each))
    if (here === undefined)
      throw new HttpProblem(
        400,
        'no_host',
        'This request does not name its host. Nothing was done. Open the link in a browser.',
      )
    return {
      ...PAGE,
      fields: formOf(request),
      begun: cookie.read(request),
      origin: new URL(here).origin,
      acceptLanguage,
    }
  }
  app.register(async (routes) => {
    readForms(routes, MAX_FORM_BYTES)
    keepPrivate(routes, { policy, requestsPerSecond: REQUESTS_PER_SECOND, clock })
    routes.get<{ Querystring: Asked }>(PATH, { exposeHeadRoute: false }, async ({ query, headers }, reply) => {
      const whose = query.for === 'server' ? 'server' : 'member'
      const language = LANGUAGE.exec(String(query.language))?.[0]
      return sendPage(reply, pages.form({ ...PAGE, whose, language }, headers['accept-language']))
    })
    routes.post(PAGE.whosePath, async (request, reply) => {
      const whose = await pages.whose(read(request))
      return reply.code('problem' in whose ? 400 : 200).send(whose)
    })
    routes.post(PAGE.beginPath, async (request, reply) => {
      const { begun, page } = await pages.begin(read(request))
      if (begun !== undefined) cookie.write(reply, begun, BEGUN_SECONDS)
      return sendPage(reply.code(begun === undefined ? 400 : 200), page)
    })
    routes.post(PATH, async (request, reply) => {
      const { done, page } = await pages.connect(read(request))
      if (done) cookie.write(reply, '', 0)
      return sendPage(reply.code(done ? 200 : 400), page)
    })
  })
  app.register(async (routes) => addFiles(routes))
}

/** Adds the files that the page loads, and the icon that a wallet app shows. */
function addFiles(routes: FastifyInstance): void {
  const files = [
    { path: PAGE.reader, type: 'text/javascript; charset=utf-8', file: createRequire(import.meta.url).resolve('jsqr') },
    { path: PAGE.icon, type: 'image/svg+xml', file: new URL('../lib/web/assets/icon.svg', import.meta.url) },
  ]
  for (const { path, type, file } of files) {
    const content = readFileSync(file)
    const headers = {
      'content-type': type,
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    }
    routes.get(path, async (_, reply) => reply.headers(headers).send(content))
  }
}
