import { Sql } from '@prisma/client/runtime/client'
import type { Row } from '../../../ledger/ledger.ts'
import { createBatchLoader } from '../../../lib/database/batch-loader.ts'
import { NewestNames } from '../../../lib/newest-names.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'
import type { IdempotencyKey } from '../../generated/client.ts'
import type { ServiceParts } from '../service-parts.ts'
import { isHashOf, requestHash } from './request-hash.ts'

/** Answers to callers who may only read, kept in memory at most: some 4 KB each. */
const MAX_READINGS = 1_000

/** How long an answer is kept. */
const RETENTION_MS = 30 * 24 * 3_600_000

/** A stored answer, to be sent again byte for byte. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** Meaning of a key when a request comes with it. */
export type Claim =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'bound'; readonly paymentId: string }

/** One request's key. A begun request must end, whatever happens. */
export interface KeyedRequest {
  readonly claim: Claim
  /** The row that stores an answer; it belongs to the change of that answer. */
  row(answer: StoredAnswer, options: { movedMoney: boolean }): Row
  /** Keeps an answer in memory instead, where the caller may only read. */
  readonly remember?: (answer: StoredAnswer) => void
  /** The row that binds the key to a payment. */
  boundRow(paymentId: string): Row
  /**
   * Runs a commit with one of these rows in it. The row claims the key, in the transaction of the work and before
   * anything is sent. Throws KeyTaken where another service was quicker with the same key: then nothing of the commit is
   * kept. Else throws what the commit throws.
   */
  claiming<T>(commit: () => Promise<T>): Promise<T>
  end(): void
}

/** Another service has carried out the request with this key, or is doing so; `claim` is the key's present state. */
export class KeyTaken extends Error {
  override name = 'KeyTaken'
  readonly claim: TakenClaim

  constructor(claim: TakenClaim) {
    super('another service was quicker with the same Idempotency-Key')
    this.claim = claim
  }
}

type TakenClaim = Exclude<Claim, { kind: 'fresh' }>

/** The memory of Idempotency-Keys (additive; every POST accepts one). */
export interface Idempotency {
  /**
   * Begins a request with a key. Throws ServiceRefusal: invalid_idempotency_key, still_running while another request
   * with this key runs, idempotency_key_reused for another body, idempotency_key_expired for a key whose answer is not
   * kept, invalid_body for a body that is nested too deep.
   */
  begin(request: {
    projectId: string
    key: string
    operation: string
    body: unknown
    /** The answer is kept in memory, and a restart forgets it: an API key that may only read fills no book. */
    inMemory?: boolean
  }): Promise<KeyedRequest>
  /** Forgets answers that are older than 30 days. A key that moved money stays, and cannot be used again. */
  forget(): Promise<void>
}

export function createIdempotency(
  parts: Pick<ServiceParts, 'database' | 'ledger' | 'clock' | 'bookClock'>,
): Idempotency {
  const { database, ledger, clock, bookClock } = parts
  const running = new Set<string>()
  const readings = new Readings()
  const stored = createStoredKeys(database)

  async function claim(name: string, { operation, body }: { operation: string; body: unknown }): Promise<Claim> {
    const row = await stored.load(name)
    if (row === undefined) return { kind: 'fresh' }
    if (bookClock.hasPassed(new Date(row.createdAt.getTime() + RETENTION_MS))) {
      if (row.movedMoney) throw expired()
      // Another service may have forgotten it, and stored another answer to it, at the same moment.
      const { projectId, key, createdAt } = row
      const old = { projectId, key, createdAt, movedMoney: false }
      await ledger.commit({ write: async (tx) => void (await tx.idempotencyKey.deleteMany({ where: old })) })
      return { kind: 'fresh' }
    }
    if (!isHashOf(row.requestHash, operation, body)) throw reused()
    if (row.paymentId !== null) return { kind: 'bound', paymentId: row.paymentId }
    if (row.status === null || row.body === null) throw expired()
    return { kind: 'answered', answer: { status: row.status, body: row.body } }
  }

  /** Explains a key after a commit with its row has failed. Throws what the commit threw, or KeyTaken. */
  async function explain(error: unknown, name: string, request: { operation: string; body: unknown }): Promise<never> {
    // Where the database does not say, the commit has said enough.
    if ((await stored.load(name).catch(() => undefined)) === undefined) throw error
    const taken = await claim(name, request)
    throw taken.kind === 'fresh' ? error : new KeyTaken(taken)
  }

  return {
    async begin({ projectId, key, operation, body, inMemory = false }) {
      if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw invalid()
      const name = `${projectId}\n${key}`
      const hash = requestHash(operation, body)
      if (running.has(name)) throw stillRunning()
      running.add(name)
      try {
        const found = readings.claim(name, hash) ?? (await claim(name, { operation, body }))
        const values = { projectId, key, requestHash: hash, createdAt: new Date(clock.now()) }
        return {
          claim: found,
          row: (answer, { movedMoney }) => row({ ...values, ...answer, paymentId: null, movedMoney }),
          boundRow: (paymentId) => row({ ...values, status: null, body: null, paymentId, movedMoney: true }),
          claiming: (commit) => commit().catch((error: unknown) => explain(error, name, { operation, body })),
          ...(inMemory && { remember: (answer: StoredAnswer) => readings.keep(name, hash, answer) }),
          end: () => void running.delete(name),
        }
      } catch (error) {
        running.delete(name)
        throw error
      }
    },
    async forget() {
      const createdAt = { lte: new Date(clock.now() - RETENTION_MS) }
      await ledger.commit({
        write: async (tx) => {
          await tx.idempotencyKey.deleteMany({ where: { createdAt, movedMoney: false } })
          await tx.idempotencyKey.updateMany({
            where: { createdAt, body: { not: null } },
            data: { body: null, status: null },
          })
        },
      })
    },
  }
}

