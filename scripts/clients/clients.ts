import { z } from 'zod'
import { openApiDocument } from '../../src/payments-api/openapi.ts'
import type { Operation } from '../../src/payments-api/operation.ts'
import { operations } from '../../src/payments-api/operations.ts'
import { provingCodes } from '../../src/payments-api/refusals.ts'
import { publicApiDocument } from '../../src/web/public-api/document.ts'
import { type Api, type Beyond, type OpenApi, readApi } from './api-model.ts'
import { pythonOf } from './python.ts'
import { typescriptOf } from './typescript.ts'

/** The conflicts and outages of the bot's API that prove that a request did nothing, with their statuses. */
const CODES_OF_BOT = { idempotency_conflict: 409, discord_unreachable: 503, too_many_readers: 503 }

/** Returns the APIs of both documents. */
function apis(): readonly Api[] {
  const service = openApiDocument({ version: '1', serverUrl: 'https://pay.example.com' }) as unknown as OpenApi
  const bot = publicApiDocument() as unknown as OpenApi
  return [
    readApi(
      {
        client: 'PaymentsClient',
        about: 'The client of the payments service: charges, payments, vouchers, and the wallet of a project.',
        hasEnvelope: true,
        provingCodes,
      },
      service,
      beyond,
    ),
    readApi(
      {
        client: 'CommunityClient',
        about: 'The client of the bot: rewards for members, and events in a server.',
        hasEnvelope: false,
        provingCodes: CODES_OF_BOT,
      },
      bot,
      () => ({}),
    ),
  ]
}

function beyond(name: string): Beyond {
  const operation: Operation | undefined = Object.values<Operation>(operations).find((each) => each.name === name)
  if (operation === undefined) return {}
  const { read } = operation.response.data
  const fields = read instanceof z.ZodObject ? Object.entries<z.ZodType>(read.shape) : []
  const mayLack = new Set(fields.filter(([, field]) => field.safeParse(undefined).success).map(([field]) => field))
  return { host: operation.host, idempotent: operation.idempotent, mayLack }
}

/** Returns the generated files of both clients, by their paths in the project. */
export function generatedClients(): ReadonlyMap<string, string> {
  return new Map(
    apis().flatMap((api) => {
      const file = api.hasEnvelope ? 'payments' : 'community'
      return [
        [`clients/typescript/src/generated/${file}.ts`, typescriptOf(api)],
        [`clients/python/satchel/${file}.py`, pythonOf(api)],
      ] as const
    }),
  )
}
