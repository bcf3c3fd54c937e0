import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { addDraining } from '../lib/http/draining.ts'
import { listen } from '../lib/http/http-listen.ts'
import { createHttpServer, HttpProblem } from '../lib/http/http-server.ts'
import type { Logger } from '../lib/logger.ts'
import { isCallbackSecret, verifyCallback } from '../payments-api/payments-api.ts'
import type { Tipping } from '../tipping/tipping.ts'
import { addConnectRoutes, type ConnectPages } from './connect-routes.ts'
import type { Console } from './console/console.ts'
import { addConsole } from './console/routes.ts'
import { addDiscordEvents, type DiscordEvents } from './discord-events.ts'
import { addInteractions, type Interactions } from './interactions.ts'
import { addLinkedRoles, type LinkedRolesRoutes } from './linked-roles-routes.ts'
import { addMetrics, type MetricsOptions } from './metrics.ts'
import { addOperatorsPage, type OperatorsPage } from './operators-page/routes.ts'
import { addPayRoutes, type PayPages } from './pay-routes.ts'
import { addKeyedApi, type KeyedApiOptions } from './public-api/keyed-api.ts'
import { addPublicApi, type PublicApiOptions } from './public-api/public-api.ts'
import { addStatusRoutes, type StatusRoutes } from './status-routes.ts'

export { addConnectRoutes, type ConnectPages, connectWalletPath } from './connect-routes.ts'
export { type Access, BY_PASSWORD, type Console, READER, type ServiceAdministration } from './console/console.ts'
export { PasswordLock } from './console/password-lock.ts'
export type {
  FixedReason,
  SettingField,
  SettingsAdministration,
  SettingsChange,
  SettingsProposal,
  SettingsShown,
} from './console/settings.ts'
export { DISCORD_EVENTS_PATH, type DiscordEvents } from './discord-events.ts'
export { INTERACTIONS_PATH, type Interactions } from './interactions.ts'
export { LINKED_ROLES_CALLBACK, LINKED_ROLES_PATH, type LinkedRolesRoutes } from './linked-roles-routes.ts'
export { mentionedIn, type OperatorsFigures, type ServiceSide } from './operators-page/figures.ts'
export { type OperatorsPage, signInPath } from './operators-page/routes.ts'
export { addPayRoutes, type PayPages, payPath } from './pay-routes.ts'
export { publicApiDocument } from './public-api/document.ts'
export { type Choice, Conversation, createSetUpServer, type SetUpServer } from './set-up/set-up-server.ts'

/** Everything that operators have in a browser: figures and the console. */
export interface OperatorsPages {
  readonly page: OperatorsPage
  readonly console: Console
}

export interface WebServerOptions {
  readonly tipping: Pick<Tipping, 'hint'>
  /**
   * Resolves to the obstacle that keeps the bot from working, in words for people; undefined if there is none. Default:
   * `/ready` checks nothing.
   */
  readonly whyNotReady?: () => Promise<string | undefined>
  /** Whether the machine's clock is trusted. `/ready` says so if it is not. */
  readonly believesClock?: () => boolean
  /** The content of `/status`. Default: no such page. */
  readonly status?: Omit<StatusRoutes, 'clock'>
  /** Discord's interactions over HTTP. Default: Discord uses the gateway. */
  readonly interactions?: Interactions
  /** Handles Discord's reports about who installs the application. Default: the reports are not received. */
  readonly discordEvents?: DiscordEvents
  /** Operators' metrics. Default: no such route. */
  readonly metrics?: MetricsOptions
  /** Figures for everybody. Default: none. */
  readonly publicApi?: PublicApiOptions
  /** The interface for programs with servers' keys. Default: none. */
  readonly keyedApi?: KeyedApiOptions
  /** The pages on which people pay, with their Content-Security-Policy. Default: none. */
  readonly payPages?: { readonly pages: PayPages; readonly policy: string }
  /**
   * The page on which people connect a wallet, with its Content-Security-Policy and its address for browsers. Default:
   * none.
   */
  readonly connectPages?: {
    readonly pages: ConnectPages
    readonly policy: string
    readonly publicUrl: string | undefined
  }
  /** The pages for linked roles. Default: none. */
  readonly linkedRoles?: LinkedRolesRoutes | undefined
  /** The pages for operators, and the public address of this server, if any. */
  readonly operators?: { readonly pages: OperatorsPages; readonly publicUrl: string | undefined }
  /** Whether X-Forwarded-For is trusted, or the addresses of the proxies from which it is. */
  readonly trustProxy?: boolean | string
  /** 0 means any free port. */
  readonly port: number
  readonly host?: string
  /**
   * The provider's signing secrets (`whsec_…`), two during a rotation. Without secrets, only the secret address
   * distinguishes the provider from a stranger. In either case, nothing in a callback is trusted.
   */
  readonly signingSecrets?: readonly string[]
  readonly clock: Clock
  readonly logger: Logger
}

