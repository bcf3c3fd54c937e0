import { Sql } from '@prisma/client/runtime/client'
import type { Ledger } from '../../../ledger/ledger.ts'
import { cached } from '../../../lib/cached.ts'
import type { Clock } from '../../../lib/clock.ts'
import { limitPerCaller } from '../../../lib/concurrency-per-caller.ts'
import { createBatchLoader } from '../../../lib/database/batch-loader.ts'
import type { Network } from '../../../lib/lightning/bolt11.ts'
import type { Logger } from '../../../lib/logger.ts'
import { Problem } from '../../../lib/problem.ts'
import type {
  LightningBackend,
  NodeInfo,
  OddRecord,
  OfferAnswer,
  OfferDraft,
  OfferRequest,
  Settlement,
} from '../../backends/backend.ts'
import type { PaymentsDatabase, Tx } from '../../core/database.ts'
import type { BookNode } from '../../generated/client.ts'

/** How long a start waits for the node to identify itself. */
const START_TIMEOUT_MS = 3_000

/**
 * How many makers of offers are asked for invoices at once: for one payer, and for all payers together. A maker who
 * never answers occupies a connection to the node for fifteen seconds, and payments need connections, too.
 */
const OFFERS_AT_ONCE = { each: 8, all: 24 }

/** How long an offer that the node made is cached, and how many offers are. */
const OFFERS_KNOWN = { ttlMs: 60_000, maxKeys: 1_000 }

/** The id of the table's only row. */
const THE_NODE = 1

export interface BookNodeParts {
  readonly database: PaymentsDatabase
  readonly ledger: Ledger<Tx>
  readonly clock: Clock
  readonly logger: Logger
}

/** A backend that is used only while its node is the book's node. */
export interface BookBackend extends LightningBackend {
  /**
   * Returns the node's identity, which is cached until the connection to the node breaks. Throws NodeMismatch if it is
   * not the book's node, and the backend's errors while the node is unreachable.
   */
  info(): Promise<NodeInfo>
  /**
   * Identifies the node; call it before anything else. Throws NodeMismatch. If the node is unreachable, resolves
   * anyway, and a later call identifies the node.
   */
  start(): Promise<void>
}

/** Thrown if the node is not the book's node: it must not be asked, and nothing may be credited or paid through it. */
export class NodeMismatch extends Problem {
  override name = 'NodeMismatch'
}

/**
 * Ties a backend to the book. Notes a new book's first node with its kind, public key and network. The book's cursor,
 * invoices and payments mean nothing to another node, so requests to such a node throw NodeMismatch until an operator
 * confirms that the money moved (`admin node adopt`).
 */
export function createBookBackend(backend: LightningBackend, parts: BookNodeParts): BookBackend {
  const identity = new Identity(backend, parts)
  const known = () => identity.known()
  const perCaller = limitPerCaller(OFFERS_AT_ONCE)
  return {
    kind: backend.kind,
    get capabilities() {
      return backend.capabilities
    },
    start: () => identity.start(),
    info: known,
    health: () => identity.health(),
    balances: () => known().then(() => backend.balances()),
    tariff: (amount) => backend.tariff(amount),
    createInvoice: (request) => known().then(() => backend.createInvoice(request)),
    lookUpInvoice: (hash) => known().then(() => backend.lookUpInvoice(hash)),
    cancelInvoice: (hash) => known().then(() => backend.cancelInvoice(hash)),
    ...(backend.fetchInvoice !== undefined && {
      fetchInvoice: (request: OfferRequest) =>
        perCaller(request.payer, () => known().then(() => fetchOver(backend, request))),
    }),
    ...(backend.createOffer !== undefined && {
      createOffer: offersOf(known, backend, parts.clock),
    }),
    pay: (request) => known().then(() => backend.pay(request)),
    keysend: (request) => known().then(() => backend.keysend(request)),
    lookUpPayment: (hash) => known().then(() => backend.lookUpPayment(hash)),
    ...(backend.sentPayments !== undefined && {
      sentPayments: (most: number) => known().then(() => backend.sentPayments?.(most) ?? []),
    }),
    settledInvoices: (cursor, signal) => settlements(backend, identity, cursor, signal),
    close: () => backend.close(),
  }
}

async function fetchOver(backend: LightningBackend, request: OfferRequest): Promise<OfferAnswer> {
  return (await backend.fetchInvoice?.(request)) ?? { state: 'unreachable', reason: 'the node pays no offers' }
}

/**
 * Has the node make offers, and caches each for a minute only: every display of an offer needs the node's answer, but
 * an operator may disable the offer at any time.
 */
function offersOf(known: () => Promise<NodeInfo>, backend: LightningBackend, clock: Clock) {
  const read = async (draft: string) => {
    await known()
    return await backend.createOffer?.(JSON.parse(draft))
  }
  const ask = cached({ clock, ...OFFERS_KNOWN, read, keeps: (made) => made !== undefined })
  return ({ description, issuer }: OfferDraft) => ask(JSON.stringify({ description, issuer }))
}

