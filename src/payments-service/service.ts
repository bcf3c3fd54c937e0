import type { FastifyInstance } from 'fastify'
import { createLedger, type Ledger } from '../ledger/ledger.ts'
import { BookClock } from '../lib/book-clock.ts'
import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'
import { addDraining } from '../lib/http/draining.ts'
import { createGuardedFetch, type GuardedFetch } from '../lib/http/guarded-fetch.ts'
import { listen } from '../lib/http/http-listen.ts'
import { createHttpServer } from '../lib/http/http-server.ts'
import type { Logger } from '../lib/logger.ts'
import { createPublisher, type PublishEvents } from '../lib/nostr/publish-event.ts'
import type { LastOwner, OwnershipTimes } from '../lib/ownership/ownership.ts'
import { PriceSource } from '../lib/prices/price-source.ts'
import type { Standstill } from '../lib/standstill.ts'
import type { Worker } from '../lib/worker.ts'
import { startAskingForPrices } from './ask-for-prices.ts'
import type { LightningBackend } from './backends/backend.ts'
import { sandboxRoutes } from './backends/sandbox/routes.ts'
import type { SandboxNetwork } from './backends/sandbox/sandbox-network.ts'
import { CHART } from './core/chart-of-accounts.ts'
import { openPaymentsDatabase, type PaymentsDatabase, type Tx } from './core/database.ts'
import { createTellOperators, type TellOperators } from './core/operator-alerts.ts'
import { createServiceOwnership, type ServiceOwnership } from './core/ownership.ts'
import { createRegions } from './core/regions.ts'
import type { ServiceSettings } from './core/settings.ts'
import { addDocsPage, UNKNOWN_PAGE } from './docs-page/docs-page.ts'
import { createAuthentication } from './engine/http/authentication.ts'
import { createIdempotency, type Idempotency } from './engine/http/idempotency.ts'
import { createLnurlRoute } from './engine/http/lnurl-route.ts'
import { addOperationRoutes, type Callers, type RouteParts } from './engine/http/routes.ts'
import { addSecurityHeaders, secure } from './engine/http/security-headers.ts'
import { createInvoiceLookUps } from './engine/invoices/invoice-look-ups.ts'
import { createAddressRateLimit, createRateLimit } from './engine/limits/rate-limit.ts'
import { createWrongCodes } from './engine/limits/wrong-codes.ts'
import { createNameDirectory } from './engine/names/gamertags.ts'
import { type BookBackend, createBookBackend, createNetworkOfBook } from './engine/node/book-node.ts'
import { NodeWatch } from './engine/node/node-watch.ts'
import { type CallbackWays, createCallbackWays, type IsOwnCallback } from './engine/outbox/callback-ways.ts'
import { type Outbox, startOutbox } from './engine/outbox/outbox.ts'
import { createSender } from './engine/sending/sender.ts'
import type { ServiceParts } from './engine/service-parts.ts'
import { createZaps, type Zaps } from './engine/zaps/zaps.ts'
import { createServiceFeed, type ServiceFeed } from './events/event-feed.ts'
import { addEventRoute } from './events/event-route.ts'
import { startForgetting } from './forgetting.ts'
import { addMetadataRoute } from './log-in/metadata-route.ts'
import { addTokenRoute } from './log-in/token-route.ts'
import { createMetrics } from './monitoring/metrics.ts'
import { addMonitoring } from './monitoring/monitoring.ts'
import { watchCover } from './node-audit/watch-cover.ts'
import { implementations } from './operations/implementations.ts'
import { startInvoiceSweeper } from './receiving/invoice-sweeper.ts'
import { addLnurlPayRoutes } from './receiving/lnurl-pay-routes.ts'
import { startSettlementConsumer } from './receiving/settlement-consumer.ts'
import { startTellingOfGiven } from './receiving/tell-of-given-suspense.ts'
import { addVerifyRoute } from './receiving/verify-route.ts'
import { startTimekeeping, timeOfBook } from './timekeeping.ts'
import { startVoucherExpiry } from './vouchers/expire-vouchers.ts'
import { addVoucherRoutes } from './vouchers/voucher-routes.ts'
import type { HeldAtBot } from './wallet-page/page-request.ts'
import { createWalletPage } from './wallet-page/wallet-page.ts'
import { startWithdrawalExpiry } from './withdrawal-requests/expire-withdrawal-requests.ts'
import { addWithdrawalRoutes } from './withdrawal-requests/withdrawal-routes.ts'

