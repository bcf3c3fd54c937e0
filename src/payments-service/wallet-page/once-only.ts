import type { LedgerChange } from '../../ledger/ledger.ts'
import type { Tx } from '../core/database.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { type Idempotency, type KeyedRequest, KeyTaken } from '../engine/http/idempotency.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import type { Hold } from '../payments/reserve-payment.ts'
import { WalletProblem } from './problems.ts'

/** A submitted form: its user, the copy of the form (its nonce), and its content. */
export interface Submission {
  readonly userId: string
  readonly nonce: string
  readonly form: string
  readonly body: Readonly<Record<string, string>>
}

/** Two ways to make a form's effect durable together with the fact that this copy of the form has had it. */
export interface Effect {
  /** Commits an effect that needs a single transaction. `location` is the path of the page with the outcome. */
  commit(change: LedgerChange<Tx, unknown>, location: string): Promise<string>
  /** The hold for an operation that waits for the node. */
  readonly hold: Hold
}

/** Runs `act` once for each copy of a form. Resolves to the path of the page with the outcome. */
export type Once = (submission: Submission, act: (effect: Effect) => Promise<string>) => Promise<string>

/** Returns the path of a payment's page. */
export function paymentPath(id: string): string {
  return `/wallet/payments/${id}`
}

/**
 * Uses a form's nonce as its user's Idempotency-Key. If a form is sent again, by a second press, by a reload or after a
 * crash, it leads to the outcome of the first time. A second press waits as long as the first is being processed.
 */
export function createOnce({ ledger }: Pick<ServiceParts, 'ledger'>, idempotency: Idempotency): Once {
  const running = new Map<string, Promise<string>>()

  async function begin(submission: Submission, act: (effect: Effect) => Promise<string>): Promise<string> {
    const { userId, nonce, form, body } = submission
    const request = { projectId: `user:${userId}`, key: nonce, operation: form, body }
    const keyed = await idempotency.begin(request).catch((error: unknown) => {
      throw inWordsOfForms(error)
    })
    try {
      if (keyed.claim.kind !== 'fresh') return pathOf(keyed.claim)
      return await act(effectOf(keyed))
    } catch (error) {
      if (error instanceof KeyTaken) return pathOf(error.claim)
      throw error
    } finally {
      keyed.end()
    }
  }

  function effectOf(keyed: KeyedRequest): Effect {
    const together = <T>(change: LedgerChange<Tx, T>, row: ReturnType<KeyedRequest['row']>) =>
      keyed.claiming(() => ledger.commit({ ...change, rows: [...(change.rows ?? []), row] }))
    return {
      async commit(change, location) {
        const movedMoney = (change.entries ?? []).length > 0
        await together(change, keyed.row({ status: 303, body: location }, { movedMoney }))
        return location
      },
      hold: (change, paymentId) => together(change, keyed.boundRow(paymentId)),
    }
  }

  return (submission, act) => {
    const name = `${submission.userId}\n${submission.nonce}`
    const first = running.get(name)
    if (first !== undefined) return first
    const run = begin(submission, act).finally(() => running.delete(name))
    running.set(name, run)
    return run
  }
}

/** Returns the path of the page with the outcome of an earlier submission of the form. */
function pathOf(claim: KeyTaken['claim']): string {
  return claim.kind === 'answered' ? claim.answer.body : paymentPath(claim.paymentId)
}

/** Rewords an error about an Idempotency-Key for somebody who sees only a form. */
function inWordsOfForms(error: unknown): unknown {
  if (!(error instanceof ServiceRefusal)) return error
  switch (error.code) {
    case 'idempotency_key_reused':
    case 'idempotency_key_expired':
      return new WalletProblem(error.status, error.code, (t) => t('errors.usedForm'), error)
    case 'invalid_idempotency_key':
      return new WalletProblem(error.status, error.code, (t) => t('errors.brokenForm'), error)
    default:
      return error
  }
}