export interface WebServer {
  /** The address that the server listens on, such as `http://127.0.0.1:8788`. */
  readonly address: string
  /**
   * Makes `/ready` answer that the server is not ready, while the server still answers requests. Resolves after `ms`
   * milliseconds.
   */
  drain(ms: number): Promise<void>
  close(): Promise<void>
}

const MAX_BODY_BYTES = 64 * 1_024

/** Returns the path for callbacks about the record with this token. */
export function callbackPath(token: string): string {
  return `/callbacks/${token}`
}

/**
 * Receives the provider's callbacks and passes each on as a hint. It answers 2xx only after the hint is durable. It
 * credits nothing and trusts nothing: a forged callback gets a 401, and a callback for an unknown address a 404. A
 * replayed or late callback only makes tipping read the resource once more, which is harmless.
 */
export async function createWebServer(options: WebServerOptions): Promise<WebServer> {
  const { logger, clock, signingSecrets: secrets = [] } = options
  for (const secret of secrets) {
    if (!isCallbackSecret(secret)) throw new TypeError('a signing secret must have the form whsec_…')
  }
  const { trustProxy = false, publicApi, payPages } = options
  const app = createHttpServer({
    logger,
    clock,
    maxBodyBytes: MAX_BODY_BYTES,
    trustProxy,
    ...(payPages && {
      unknownPage: ({ headers }) => ({
        page: payPages.pages.missing(headers['accept-language']),
        policy: payPages.policy,
      }),
    }),
  })
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-content-type-options', 'nosniff'))
  keepTextOfBodies(app)
  const draining = addDraining(app, clock)
  app.get('/', async (_, reply) => reply.redirect(options.status ? '/status' : '/console', 303))
  // The address that a home server opens: its owner set Satchel up there.
  app.get('/setup', async (_, reply) => reply.redirect(options.operators ? '/console' : '/status', 303))
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', async () => {
    draining.assertNot()
    const why = await options.whyNotReady?.()
    if (why !== undefined) throw new HttpProblem(503, 'not_ready', why)
    // Not refused, because nothing expires by a doubted clock. If the database's server has the wrong clock, no bot
    // would be left.
    return { status: 'ready', ...(options.believesClock?.() === false && { clock: 'doubted' }) }
  })
  app.post('/callbacks/:token', async (request, reply) => {
    const { token } = request.params as { token: string }
    const body = typeof request.body === 'string' ? request.body : ''
    if (secrets.length > 0) authenticate(request, body, secrets, clock)
    const heard = await options.tipping.hint(token, parse(body))
    if (heard === 'unknown') {
      throw new HttpProblem(
        404,
        'not_found',
        'No callbacks are expected at this address. Send each callback to the callbackUrl of the request that it is about.',
      )
    }
    return reply.code(204).send()
  })
  if (options.interactions) addInteractions(app, options.interactions, clock)
  if (options.discordEvents) addDiscordEvents(app, options.discordEvents, clock)
  if (options.metrics) addMetrics(app, options.metrics)
  if (options.status) addStatusRoutes(app, { ...options.status, clock })
  if (options.payPages) addPayRoutes(app, { ...options.payPages, clock })
  if (options.connectPages) addConnectRoutes(app, { ...options.connectPages, clock })
  if (options.linkedRoles) addLinkedRoles(app, { ...options.linkedRoles, clock })
  if (options.operators) addOperatorsPages(app, options.operators.pages, options.operators.publicUrl)
  if (publicApi) addPublicApi(app, { ...publicApi, clock })
  if (options.keyedApi) addKeyedApi(app, { ...options.keyedApi, clock, logger })
  const address = await listen(app, options.port, options.host, 'CALLBACK_PORT')
  return { address, drain: (ms) => draining.begin(ms), close: () => app.close() }
}

/** Adds the operators' pages. `publicUrl` is where browsers reach these routes, if known. */
export function addOperatorsPages(app: FastifyInstance, pages: OperatorsPages, publicUrl: string | undefined): void {
  addOperatorsPage(app, pages.page, publicUrl)
  addConsole(app, pages.console, publicUrl)
}

/** Keeps the text of bodies. A signature covers the text as it arrived, so the text is not parsed before the check. */
function keepTextOfBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
}

/** Checks a callback's signature. A late callback is a valid hint if it is signed. */
function authenticate(request: FastifyRequest, body: string, secrets: readonly string[], clock: Clock): void {
  const verdict = verifyCallback({ headers: request.headers, body, secrets, clock })
  if (verdict.genuine || verdict.reason === 'stale') return
  const message =
    'The signature of this callback is missing or wrong. Compare the signing secrets of the bot and the payments service.'
  throw new HttpProblem(401, verdict.reason === 'unsigned' ? 'unsigned' : 'forged', message)
}

/** Parses the body as JSON; undefined if it is not JSON, which is a valid hint anyway. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