export { DEFAULT_SETTINGS, type ServiceSettings } from './core/settings.ts'
export type { ServiceParts } from './engine/service-parts.ts'

export interface ServiceOptions {
  /** The database, as `file:` and a path, or already open; then the caller that opened it closes it. */
  readonly database: string | PaymentsDatabase
  /** The Lightning node. The caller that created this backend closes it, after the service. */
  readonly backend: LightningBackend
  /** The sandbox, if it is the backend, and the token with which callers may use the sandbox's control routes. */
  readonly sandbox?: { readonly network: SandboxNetwork; readonly token: string }
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
  readonly settings: ServiceSettings
  /**
   * The port; 0 for any free port. Null if the service does not listen, and is called only through `inject`, with
   * `publicUrl` as the service's address.
   */
  readonly port: number | null
  /** The address to listen on; by default, loopback. */
  readonly host?: string
  /** This service's name among the services on the book, for the metrics. */
  readonly instance?: string
  /** Returns the longest time for which the process did not respond lately, for the metrics. */
  readonly standstill?: Standstill
  /** How long, before a stop, `/ready` refuses while the service still answers; by default, 0. */
  readonly drainMs?: number
  /**
   * True if no other process uses this database, because this process holds the lock; then the work that an earlier
   * service left is taken up immediately. By default, other processes may use the database, and own their work until
   * they are gone.
   */
  readonly alone?: boolean
  /**
   * Whether to compare the clock with the database server's, if there is one. By default, the clocks are not compared,
   * as in tests that control the clock.
   */
  readonly comparesClocks?: boolean
  /**
   * How often processes show that they are alive, and when a silent process counts as gone, if several may use this
   * database.
   */
  readonly ownershipTimes?: OwnershipTimes
  /** The previous process, if it is known to be dead, and the place where this process is noted for the next. */
  readonly lastOwner?: LastOwner | undefined
  /** The check that runs before anything else in the book is used. It throws if this is not the intended book. */
  readonly checkBook?: ((database: PaymentsDatabase) => Promise<void>) | undefined
  /** Adds the routes of other parts, before the service listens. */
  readonly addRoutes?: (app: FastifyInstance) => void
  /** Receives operators' alerts, in addition to the log. */
  readonly onAlert?: TellOperators
  /** The time limit for a whole request to arrive, headers and body; by default, 10 s. */
  readonly bodyTimeoutMs?: number
  /** Whether a callback is for a bot beside the service, and so may go to this machine regardless of the settings. */
  readonly isOwnCallback?: IsOwnCallback
  /** Returns the project of a bot beside the service, whose name public pages bear. */
  readonly ownProject?: () => string | undefined
  /** Returns users' balances at a bot beside the service, for the wallet page. */
  readonly heldAtBot?: HeldAtBot
  /** Ways out other than the Internet. The caller that created them closes them. */
  readonly outgoing?: {
    readonly callbacks: GuardedFetch
    readonly strangers: GuardedFetch
    /** The way to Nostr relays. */
    readonly publish?: PublishEvents
  }
}

export interface Service {
  /** The address on which the service listens, such as `http://127.0.0.1:8787`. */
  readonly url: string
  /** Calls the service without a network. */
  readonly inject: FastifyInstance['inject']
  /** The service's dependencies, for administration in the same process and for tests. */
  readonly parts: ServiceParts
  /** Finishes running work, and leaves the rest to the next start. */
  close(): Promise<void>
}

