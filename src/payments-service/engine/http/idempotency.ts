import { Sql } from '@prisma/client/runtime/client'
import type { Row } from '../../../ledger/ledger.ts'
import { createBatchLoader } from '../../../lib/database/batch-loader.ts'
import { NewestNames } from '../../../lib/newest-names.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'
import type { IdempotencyKey } from '../../generated/client.ts'
import type { ServiceParts } from '../service-parts.ts'
import { isHashOf, requestHash } from './request-hash.ts'

/** The most answers to read-only callers that stay in memory, at some 4 KB each. */
const MAX_READINGS = 1_000

/** How long an answer is stored. */
const RETENTION_MS = 30 * 24 * 3_600_000

/** A stored answer, which is repeated byte for byte. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** What a key means when a request arrives with it. */
export type Claim =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'bound'; readonly paymentId: string }

/** One request's use of its key, from `begin` to `end`, which must always be called. */
export interface KeyedRequest {
  readonly claim: Claim
  /**
   * Returns the row that stores an answer. The row belongs in the same change as the effect that the answer reports.
   */
  row(answer: StoredAnswer, options: { movedMoney: boolean }): Row
  /** Stores an answer in memory instead of in a row; undefined unless the caller may only read. */
  readonly remember?: (answer: StoredAnswer) => void
  /** Returns the row that binds the key to a payment. */
  boundRow(paymentId: string): Row
  /**
   * Runs a commit that contains one of this request's rows. The row claims the key, in the transaction of the work and
   * before anything is sent. Throws KeyTaken if another service was first with the same key; then nothing of the commit
   * remains. After any other failure, throws the commit's error.
   */
  claiming<T>(commit: () => Promise<T>): Promise<T>
  end(): void
}

/**
 * Thrown if another service has run the request with this key, or is running it. `claim` is the key's present state.
 */
export class KeyTaken extends Error {
  override name = 'KeyTaken'
  readonly claim: TakenClaim

  constructor(claim: TakenClaim) {
    super('another service was quicker with the same Idempotency-Key')
    this.claim = claim
  }
}

type TakenClaim = Exclude<Claim, { kind: 'fresh' }>

/** Stores Idempotency-Keys (additive; every POST accepts one). */
export interface Idempotency {
  /**
   * Begins a request with a key. Throws ServiceRefusal: invalid_idempotency_key, still_running while another request
   * with this key runs, idempotency_key_reused for another body, idempotency_key_expired for a key without a stored
   * answer, invalid_body for a body that is nested too deeply.
   */
  begin(request: {
    projectId: string
    key: string
    operation: string
    body: unknown
    /**
     * Whether to store the answer in memory, where a restart loses it. This prevents a read-only API key from filling
     * the book.
     */
    inMemory?: boolean
  }): Promise<KeyedRequest>
  /** Deletes answers older than 30 days. A key that moved money stays, and cannot be used again. */
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
      // Another service may have deleted it at the same moment, and stored a different answer.
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

  /** Finds out why a commit with a key's row failed. Throws the commit's error, or KeyTaken. */
  async function explain(error: unknown, name: string, request: { operation: string; body: unknown }): Promise<never> {
    // If the database does not tell, the commit's error is enough.
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

/** A key as its database's driver returns it: not every driver has types for times and booleans. */
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

/** Reads the book's keys, by project and key. Simultaneous look-ups share one query. */
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

/** Stores answers to read-only callers in memory. */
class Readings {
  readonly #answers = new NewestNames<StoredAnswer & { readonly requestHash: string }>(MAX_READINGS)

  keep(name: string, requestHash: string, answer: StoredAnswer): void {
    this.#answers.set(name, { ...answer, requestHash })
  }

  /** Returns a stored claim; undefined if there is none. Throws ServiceRefusal (idempotency_key_reused). */
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
    'The first request with this Idempotency-Key has not been answered yet. Send the request again in a second.',
    { 'retry-after': '1' },
  )
}

function reused(): ServiceRefusal {
  return new ServiceRefusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used for a different request. Use a new key for each new request.',
  )
}

function expired(): ServiceRefusal {
  return new ServiceRefusal(
    'idempotency_key_expired',
    'The request with this Idempotency-Key moved money more than 30 days ago, and its answer is no longer kept. Check what the request did before you use a new key.',
  )
}
