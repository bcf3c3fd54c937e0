import { type CallbackKind, callbackOccasions } from './callbacks.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'
import { everyOperation } from './refusals.ts'
import { requiredText, shape, text, time } from './response-fields.ts'

/** One event of the stream, with exactly a callback's content, so one program reads both. */
export const signedEvent = shape(
  {
    id: requiredText('The id of the event, and the `webhook-id` of the callback of the same event.'),
    createdAt: time('When it happened.'),
    timestamp: requiredText('The `webhook-timestamp`: when it was told here, in seconds since 1970.'),
    signature: text('The `webhook-signature` over `{id}.{timestamp}.{body}`.'),
    body: requiredText('The body of the callback, as text: check the signature of this text, and parse it then.'),
  },
  'SignedEvent',
)

/** The stream of a project's events. It is not an `Operation`: it has no answer, and runs until somebody ends it. */
export const eventStream = {
  name: 'events',
  verb: 'GET',
  path: '/v0/events',
  family: 'Webhooks',
  scope: 'read',
  additive: true,
  summary: 'Events',
  description:
    'Additive. Server-sent events: what callbacks tell, of all resources of the project, with and without a `callbackUrl`, in the order in which it happened. ' +
    '`event` is the kind of the callback, `id` its `webhook-id`. After a break, send the last id as `Last-Event-ID`: the stream goes on right after it, for three days. ' +
    'Without it, the stream begins now. Events of withdrawal requests are sent only to keys that may `send`, because their bodies can be cashed.',
  lastEventId: 'The `id` of the last event that you have.',
  refusals: [...everyOperation, 'unknown_field', 'invalid_cursor', 'events_expired', 'too_many_readers'],
} as const satisfies Pick<
  Operation,
  'name' | 'verb' | 'path' | 'family' | 'scope' | 'additive' | 'summary' | 'description' | 'refusals'
> & { readonly lastEventId: string }

/** Returns the scope that a key needs for events of a kind: the same as for reading the resource. */
export function scopeOfEvent(kind: CallbackKind): Operation['scope'] {
  return operations[callbackOccasions[kind].readBy].scope
}