/** A key as its database's driver hands it over: neither times nor yes and no have a type of their own everywhere. */
type RawKey = Omit<IdempotencyKey, 'createdAt' | 'movedMoney'> & {
  readonly createdAt: string | Date
  readonly movedMoney: boolean | number
}

function keyOf({ createdAt, movedMoney, ...row }: RawKey): IdempotencyKey {
  return { ...row, createdAt: new Date(createdAt), movedMoney: Boolean(movedMoney) }
}

const KEPT = [
  'SELECT k.* FROM ',
  ' JOIN "IdempotencyKey" AS k ON k."projectId" = wanted."projectId" AND k."key" = wanted."key"',
]

/** The keys in the book, by project and key. Look-ups of the same moment are one query. */
function createStoredKeys(database: ServiceParts['database']) {
  return createBatchLoader<string, IdempotencyKey>({
    load: async (names) => {
      const wanted = database.rows.as(
        'wanted',
        ['projectId', 'key'],
        names.map((name) => name.split('\n')),
      )
      const rows = await database.readRaw.$queryRaw<RawKey[]>(new Sql(KEPT, [wanted]))
      return new Map(rows.map((row) => [`${row.projectId}\n${row.key}`, keyOf(row)]))
    },
  })
}

/** Answers to callers who may only read. */
class Readings {
  readonly #answers = new NewestNames<StoredAnswer & { readonly requestHash: string }>(MAX_READINGS)

  keep(name: string, requestHash: string, answer: StoredAnswer): void {
    this.#answers.set(name, { ...answer, requestHash })
  }

  /** Undefined where nothing is kept. Throws ServiceRefusal (idempotency_key_reused). */
  claim(name: string, requestHash: string): Claim | undefined {
    const reading = this.#answers.get(name)
    if (reading === undefined) return undefined
    if (reading.requestHash !== requestHash) throw reused()
    return { kind: 'answered', answer: { status: reading.status, body: reading.body } }
  }
}

function row(values: Row['values']): Row {
  return { table: 'IdempotencyKey', values }
}

function invalid(): ServiceRefusal {
  return new ServiceRefusal('invalid_idempotency_key', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

function stillRunning(): ServiceRefusal {
  return new ServiceRefusal(
    'still_running',
    'The first request with this Idempotency-Key has not been answered yet. Ask again in a second.',
    { 'retry-after': '1' },
  )
}

function reused(): ServiceRefusal {
  return new ServiceRefusal(
    'idempotency_key_reused',
    'This Idempotency-Key stands for another request. Use a new key for each thing you want done.',
  )
}

function expired(): ServiceRefusal {
  return new ServiceRefusal(
    'idempotency_key_expired',
    'This Idempotency-Key moved money more than 30 days ago, and its answer is no longer kept. Look at what it did before you use a new key.',
  )
}
