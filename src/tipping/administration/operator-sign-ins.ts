import { createHash } from 'node:crypto'
import { token as newToken } from '../../lib/entropy.ts'
import type { Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** A link from `/admin page` can be opened this long. */
export const LINK_LIFETIME_MS = 5 * 60_000
/** A session ends this long after its sign-in, used or not. A person who is no operator any more reads no longer. */
export const SESSION_LIFETIME_MS = 60 * 60_000
/** So many links, and so many sessions, are open at once; the oldest goes first. */
const MAX_AT_ONCE = 50
/** What `newToken` makes. Nothing else is looked up. */
// Stryker disable next-line Regex: spares a look-up: of what no bot made, the book has no hash.
const TOKEN = /^[\w-]{43}$/

type Kind = 'link' | 'session'

/** Who asked for a link: an operator's Discord id, and what they are called. */
export interface Operator {
  readonly id: string
  readonly name: string
}

/**
 * Who may read the operators' page. Links and sessions are in the book, as hashes: whichever bot of the book is asked knows them,
 * a restart ends none, and who reads the book or a backup can use none.
 */
export interface OperatorSignIns {
  /** A new token for a link. An operator's earlier link, unless it was used, is void from now on. */
  invite(operator: Operator): Promise<string>
  /** Uses a link's token up and begins a session; undefined when it was used, is over, or never was. */
  signIn(token: string): Promise<{ readonly session: string; readonly operator: Operator } | undefined>
  /** Whose session it is; undefined when it has ended or never was. */
  find(session: string | undefined): Promise<Operator | undefined>
  signOut(session: string | undefined): Promise<void>
}

type Parts = Pick<TippingContext, 'database' | 'commit' | 'clockWatch' | 'entropy'>

export function createOperatorSignIns({ database, commit, clockWatch, entropy }: Parts): OperatorSignIns {
  /** The later of two clocks, so that a clock that is set back makes none last longer. */
  const latest = (afterMs = 0) => new Date(clockWatch.latest() + afterMs)
  const valid = (kind: Kind, token: string) => ({ hash: hash(token), kind, endsAt: { gt: latest() } })

  async function add(tx: Tx, { kind, token, lifetimeMs }: NewPass, { id: operator, name }: Operator): Promise<void> {
    await tx.operatorPass.deleteMany({ where: { endsAt: { lte: latest() } } })
    const newest = { where: { kind }, orderBy: { id: 'desc' }, skip: MAX_AT_ONCE - 1, select: { id: true } } as const
    const tooMany = await tx.operatorPass.findMany(newest)
    await tx.operatorPass.deleteMany({ where: { id: { in: tooMany.map(({ id }) => id) } } })
    await tx.operatorPass.create({ data: { hash: hash(token), kind, operator, name, endsAt: latest(lifetimeMs) } })
  }

  return {
    async invite(operator) {
      const token = newToken(entropy)
      await commit({
        write: async (tx) => {
          await tx.operatorPass.deleteMany({ where: { kind: 'link', operator: operator.id } })
          await add(tx, { kind: 'link', token, lifetimeMs: LINK_LIFETIME_MS }, operator)
        },
      })
      return token
    },
    async signIn(token) {
      // Stryker disable next-line ConditionalExpression: spares a look-up: of what no bot made, the book has no hash.
      if (!TOKEN.test(token)) return undefined
      // Strangers invent tokens: reading is cheap, and a writer stands in the way of others.
      if ((await database.read.operatorPass.findFirst({ where: valid('link', token) })) === null) return undefined
      const session = newToken(entropy)
      return await commit({
        write: async (tx) => {
          const link = await tx.operatorPass.findFirst({ where: valid('link', token) })
          if (link === null) return undefined
          await tx.operatorPass.delete({ where: { id: link.id } })
          const operator = { id: link.operator, name: link.name }
          await add(tx, { kind: 'session', token: session, lifetimeMs: SESSION_LIFETIME_MS }, operator)
          return { session, operator }
        },
      })
    },
    async find(session) {
      // Stryker disable next-line ConditionalExpression: spares a look-up: of what no bot made, the book has no hash.
      if (session === undefined || !TOKEN.test(session)) return undefined
      const pass = await database.read.operatorPass.findFirst({ where: valid('session', session) })
      return pass === null ? undefined : { id: pass.operator, name: pass.name }
    },
    async signOut(session) {
      // Stryker disable next-line ConditionalExpression: spares a look-up: of what no bot made, the book has no hash.
      if (session === undefined || !TOKEN.test(session)) return
      const where = { hash: hash(session), kind: 'session' }
      if ((await database.read.operatorPass.count({ where })) === 0) return
      await commit({ write: async (tx) => void (await tx.operatorPass.deleteMany({ where })) })
    },
  }
}

interface NewPass {
  readonly kind: Kind
  readonly token: string
  readonly lifetimeMs: number
}

/** A lookup by hash takes the same time for a near miss as for any other. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
