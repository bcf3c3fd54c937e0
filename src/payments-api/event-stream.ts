import { type CallbackKind, callbackOccasions } from './callbacks.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { everyOperation } from './refusals.ts'
import { requiredText, shape, text, time } from './response-fields.ts'

/** One event of the stream. Its content is exactly that of a callback, so one program can read both. */
export const signedEvent = shape(
  {
    id: requiredText('The id of the event, and the `webhook-id` of the callback of the same event.'),
    createdAt: time('When it happened.'),
    timestamp: requiredText('The `webhook-timestamp`: when the event was sent here, in seconds since 1970.'),
    signature: text('The `webhook-signature` over `{id}.{timestamp}.{body}`.'),
    body: requiredText('The body of the callback, as text. Check the signature of this text before you parse it.'),
  },
  'SignedEvent',
)

/**
 * The stream of a project's events. It is not an `Operation`, because it has no single answer and runs until it is
 * ended.
 */
export const eventStream = {
  name: 'events',
  verb: 'GET',
  path: '/v0/events',
  family: 'Webhooks',
  scope: 'read',
  additive: true,
  summary: 'Events',
  description:
    'Additive. Streams server-sent events with the contents of callbacks, for all resources of the project, with or without a `callbackUrl`, in the order in which they happened. ' +
    '`event` is the kind of the callback, `id` its `webhook-id`. After a break, send the last id as `Last-Event-ID`: the stream continues after it, if it is at most three days old. ' +
    'Without it, the stream begins with the next event. Events of withdrawal requests are sent only to keys with the scope `send`, because anybody who has their codes can claim the sats.',
  lastEventId: 'The `id` of the last event that you have.',
  refusals: [...everyOperation, 'unknown_field', 'invalid_cursor', 'events_expired', 'too_many_readers'],
} as const satisfies Pick<
  Operation,
  'name' | 'verb' | 'path' | 'family' | 'scope' | 'additive' | 'summary' | 'description' | 'refusals'
> & { readonly lastEventId: string }

/** Returns the scope that a key needs for events of a kind: the scope for reading the resource. */
export function scopeOfEvent(kind: CallbackKind): Operation['scope'] {
  return operations[callbackOccasions[kind].readBy].scope
}