/** Identifies the node again, because another may have taken over its address, and opens the stream of settlements. */
async function* settlements(
  backend: LightningBackend,
  identity: Identity,
  cursor: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Settlement | OddRecord> {
  identity.forget()
  await identity.known()
  yield* backend.settledInvoices(cursor, signal)
}

class Identity {
  readonly #backend: LightningBackend
  readonly #parts: BookNodeParts
  #known: Promise<NodeInfo> | undefined
  #mismatch: NodeMismatch | undefined

  constructor(backend: LightningBackend, parts: BookNodeParts) {
    this.#backend = backend
    this.#parts = parts
  }

  async start(): Promise<void> {
    const { clock, logger } = this.#parts
    const away = Symbol('away')
    const timeout = new Promise<typeof away>((resolve) => clock.after(START_TIMEOUT_MS, () => resolve(away)))
    try {
      if ((await Promise.race([this.known(), timeout])) !== away) return
      logger.error({ alert: 'node_away' }, 'the Lightning node does not answer; the service starts without it')
    } catch (error) {
      if (error instanceof NodeMismatch) throw error
      const health = await Promise.race([this.#backend.health(), timeout])
      const why = health !== away && health.state !== 'ready' ? health.reason : 'It is asked again.'
      logger.error({ alert: 'node_away', err: error }, `the service starts without its Lightning node. ${why}`)
    }
  }

  async known(): Promise<NodeInfo> {
    this.#known ??= this.#ask()
    const asked = this.#known
    try {
      return await asked
    } catch (error) {
      if (this.#known === asked) this.#known = undefined
      throw error
    }
  }

  forget(): void {
    this.#known = undefined
  }

  async health() {
    const health = await this.#backend.health()
    if (health.state !== 'ready' || this.#mismatch === undefined) return health
    return { state: 'refused', reason: this.#mismatch.message } as const
  }

  async #ask(): Promise<NodeInfo> {
    const { database, logger } = this.#parts
    const info = await this.#backend.info()
    const book = await database.read.bookNode.findUnique({ where: { id: THE_NODE } })
    this.#mismatch = book === null ? undefined : compareNodes(book, this.#backend.kind, info)
    if (this.#mismatch !== undefined) {
      logger.error({ alert: 'other_node', pubkey: info.pubkey, book }, this.#mismatch.message)
      throw this.#mismatch
    }
    if (book === null || book.pubkey === '') await this.#note(info)
    return info
  }

  async #note({ pubkey, network }: NodeInfo): Promise<void> {
    const { ledger, clock, logger } = this.#parts
    const { kind } = this.#backend
    await ledger.commit({ write: (tx) => noteBookNode(tx, { kind, pubkey, network, since: new Date(clock.now()) }) })
    logger.info({ kind, pubkey, network }, 'the book belongs to this Lightning node from now on')
  }
}

/** Stores which node belongs to the book. */
export async function noteBookNode(tx: Tx, node: Omit<BookNode, 'id'>): Promise<void> {
  await tx.bookNode.upsert({ where: { id: THE_NODE }, create: { id: THE_NODE, ...node }, update: node })
}

/** Returns the book's node; null before the first node was reached. */
export function readBookNode(read: Pick<Tx, 'bookNode'>): Promise<BookNode | null> {
  return read.bookNode.findUnique({ where: { id: THE_NODE } })
}

/**
 * Creates the function that returns the network of the book's sats; undefined before the first node was reached. Every
 * reading of a wallet calls that function, so simultaneous calls share one query, without Prisma.
 */
export function createNetworkOfBook({
  readRaw,
}: Pick<PaymentsDatabase, 'readRaw'>): () => Promise<Network | undefined> {
  const loader = createBatchLoader<number, Network>({
    async load() {
      const rows = await readRaw.$queryRaw<{ network: Network }[]>(NETWORK)
      return new Map(rows.map(({ network }) => [THE_NODE, network]))
    },
  })
  return () => loader.load(THE_NODE)
}

const NETWORK = new Sql([`SELECT "network" FROM "BookNode" WHERE "id" = ${THE_NODE}`], [])

/** Returns an error that explains why this node is not the book's; undefined if it is. */
export function compareNodes(book: BookNode, kind: string, { pubkey, network }: NodeInfo): NodeMismatch | undefined {
  const same = book.kind === kind && book.network === network && (book.pubkey === '' || book.pubkey === pubkey)
  if (same) return undefined
  const [noted, found] = [describeNode(book), describeNode({ kind, pubkey, network })]
  if (book.kind === 'sandbox') {
    return new NodeMismatch(
      `The payments database was used with ${noted}, whose sats are not real, but LIGHTNING_BACKEND leads to ${found}. Begin with a new database: set PAYMENTS_DATABASE_URL (and TIPPING_DATABASE_URL) to files that do not exist yet, or set LIGHTNING_BACKEND back to sandbox.`,
    )
  }
  return new NodeMismatch(
    `The payments database belongs to ${noted}, but LIGHTNING_BACKEND leads to ${found}. Set LIGHTNING_BACKEND back to the node of the database. If all the money of that node has moved to the new node, run npm run admin -- node adopt ${kind} ${pubkey || 'PUBKEY'} ${network}`,
  )
}

function describeNode({ kind, pubkey, network }: Pick<BookNode, 'kind' | 'pubkey' | 'network'>): string {
  return `the ${kind} node ${pubkey.slice(0, 16)}… on ${network}`
}
