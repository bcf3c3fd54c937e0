import { z } from 'zod'
import {
  DISCORD_ID,
  eventAnswer,
  IDEMPOTENCY_KEY,
  memberAnswer,
  problemAnswer,
  rewardAnswer,
  rewardRequest,
} from './answers.ts'
import { PREFIX } from './prefix.ts'

/** Any JSON object of the document. */
type Json = { [name: string]: unknown }

/** Refusals that any request with a key can meet. */
const ADMISSION = {
  401: 'There is no such key, it is revoked, or it has expired.',
  403: 'The key lacks the scope, or its moderator may not reward any more.',
  429: 'Too many requests of one key, or too many wrong keys of one address. `Retry-After` says when to go on.',
}

/** Describes the routes for keys as paths of an OpenAPI document. */
export function keyedPaths(): Json {
  return {
    [`${PREFIX}/rewards`]: { post: giveReward() },
    [`${PREFIX}/rewards/{id}`]: { get: readReward() },
    [`${PREFIX}/members/{member}`]: { get: readMember() },
    [`${PREFIX}/events`]: { get: readEvents() },
  }
}

function giveReward(): Json {
  return {
    operationId: 'giveReward',
    summary: 'Give a reward',
    description:
      'Pays a member from the server’s pool or wallet, as the moderator who made the key would with `/reward`. Above the server’s approval limit, the reward waits for a second moderator. A card in Discord shows it. Needs the scope `rewards`.',
    security: [{ key: [] }],
    parameters: [
      {
        ...{ name: 'Idempotency-Key', in: 'header', required: true },
        schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
        description:
          'Your own id for this reward, up to 200 characters. Send it again to get the same reward again; nothing is paid twice.',
      },
    ],
    requestBody: { required: true, content: json(rewardRequest) },
    responses: {
      201: { description: 'The reward.', content: json(rewardAnswer) },
      ...problems({
        400: 'The body or the Idempotency-Key cannot be read.',
        ...ADMISSION,
        404: 'The receiver is not a member of the server.',
        409: 'The Idempotency-Key belongs to another reward.',
        422: 'The reward was refused: see the codes below.',
        503: 'Discord or the database cannot be reached right now. Send the same request again.',
      }),
    },
  }
}

function readReward(): Json {
  return {
    operationId: 'readReward',
    summary: 'Read a reward',
    description: 'Reads a reward that a key of this server gave. Needs the scope `rewards`.',
    security: [{ key: [] }],
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id in the answer to Give a reward.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: 'The reward.', content: json(rewardAnswer) },
      ...problems({ ...ADMISSION, 404: 'No key of this server gave such a reward.' }),
    },
  }
}

function readMember(): Json {
  const schema = { type: 'string', pattern: DISCORD_ID.source }
  return {
    operationId: 'readMember',
    summary: 'Look up a member',
    description:
      'Says whether a person is a member of the server and has linked a gamertag. It reports no balance. Needs the scope `members`.',
    security: [{ key: [] }],
    parameters: [{ name: 'member', in: 'path', required: true, description: 'A Discord id.', schema }],
    responses: {
      200: { description: 'The member.', content: json(memberAnswer) },
      ...problems({
        ...ADMISSION,
        404: 'Nobody with this id is a member of the server.',
        503: 'Discord cannot be reached right now. Send the same request again.',
      }),
    },
  }
}

function readEvents(): Json {
  const { 'application/json': event } = json(eventAnswer) as { 'application/json': Json }
  return {
    operationId: 'readEvents',
    summary: 'Read events',
    description:
      'Streams server-sent events for tips, rewards, drops, giveaways and gifts to the pool, each within a second, in the order of the book. A reward or tip for a newcomer arrives when it is given, not when they claim it; a reward above the approval limit arrives when it is approved. The stream contains only events from channels that everybody in the server can see. A program that does not read is disconnected when 128 KiB wait for it. Needs the scope `events`.',
    security: [{ key: [] }],
    parameters: [
      {
        ...{ name: 'Last-Event-ID', in: 'header', schema: { type: 'string' } },
        description:
          'The id of the last event that you have. The stream goes on after it, without a gap, for the last 20,000 entries of the bot’s book.',
      },
    ],
    responses: {
      200: { description: 'A stream; `data` of each event is JSON.', content: { 'text/event-stream': event } },
      ...problems({
        400: 'Last-Event-ID is not an id.',
        ...ADMISSION,
        410: 'This Last-Event-ID is unknown, or too much has happened since. To begin with the next event, send no Last-Event-ID.',
        503: 'Discord is not connected, or too many programs are reading events right now.',
      }),
    },
  }
}

/**
 * Describes a route's problems. `default` stands for the problems of any request before it is read, such as a body that
 * is too large.
 */
function problems(told: Readonly<Record<number, string>>): Json {
  const described = Object.entries({ ...told, default: 'Any other problem. The code and the message say which.' }).map(
    ([status, description]) => [status, { description, content: json(problemAnswer) }],
  )
  return Object.fromEntries(described)
}

function json(schema: z.ZodType): Json {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' }) as Json
  return { 'application/json': { schema: shape } }
}
