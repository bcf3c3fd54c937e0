import { z } from 'zod'
import { SPANS } from '../../tipping/tipping.ts'
import { dropsAnswer, leaderboardAnswer, problemAnswer, statsAnswer } from './answers.ts'
import { keyedPaths } from './keyed-document.ts'
import { PREFIX } from './prefix.ts'

/** The public resources of the interface, which need no key. */
export const resources = [
  {
    name: 'leaderboard',
    path: `${PREFIX}/servers/{server}/leaderboard`,
    summary: 'Leaderboard',
    description:
      'Returns the top ten givers and receivers. Neither list contains members who opted out of leaderboards in `/settings`.',
    hasPeriod: true,
    answer: leaderboardAnswer,
  },
  {
    name: 'stats',
    path: `${PREFIX}/servers/{server}/stats`,
    summary: 'Stats',
    description:
      'Returns totals of tips, shares of drops and prizes, without names. A gift that went back to its giver does not count.',
    hasPeriod: true,
    answer: statsAnswer,
  },
  {
    name: 'drops',
    path: `${PREFIX}/servers/{server}/drops`,
    summary: 'Open drops',
    description:
      'Lists the open drops in channels that everybody in the server can see. Members take shares in Discord, with the button under the drop.',
    hasPeriod: false,
    answer: dropsAnswer,
  },
] as const

/** Any JSON object of the document. */
type Json = { [name: string]: unknown }

/** Builds the OpenAPI 3.1 document of the public API from the schemas of its answers. */
export function publicApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Satchel: the public API',
      version: '1',
      description:
        'With a key that a moderator creates in Discord, a community’s programs can give rewards and receive events. Public figures need no key.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    paths: {
      ...keyedPaths(),
      ...Object.fromEntries(resources.map((resource) => [resource.path, { get: describe(resource) }])),
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'From `/api-key create`.' } },
    },
  }
}

function describe({ name, summary, description, hasPeriod, answer }: (typeof resources)[number]): Json {
  const server = { type: 'string', pattern: '^\\d+$' }
  const period = { type: 'string', enum: SPANS, default: 'month' }
  return {
    operationId: name,
    summary,
    description,
    parameters: [
      { name: 'server', in: 'path', required: true, description: "The server's Discord id.", schema: server },
      ...(hasPeriod
        ? [
            {
              name: 'period',
              in: 'query',
              description: 'The period up to now: a day, 7 days, 30 days, 12 months.',
              schema: period,
            },
          ]
        : []),
      {
        name: 'If-None-Match',
        in: 'header',
        description: 'The ETag of the last known answer.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: 'The figures.', headers: cacheHeaders, content: json(answer) },
      304: { description: 'The figures have not changed.', headers: cacheHeaders },
      400: { description: 'The period does not exist.', content: json(problemAnswer) },
      404: { description: 'This server is not public.', content: json(problemAnswer) },
      429: {
        description: 'Too many requests from one address.',
        headers: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } } },
        content: json(problemAnswer),
      },
      default: { description: 'Any other problem. The code and the message say which.', content: json(problemAnswer) },
    },
  }
}

const cacheHeaders = {
  ETag: { description: 'Changes with the figures.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long clients may cache the figures.', schema: { type: 'string' } },
}

function json(schema: z.ZodType): Json {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' }) as Json
  return { 'application/json': { schema: shape } }
}