/**
 * Starts the payments service: the operations of the interface over HTTP, the public LNURL routes, and its workers.
 * Throws DatabaseProblem, NodeMismatch, HttpPortTaken, or an Error whose message explains the problem.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { database: where, clock, logger, settings } = options
  const database = await openBook(options)
  const metrics = createMetrics(clock, options)
  const book = { database, chart: CHART, clock, onBatch: metrics.observeBatch }
  const ledger = createLedger<Tx, PaymentsDatabase['write']>(book)
  const { fetch, callbacks, close: closeWays } = openWays(options)
  const { entropy, alone = false, ownershipTimes: times, lastOwner: last } = options
  const commit: typeof ledger.commit = (change) => ledger.commit(change)
  const ownership = createServiceOwnership({ database, commit, clock, entropy, logger, alone, times, last })
  const outbox = startOutbox({ database, ledger, ownership, clock, logger }, callbacks)
  const events = createServiceFeed({ database, clock, logger })
  const address = { url: '' }
  const backend = createBookBackend(options.backend, { database, ledger, clock, logger })
  const parts = assemble(options, { database, ledger, ownership, outbox, events, address, backend, fetch, callbacks })
  const idempotency = createIdempotency(parts)
  const wallet = createWalletPage(parts, idempotency, options.heldAtBot)
  const { bodyTimeoutMs } = options
  const app = createHttpServer({
    logger,
    clock,
    trustProxy: settings.trustProxy,
    answerOddAddress: (problem, request, reply) => {
      secure(parts, request, reply)
      if (!wallet.tell(problem, request, reply)) reply.code(problem.status).send(problem.toBody())
    },
    unknownPage: () => UNKNOWN_PAGE,
    ...(bodyTimeoutMs !== undefined && { bodyTimeoutMs }),
  })
  const draining = addDraining(app, clock)
  const workers: Worker[] = [outbox, parts.sender]
  const close = async () => {
    logger.info('the payments service stops')
    await draining.begin(address.url === '' ? 0 : (options.drainMs ?? 0))
    await app.close()
    for (const worker of [...workers].reverse()) await worker.close()
    await ownership.close()
    await ledger.close()
    await closeWays()
    if (typeof where === 'string') await database.close()
    logger.info('the payments service has stopped')
  }
  try {
    await parts.bookClock.load(timeOfBook(parts, options.comparesClocks ? database.serverTime : undefined))
    // Only with the book's node: a service that is refused must not take over from another.
    await backend.start()
    await ownership.start()
    outbox.wake()
    if (settings.enforceRegions || settings.regionDatabase !== undefined) await parts.regions.load()
    addSecurityHeaders(app, parts)
    const callers: Callers = new WeakMap()
    addMonitoring(app, parts, { metrics, callers, draining })
    addOperations(app, parts, { idempotency, callers }, events)
    addPublicRoutes(app, parts)
    wallet.addTo(app)
    addDocsPage(app, parts)
    await addRoutesBeside(app, options, () => [parts.publicUrl, address.url].filter(Boolean))
    if (options.port === null) await app.ready()
    else address.url = await listen(app, options.port, options.host, 'SERVICE_PORT')
    workers.push(...startWorkers(parts, idempotency))
    await parts.sender.start()
    logger.info({ url: address.url }, 'the payments service listens')
    return { url: address.url, inject: app.inject.bind(app), parts, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openBook({ database: where, checkBook }: ServiceOptions): Promise<PaymentsDatabase> {
  const database = typeof where === 'string' ? await openPaymentsDatabase(where) : where
  try {
    await checkBook?.(database)
    return database
  } catch (error) {
    if (typeof where === 'string') await database.close()
    throw error
  }
}

/** Creates the ways out: one to addresses that strangers supply, and one for callbacks. */
function openWays({ settings, clock, outgoing, isOwnCallback: isOwn }: ServiceOptions) {
  const fetch = outgoing?.strangers ?? createGuardedFetch({ allowLoopback: settings.outgoingAllowLoopback, clock })
  const callbacks = createCallbackWays(settings, clock, { outgoing: outgoing?.callbacks, isOwn })
  const close = async () => {
    await callbacks.close()
    if (outgoing === undefined) await fetch.close()
  }
  return { fetch, callbacks, close }
}

async function addRoutesBeside(
  app: FastifyInstance,
  { sandbox, addRoutes }: ServiceOptions,
  ownUrls: () => readonly string[],
): Promise<void> {
  if (sandbox !== undefined) await app.register(sandboxRoutes(sandbox.network, { token: sandbox.token, ownUrls }))
  addRoutes?.(app)
}

