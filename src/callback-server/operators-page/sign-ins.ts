import { createHash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { type Entropy, token as newToken } from '../../lib/entropy.ts'

/** A link from `/admin page` can be opened this long. */
export const LINK_LIFETIME_MS = 5 * 60_000
/** A session ends this long after its sign-in, used or not. A person who is no operator any more reads no longer. */
export const SESSION_LIFETIME_MS = 60 * 60_000
/** So many links, and so many sessions, are open at once; the oldest goes first. */
const MAX_AT_ONCE = 50

/** Who asked for a link: an operator's Discord id, and what they are called. */
export interface Operator {
  readonly id: string
  readonly name: string
}

/**
 * Who may read the operators' page. Links and sessions are in memory alone, as hashes: a restart ends them, and neither
 * the books nor a backup contain one.
 */
export class OperatorSignIns {
  readonly #links: Expiring
  readonly #sessions: Expiring
  readonly #entropy: Entropy

  constructor({ clock, entropy }: { readonly clock: Clock; readonly entropy: Entropy }) {
    this.#links = new Expiring(clock, LINK_LIFETIME_MS)
    this.#sessions = new Expiring(clock, SESSION_LIFETIME_MS)
    this.#entropy = entropy
  }

  /** A new token for a link. An operator's earlier link, unless it was used, is void from now on. */
  invite(operator: Operator): string {
    this.#links.forget(({ id }) => id === operator.id)
    const token = newToken(this.#entropy)
    this.#links.add(token, operator)
    return token
  }

  /** Uses a link's token up and begins a session; undefined when it was used, is over, or never was. */
  signIn(token: string): { readonly session: string; readonly operator: Operator } | undefined {
    const operator = this.#links.take(token)
    if (operator === undefined) return undefined
    const session = newToken(this.#entropy)
    this.#sessions.add(session, operator)
    return { session, operator }
  }

  /** Whose session it is; undefined when it has ended or never was. */
  find(session: string | undefined): Operator | undefined {
    return session === undefined ? undefined : this.#sessions.get(session)
  }

  signOut(session: string | undefined): void {
    if (session !== undefined) this.#sessions.take(session)
  }
}

/** Secrets that expire. They go by the monotonic clock, so that a clock that is set back makes none last longer. */
class Expiring {
  readonly #byHash = new Map<string, { readonly operator: Operator; readonly endsAt: number }>()
  readonly #clock: Clock
  readonly #lifetimeMs: number

  constructor(clock: Clock, lifetimeMs: number) {
    this.#clock = clock
    this.#lifetimeMs = lifetimeMs
  }

  add(secret: string, operator: Operator): void {
    const [oldest] = this.#byHash.keys()
    if (oldest !== undefined && this.#byHash.size >= MAX_AT_ONCE) this.#byHash.delete(oldest)
    this.#byHash.set(hash(secret), { operator, endsAt: this.#clock.monotonic() + this.#lifetimeMs })
  }

  get(secret: string): Operator | undefined {
    const kept = this.#byHash.get(hash(secret))
    return kept !== undefined && this.#clock.monotonic() < kept.endsAt ? kept.operator : undefined
  }

  take(secret: string): Operator | undefined {
    const operator = this.get(secret)
    this.#byHash.delete(hash(secret))
    return operator
  }

  forget(isOver: (operator: Operator) => boolean): void {
    for (const [key, { operator }] of this.#byHash) if (isOver(operator)) this.#byHash.delete(key)
  }
}

/** A lookup by hash takes the same time for a near miss as for any other. */
function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
