import type { Row } from '../../../ledger/ledger.ts'
import type { CallbackKind, CallbackWire } from '../../../payments-api/payments-api.ts'
import type { CoreParts } from '../../core/core-parts.ts'
import type { Tx } from '../../core/database.ts'

/**
 * A notification for a caller, who gets it at the `callbackUrl` that was given when the resource was created, and in
 * the stream of events.
 */
export interface CallbackRecord<Kind extends CallbackKind = CallbackKind> {
  /**
   * The project whose secrets sign the callback; null for a resource without a project, whose callbacks nobody
   * receives.
   */
  readonly projectId: string | null
  /** The callback's subject, such as `charge:<id>`. Callbacks of one resource arrive in order. */
  readonly resource: string
  /** The URL to call; empty if the callback is only in the stream. */
  readonly url: string
  readonly kind: Kind
  /** The resource in its present state. */
  readonly body: CallbackWire<Kind>
}

/** Returns the rows for a ledger change, one or none, so the callback is as durable as its subject. */
export function callbackRows<Kind extends CallbackKind>(
  parts: Pick<CoreParts, 'clock' | 'entropy'>,
  callback: CallbackRecord<Kind>,
): Row[] {
  const values = callbackValues(parts, callback)
  return values === undefined ? [] : [{ table: 'Callback', values }]
}

/** Records a callback inside a change's `write`, for a body that depends on what the write found. */
export async function recordCallback<Kind extends CallbackKind>(
  parts: Pick<CoreParts, 'clock' | 'entropy'>,
  tx: Tx,
  callback: CallbackRecord<Kind>,
): Promise<void> {
  const values = callbackValues(parts, callback)
  if (values !== undefined) await tx.callback.create({ data: values })
}

function callbackValues({ clock, entropy }: Pick<CoreParts, 'clock' | 'entropy'>, callback: CallbackRecord) {
  const { projectId, resource, url, kind, body } = callback
  if (projectId === null) return undefined
  const createdAt = new Date(clock.now())
  const delivery =
    url === ''
      ? { receiver: '', nextAttemptAt: null, deliveredAt: createdAt }
      : { receiver: new URL(url).origin, nextAttemptAt: createdAt, deliveredAt: null }
  const messageId = `msg_${entropy.uuid()}`
  return { messageId, projectId, resource, kind, url, body: JSON.stringify(body), createdAt, ...delivery }
}
