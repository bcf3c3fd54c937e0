import type { FastifyInstance, FastifyRequest } from 'fastify'
import { eventStream } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import type { Caller } from '../engine/http/operation.ts'
import { admit, type RouteParts } from '../engine/http/routes.ts'
import type { ServiceFeed } from './event-feed.ts'

/** How long a stream can be resumed after an event. */
const RESUMED_FOR_MS = 3 * 24 * 3_600_000

/**
 * Adds the route of the event stream. Streams end when the server closes, and soon after their API key ceases to be
 * valid.
 */
export function addEventRoute(app: FastifyInstance, routes: RouteParts, feed: ServiceFeed): void {
  app.addHook('preClose', () => feed.close())
  app.route({
    method: 'GET',
    url: eventStream.path,
    exposeHeadRoute: false,
    onRequest: (request) => admit(routes, eventStream, request),
    handler: async (request, reply) => {
      refuseQuery(request)
      const caller = routes.callers.get(request) as Caller
      const since = await readPlace(routes, caller, request.headers['last-event-id'])
      const isWelcome = () => isKnown(routes, request)
      await feed.add({ key: caller.keyId, to: caller, response: reply.raw, since, isWelcome })
      return reply.hijack()
    },
  })
}

function refuseQuery(request: FastifyRequest): void {
  const [name] = Object.keys(request.query as object)
  if (name === undefined) return
  throw new ServiceRefusal(
    'unknown_field',
    `The query has no field ${JSON.stringify(name)}. In the header Last-Event-ID, send the id of the last event that you received.`,
  )
}

/**
 * Returns where a stream resumes: the number of an event of this project, or undefined if the stream starts with the
 * next event. Throws ServiceRefusal (invalid_cursor, events_expired).
 */
async function readPlace(
  { parts: { database, bookClock } }: RouteParts,
  { projectId }: Caller,
  header: string | string[] | undefined,
): Promise<number | undefined> {
  if (header === undefined || header === '') return undefined
  if (typeof header !== 'string' || !/^msg_[0-9a-f-]{36}$/.test(header)) {
    throw new ServiceRefusal(
      'invalid_cursor',
      'Last-Event-ID must be the id of an event of this stream. Leave it out to begin with the next event.',
    )
  }
  const where = { messageId: header, projectId }
  const event = await database.read.callback.findFirst({ where, select: { id: true, createdAt: true } })
  if (event !== null && bookClock.mostSince(event.createdAt) <= RESUMED_FOR_MS) return event.id
  throw new ServiceRefusal(
    'events_expired',
    'No event of the last three days has this Last-Event-ID. List Transactions shows what you may have missed. To begin with the next event, leave Last-Event-ID out.',
  )
}

/** Whether a stream's key is still valid. */
async function isKnown({ authentication }: RouteParts, { headers: { apikey }, ip }: FastifyRequest): Promise<boolean> {
  try {
    await authentication.authenticate(typeof apikey === 'string' ? apikey : undefined, ip)
    return true
  } catch (error) {
    if (error instanceof ServiceRefusal) return false
    throw error
  }
}
