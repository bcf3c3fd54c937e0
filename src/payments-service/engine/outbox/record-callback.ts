import type { Row } from '../../../ledger/ledger.ts'
import type { CallbackKind, CallbackWire } from '../../../payments-api/payments-api.ts'
import type { CoreParts } from '../../core/core-parts.ts'
import type { Tx } from '../../core/database.ts'

/** Something to tell a caller, at the `callbackUrl` that was given when the resource was created, and in the stream of events. */
export interface CallbackRecord<Kind extends CallbackKind = CallbackKind> {
  /** The project whose secrets sign it; null for a resource without a project: then nobody gets it. */
  readonly projectId: string | null
  /** Its subject, such as `charge:<id>`: callbacks of one resource arrive in order. */
  readonly resource: string
  /** Empty: only the stream has it. */
  readonly url: string
  readonly kind: Kind
  /** The resource as it is now. */
  readonly body: CallbackWire<Kind>
}

/** The rows for a ledger change, so the callback is as durable as its subject: one, or none. */
export function callbackRows<Kind extends CallbackKind>(
  parts: Pick<CoreParts, 'clock' | 'entropy'>,
  callback: CallbackRecord<Kind>,
): Row[] {
  const values = callbackValues(parts, callback)
  return values === undefined ? [] : [{ table: 'Callback', values }]
}

/** The same from within a change's `write`, where the body depends on what it found. */
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
