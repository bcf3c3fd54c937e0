import { now } from '../../core/context.ts'
import type { PollingContext } from './poller.ts'

const MAX_CLAIM_LENGTH = 16 * 1_024

/**
 * Notes a callback to the address with this token, and resolves when the note is durable. Stores the callback's body
 * for the one case in which nothing can be read from the provider, but never trusts it.
 */
export async function takeHint(context: PollingContext, token: string, said: unknown): Promise<'noted' | 'unknown'> {
  const job = await context.database.read.pollJob.findUnique({ where: { token } })
  if (job === null) return 'unknown'
  // Undefined has no JSON.
  const text = JSON.stringify(said) as string | undefined
  await context.commit({
    write: (tx) =>
      tx.pollJob.update({
        where: { id: job.id },
        data: {
          hints: { increment: 1 },
          nextAt: now(context),
          ...(text === undefined || text.length > MAX_CLAIM_LENGTH ? {} : { said: text }),
        },
      }),
  })
  void context.poller.wake()
  return 'noted'
}
