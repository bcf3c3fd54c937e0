import { createHmac, timingSafeEqual } from 'node:crypto'
import { token as newToken } from '../../lib/entropy.ts'
import type { Tx } from '../core/database.ts'
import { CLOCK_TOLERANCE_MS, hashSecret, isAlive } from '../core/secrets.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { SignInToken } from '../generated/client.ts'
import { WalletProblem } from './problems.ts'

/** How long after its last renewal a session ends. */
export const SESSION_LIFETIME_MS = 30 * 24 * 3_600_000
/** How often a session in use is renewed: once a day, not at every click. */
const RENEWAL_MS = 24 * 3_600_000

/** A browser in which a user is signed in. */
export interface Session {
  /** The cookie's token. The database stores only its hash. */
  readonly token: string
  readonly user: {
    readonly id: string
    readonly gamertag: string
    /** The project that opened the user's wallet; null if an operator opened it. */
    readonly projectId: string | null
  }
  /** Whether the session's lifetime has just been extended; then the cookie's must be extended, too. */
  readonly renewed: boolean
}

export type SessionParts = Pick<ServiceParts, 'database' | 'ledger' | 'clock' | 'bookClock' | 'entropy'>

/**
 * Resolves to the gamertag of the user whom a sign-in token would sign in. Throws WalletProblem if the token cannot be
 * used.
 */
export async function whoseToken({ database, bookClock }: SessionParts, token: string): Promise<string> {
  const row = await database.read.signInToken.findUnique({ where: { hash: hashSecret(token) } })
  refuseUnusable(row, bookClock.latest())
  const user = row && (await database.read.user.findUnique({ where: { id: row.userId } }))
  if (!user) throw unusable()
  return user.gamertag
}

/**
 * Uses up a sign-in token and starts a new session. Ends the browser's earlier session, `former`, which somebody else
 * might have planted. Resolves to the new session's token. Throws WalletProblem if the token cannot be used.
 */
export async function signIn(parts: SessionParts, token: string, former: string | undefined): Promise<string> {
  const session = newToken(parts.entropy)
  const now = parts.clock.now()
  const latest = new Date(parts.bookClock.latest())
  await parts.ledger.commit({
    write: async (tx) => {
      const hash = hashSecret(token)
      const used = await tx.signInToken.updateMany({
        where: {
          hash,
          usedAt: null,
          createdAt: { lte: new Date(latest.getTime() + CLOCK_TOLERANCE_MS) },
          expiresAt: { gt: latest },
        },
        data: { usedAt: new Date(now) },
      })
      const row = await tx.signInToken.findUnique({ where: { hash } })
      if (used.count !== 1 || row === null) throw unusable()
      const over = { userId: row.userId, expiresAt: { lte: latest } }
      await tx.session.deleteMany({ where: over })
      await tx.signInToken.deleteMany({ where: over })
      if (former !== undefined) await endSession(tx, former)
      await tx.session.create({
        data: {
          hash: hashSecret(session),
          userId: row.userId,
          createdAt: new Date(now),
          expiresAt: new Date(now + SESSION_LIFETIME_MS),
        },
      })
    },
  })
  return session
}

/** Finds the session of a cookie; undefined if it has ended or never existed. */
export async function findSession(parts: SessionParts, token: string): Promise<Session | undefined> {
  const { database, clock, ledger } = parts
  const hash = hashSecret(token)
  const row = await database.read.session.findUnique({ where: { hash } })
  const now = clock.now()
  if (row === null || !isAlive(parts, row, SESSION_LIFETIME_MS)) return undefined
  const user = await database.read.user.findUnique({ where: { id: row.userId } })
  if (user === null) return undefined
  const expiresAt = now + SESSION_LIFETIME_MS
  const renewed = expiresAt - row.expiresAt.getTime() >= RENEWAL_MS
  if (renewed) {
    const data = { expiresAt: new Date(expiresAt) }
    await ledger.commit({ write: (tx) => tx.session.updateMany({ where: { hash }, data }) })
  }
  return { token, user: { id: user.id, gamertag: user.gamertag, projectId: user.projectId }, renewed }
}

/** Ends one session. */
export function signOut({ ledger }: SessionParts, token: string): Promise<void> {
  return ledger.commit({ write: (tx) => endSession(tx, token) })
}

/**
 * Ends every session of a user, and revokes their unused sign-in links and log-in codes, because one of the sessions
 * may have been a thief's. Programs that are already connected stay connected; the settings page lists them.
 */
export function signOutEverywhere({ ledger }: SessionParts, userId: string): Promise<void> {
  return ledger.commit({
    write: async (tx) => {
      await tx.session.deleteMany({ where: { userId } })
      await tx.signInToken.deleteMany({ where: { userId, usedAt: null } })
      await tx.logInCode.deleteMany({ where: { userId, usedAt: null } })
    },
  })
}

/** Returns the token that proves that the wallet page itself made a session's form. */
export function formToken(session: string): string {
  return createHmac('sha256', session).update('wallet-page form').digest('base64url')
}

/** Whether a form contains this session's token. */
export function isFormToken(session: string, given: string): boolean {
  const [expected, actual] = [Buffer.from(formToken(session)), Buffer.from(given)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

async function endSession(tx: Tx, token: string): Promise<void> {
  await tx.session.deleteMany({ where: { hash: hashSecret(token) } })
}

function refuseUnusable(token: SignInToken | null, now: number): void {
  if (token === null || token.usedAt !== null || token.expiresAt.getTime() <= now) throw unusable()
  // If a fast clock created it, it would be valid for too long.
  if (token.createdAt.getTime() > now + CLOCK_TOLERANCE_MS) throw unusable()
}

/** Builds the same refusal for all causes, so that nobody learns whether a token ever existed. */
function unusable(): WalletProblem {
  return new WalletProblem(400, 'sign_in_link_unusable', (t) => t('errors.usedLink', { command: t.command('wallet') }))
}