/** Starts the service's workers. */
function startWorkers(parts: ServiceParts, idempotency: Idempotency): Worker[] {
  parts.nodeWatch.start()
  parts.zaps.start()
  return [
    parts.nodeWatch,
    parts.zaps,
    watchCover(parts),
    startSettlementConsumer(parts),
    startInvoiceSweeper(parts),
    startTellingOfGiven(parts),
    startTimekeeping(parts),
    startForgetting(parts, idempotency),
    startWithdrawalExpiry(parts),
    startVoucherExpiry(parts),
    ...(parts.prices.configured ? [startAskingForPrices(parts)] : []),
  ]
}

function addOperations(
  app: FastifyInstance,
  parts: ServiceParts,
  { idempotency, callers }: Pick<RouteParts, 'idempotency' | 'callers'>,
  events: ServiceFeed,
): void {
  const { clock, settings } = parts
  const routes: RouteParts = {
    parts,
    authentication: createAuthentication(parts, createAddressRateLimit(clock, settings.publicRequestsPerSecond)),
    idempotency,
    callers,
    rateLimit: createRateLimit(clock, settings.requestsPerSecond),
    implementations,
  }
  addOperationRoutes(app, routes)
  addEventRoute(app, routes, events)
}

/** Adds the routes that need no API key. */
function addPublicRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const route = createLnurlRoute(
    createAddressRateLimit(parts.clock, parts.settings.publicRequestsPerSecond),
    parts.regions,
  )
  addLnurlPayRoutes(app, parts, route)
  addVerifyRoute(app, parts, route)
  addWithdrawalRoutes(app, parts, route)
  addVoucherRoutes(app, parts, route)
  addMetadataRoute(app, parts)
  addTokenRoute(app, parts, createAddressRateLimit(parts.clock, parts.settings.publicRequestsPerSecond))
}

/**
 * Assembles the parts that operations, routes and workers share. `address.url` is known as soon as the server listens.
 */
function assemble(options: ServiceOptions, assembled: Assembled): ServiceParts {
  const { database, outbox, events, ledger, ownership, address, backend, fetch, callbacks } = assembled
  const { clock, entropy, logger, settings } = options
  const tell = createTellOperators({ logger, clock }, options.onAlert)
  const bookClock = new BookClock(clock)
  const publish = options.outgoing?.publish ?? createPublisher({ clock, allowLoopback: settings.outgoingAllowLoopback })
  const zaps = createZaps({ database, ledger, ownership, clock, entropy, logger, settings }, publish)
  const base = {
    bookClock,
    database,
    ledger: wakingLedger(ledger, { outbox, events, zaps }),
    wrongCodes: createWrongCodes({ database, ledger, bookClock }),
    ownership,
    backend,
    tell,
    nodeWatch: new NodeWatch({ backend, clock, logger, tell }),
    clock,
    entropy,
    logger,
    settings,
    fetch,
    callbacks,
    ownProject: options.ownProject ?? (() => undefined),
    names: createNameDirectory(database),
    invoices: createInvoiceLookUps(database),
    networkOfBook: createNetworkOfBook(database),
    prices: new PriceSource({ url: settings.ratesUrl, fetch, clock, logger }),
    zaps,
    regions: createRegions(settings),
    get publicUrl() {
      return settings.publicUrl ?? address.url
    },
  }
  return Object.assign(base, { sender: createSender(base) })
}

interface Assembled {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly ownership: ServiceOwnership
  readonly outbox: Outbox
  readonly events: ServiceFeed
  readonly backend: BookBackend
  readonly address: { readonly url: string }
  readonly fetch: GuardedFetch
  readonly callbacks: CallbackWays
}

/** Returns a ledger that, after each commit, wakes the outbox, the stream and zaps if they are concerned. */
function wakingLedger(
  ledger: Ledger<Tx>,
  { outbox, events, zaps }: Pick<Assembled, 'outbox' | 'events'> & { readonly zaps: Pick<Zaps, 'committed'> },
): Ledger<Tx> {
  return {
    ...ledger,
    async commit(change) {
      const written = await ledger.commit(change)
      const told = change.rows?.filter(({ table }) => table === 'Callback') ?? []
      if (change.write !== undefined || told.some(({ values }) => values.url !== '')) outbox.wake()
      if (change.write !== undefined || told.length > 0) events.wake()
      zaps.committed()
      return written
    },
  }
}
