import { PaymentsError } from '../../src/payments-api/payments-api.ts'
import { Bug } from '../world/world.ts'
import type { Stage } from './people.ts'

/**
 * Repeats a request with one key until the outcome is certain. Resolves to the answer; undefined after a refusal that
 * proves that nothing happened. Once there is doubt, only a stored refusal proves that, except for harmless requests,
 * whose answers are not stored.
 */
export async function persistently<T>(
  stage: Stage,
  ask: () => Promise<T>,
  twice: 'harmless' | 'stored' = 'stored',
): Promise<T | undefined> {
  for (let doubt = false; ; ) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error
      // This service stores a key's answer in the commit of its effect, so “paid already” is about another request.
      const { replayed, status = 500 } = error
      // Half of a success is not a refusal, even if it is stored.
      const stored = replayed && status >= 400 && status < 500
      const proof = stored || (error.kind === 'refused' && twice === 'harmless')
      if (proof || (!doubt && error.happened === 'no')) {
        stage.note(`stranger: refused ${error.code ?? error.message}`)
        return undefined
      }
      doubt ||= error.happened === 'maybe'
      stage.note(`stranger: asks again after ${error.code ?? error.message}`)
    }
    await stage.pause(30_000)
  }
}

/** Repeats `read` until there is an answer. */
export async function surely<T>(stage: Stage, read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof PaymentsError)) throw error
      if (error.status === 404) throw new Bug(`what was made is not found: ${error.message}`)
    }
    await stage.pause(10_000)
  }
}
