import { createHash } from 'node:crypto'
import { token as newToken } from '../../lib/entropy.ts'
import type { Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** How long a link from `/admin page` can be opened. */
export const LINK_LIFETIME_MS = 5 * 60_000
/** How long a session lasts after its sign-in, used or not. Thus somebody who is no longer an operator loses access. */
export const SESSION_LIFETIME_MS = 60 * 60_000
/** How long a passkey's challenge is valid, because people need time to find their phone. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000
/**
 * The most passes of each kind that are stored for one operator, so that nobody signs others out by signing in often;
 * challenges are counted for everybody together. The oldest pass is dropped first.
 */
const MAX_AT_ONCE = { link: 1, session: 50, form: 2_000, challenge: 500 } as const
/** The form of the tokens that `newToken` makes. Other texts are not looked up. */
// Stryker disable next-line Regex: avoids a look-up. The book has no hash of a text that no bot made.
const TOKEN = /^[\w-]{43}$/

type Kind = keyof typeof MAX_AT_ONCE

/** The placeholder for a challenge's owner, because the signer is not known yet. */
const NOBODY = { id: '', name: '' } as const

/** A person who signs in: an operator's Discord id or another identifier, and their name. */
export interface Operator {
  readonly id: string
  readonly name: string
}

export interface OperatorSession extends Operator {
  /** The milliseconds since the operator signed in, according to the later of two clocks. */
  readonly ageMs: number
}

/**
 * Manages sign-ins to the operators' pages. The book stores links and sessions as hashes: every bot of the book can
 * check them, a restart ends none, and a reader of the book or a backup cannot use them.
 */
export interface OperatorSignIns {
  /** Creates a token for a link. An unused earlier link of the operator becomes invalid. */
  invite(operator: Operator): Promise<string>
  /** Uses a link's token and starts a session; undefined if the token was used, has expired, or never existed. */
  signIn(token: string): Promise<{ readonly session: string; readonly operator: Operator } | undefined>
  /** Starts a session for a person who has proven their identity in another way. */
  begin(operator: Operator): Promise<string>
  /** Returns a session's owner; undefined if the session has ended or never existed. */
  find(session: string | undefined): Promise<OperatorSession | undefined>
  /**
   * Marks the form with this number as sent in this session, for every bot of the book. Returns false if the form was
   * already sent, or if the session has ended.
   */
  useForm(session: string, form: string): Promise<boolean>
  signOut(session: string | undefined): Promise<void>
  /**
   * Creates a challenge for a passkey to sign. `browser`: the session, or another token, that identifies the browser.
   */
  challenge(browser: string): Promise<string>
  /**
   * Uses up a challenge. Returns whether the challenge was made recently for this browser and has not been used before
   * with any bot of the book.
   */
  useChallenge(browser: string, challenge: string): Promise<boolean>
}

type Parts = Pick<TippingContext, 'database' | 'commit' | 'clockWatch' | 'entropy'>

export function createOperatorSignIns(parts: Parts): OperatorSignIns {
  const { database, commit, entropy } = parts
  return {
    async invite(operator) {
      const token = newToken(entropy)
      await commit({
        write: (tx) => add(parts, tx, { kind: 'link', token, lifetimeMs: LINK_LIFETIME_MS }, operator),
      })
      return token
    },
    signIn: (token) => signIn(parts, token),
    async begin(operator) {
      const token = newToken(entropy)
      await commit({ write: (tx) => add(parts, tx, sessionOf(token), operator) })
      return token
    },
    async find(session) {
      // Stryker disable next-line ConditionalExpression: avoids a look-up. The book has no hash of a text that no bot
      // made.
      if (session === undefined || !TOKEN.test(session)) return undefined
      const pass = await database.read.operatorPass.findFirst({ where: valid(parts, 'session', session) })
      if (pass === null) return undefined
      const ageMs = latest(parts).getTime() - (pass.endsAt.getTime() - SESSION_LIFETIME_MS)
      return { id: pass.operator, name: pass.name, ageMs }
    },
    useForm: (session, form) => useForm(parts, session, form),
    async signOut(session) {
      // Stryker disable next-line ConditionalExpression: avoids a look-up. The book has no hash of a text that no bot
      // made.
      if (session === undefined || !TOKEN.test(session)) return
      const where = { hash: hashOfPass(session), kind: 'session' }
      if ((await database.read.operatorPass.count({ where })) === 0) return
      await commit({ write: async (tx) => void (await tx.operatorPass.deleteMany({ where })) })
    },
    async challenge(browser) {
      const challenge = newToken(entropy)
      const pass = { kind: 'challenge', token: `${browser} ${challenge}`, lifetimeMs: CHALLENGE_LIFETIME_MS } as const
      await commit({ write: (tx) => add(parts, tx, pass, NOBODY) })
      return challenge
    },
    async useChallenge(browser, challenge) {
      const where = valid(parts, 'challenge', `${browser} ${challenge}`)
      if ((await database.read.operatorPass.count({ where })) === 0) return false
      return await commit({ write: async (tx) => (await tx.operatorPass.deleteMany({ where })).count === 1 })
    },
  }
}

async function signIn(parts: Parts, token: string): ReturnType<OperatorSignIns['signIn']> {
  const where = valid(parts, 'link', token)
  // Stryker disable next-line ConditionalExpression: avoids a look-up. The book has no hash of a text that no bot made.
  if (!TOKEN.test(token)) return undefined
  // Strangers invent tokens. Reading is cheap, but a write blocks others.
  if ((await parts.database.read.operatorPass.findFirst({ where })) === null) return undefined
  const session = newToken(parts.entropy)
  return await parts.commit({
    write: async (tx) => {
      const link = await tx.operatorPass.findFirst({ where })
      if (link === null) return undefined
      await tx.operatorPass.delete({ where: { id: link.id } })
      const operator = { id: link.operator, name: link.name }
      await add(parts, tx, sessionOf(session), operator)
      return { session, operator }
    },
  })
}

async function useForm(parts: Parts, session: string, form: string): Promise<boolean> {
  const token = `${session} ${form}`
  return await parts.commit({
    write: async (tx) => {
      const pass = await tx.operatorPass.findFirst({ where: valid(parts, 'session', session) })
      const isSent = (await tx.operatorPass.count({ where: { hash: hashOfPass(token) } })) > 0
      if (pass === null || isSent) return false
      const operator = { id: pass.operator, name: pass.name }
      await add(parts, tx, { kind: 'form', token, lifetimeMs: SESSION_LIFETIME_MS }, operator)
      return true
    },
  })
}

/** Returns the time of the later of two clocks, plus `afterMs`. Setting a clock back thus prolongs nothing. */
function latest({ clockWatch }: Parts, afterMs = 0): Date {
  return new Date(clockWatch.latest() + afterMs)
}

function valid(parts: Parts, kind: Kind, token: string) {
  return { hash: hashOfPass(token), kind, endsAt: { gt: latest(parts) } }
}

async function add(parts: Parts, tx: Tx, { kind, token, lifetimeMs }: NewPass, operator: Operator): Promise<void> {
  await tx.operatorPass.deleteMany({ where: { endsAt: { lte: latest(parts) } } })
  const newest = {
    where: { kind, operator: operator.id },
    orderBy: { id: 'desc' },
    skip: MAX_AT_ONCE[kind] - 1,
    select: { id: true },
  } as const
  const tooMany = await tx.operatorPass.findMany(newest)
  await tx.operatorPass.deleteMany({ where: { id: { in: tooMany.map(({ id }) => id) } } })
  const endsAt = latest(parts, lifetimeMs)
  await tx.operatorPass.create({
    data: { hash: hashOfPass(token), kind, operator: operator.id, name: operator.name, endsAt },
  })
}

function sessionOf(token: string): NewPass {
  return { kind: 'session', token, lifetimeMs: SESSION_LIFETIME_MS }
}

interface NewPass {
  readonly kind: Kind
  readonly token: string
  readonly lifetimeMs: number
}

/** Hashes a secret. A look-up by hash takes the same time for a near miss as for any other text. */
export function hashOfPass(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
