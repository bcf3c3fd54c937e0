import { z } from 'zod'
import { SPANS } from '../../tipping/tipping.ts'
import { dropsAnswer, leaderboardAnswer, problemAnswer, statsAnswer } from './answers.ts'

/** Where the public API begins. */
export const PREFIX = '/api/v1'

/** What can be asked for. */
export const resources = [
  {
    name: 'leaderboard',
    path: `${PREFIX}/servers/{server}/leaderboard`,
    summary: 'Who gave and who got most',
    description:
      'Ten of each at most. Members who have chosen in `/settings` to be left out of leaderboards are in neither list.',
    hasPeriod: true,
    answer: leaderboardAnswer,
  },
  {
    name: 'stats',
    path: `${PREFIX}/servers/{server}/stats`,
    summary: 'How much was given',
    description: 'Sums without names: tips, shares of drops, prizes. What went back to its giver was not given.',
    hasPeriod: true,
    answer: statsAnswer,
  },
  {
    name: 'drops',
    path: `${PREFIX}/servers/{server}/drops`,
    summary: 'The drops that are open',
    description: 'Their shares are taken in Discord, with the button under the drop.',
    hasPeriod: false,
    answer: dropsAnswer,
  },
] as const

/** Any JSON object of the document. */
type Json = { [name: string]: unknown }

/** The public API as an OpenAPI 3.1 document, made from the schemas that its answers are typed by. */
export function publicApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Satchel: public figures',
      version: '1',
      description:
        'Reads what a community has given, for those servers that the operator has opened. It takes no key, and nothing can be changed with it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    paths: Object.fromEntries(resources.map((resource) => [resource.path, { get: describe(resource) }])),
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
              description: 'Since when: a day, 7 days, 30 days, 12 months.',
              schema: period,
            },
          ]
        : []),
      { name: 'If-None-Match', in: 'header', description: 'The ETag of what is known.', schema: { type: 'string' } },
    ],
    responses: {
      200: { description: 'The figures.', headers: cacheHeaders, content: json(answer) },
      304: { description: 'They are what they were.', headers: cacheHeaders },
      400: { description: 'There is no such period.', content: json(problemAnswer) },
      404: { description: 'This server is not open to the public.', content: json(problemAnswer) },
      429: {
        description: 'Too many requests from one address.',
        headers: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } } },
        content: json(problemAnswer),
      },
    },
  }
}

const cacheHeaders = {
  ETag: { description: 'Changes with the figures.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long they may be kept.', schema: { type: 'string' } },
}

function json(schema: z.ZodType): Json {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input' }) as Json
  return { 'application/json': { schema: shape } }
}
