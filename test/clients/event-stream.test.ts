import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CommunityClient, PaymentsError } from '../../clients/typescript/src/index.ts'
import {
  type Behaviour,
  type LoopbackProvider,
  refusal,
  startLoopbackProvider,
} from '../payments-api/loopback-provider.ts'
import { hasPython, runPython } from './run-python.ts'

let provider: LoopbackProvider
beforeEach(async () => {
  provider = await startLoopbackProvider()
})
afterEach(() => provider.close())

/**
 * Returns a behaviour that sends these events in small pieces, and then ends the connection in the middle of another.
 */
function stream(...ids: readonly number[]): Behaviour {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' })
    const text = ids.map((id) => `id: ${id}\nevent: tip\ndata: {"type":"tip",\ndata: "amountMsats":"${id}000"}\n\n`)
    for (const piece of `: hello\n\n${text.join('')}id: 9\nevent: ti`.match(/.{1,7}/gs) ?? []) response.write(piece)
    response.end()
  }
}

const PROGRAM = `
import json, sys
from satchel import CommunityClient, PaymentsError
client = CommunityClient(sys.argv[1], "k", sleep=lambda seconds: None)
found = []
try:
    for event in client.read_events(after=sys.argv[2] or None):
        found.append([event.id, event.type, event.data["amountMsats"]])
except PaymentsError as error:
    found.append(error.code)
print(json.dumps(found))
`

type Read = (after?: string) => Promise<unknown[]>

async function inTypeScript(after?: string): Promise<unknown[]> {
  const client = new CommunityClient({ baseUrl: provider.baseUrl, apiKey: 'k', pause: async () => undefined })
  const found: unknown[] = []
  try {
    for await (const { id, type, data } of client.readEvents({ after })) found.push([id, type, data.amountMsats])
  } catch (error) {
    found.push(error instanceof PaymentsError ? (error.code ?? null) : error)
  }
  return found
}

const inPython: Read = async (after = '') => JSON.parse(await runPython(['-c', PROGRAM, provider.baseUrl, after]))

function goesOn(read: Read): void {
  it('resumes after the last event that it read, until its key is refused', async () => {
    provider.answer(stream(1, 2), refusal(503, 'discord_unreachable'), stream(3), refusal(401, 'invalid_key'))
    const told = [1, 2, 3].map((id) => [String(id), 'tip', `${id}000`])
    expect(await read()).toEqual([...told, 'invalid_key'])
    const cursors = provider.seen.map(({ headers }) => headers['last-event-id'])
    expect(cursors).toEqual([undefined, '2', '2', '3'])
    expect(provider.seen[0]?.headers.authorization).toBe('Bearer k')
  })

  it('reports that its position has expired instead of skipping events', async () => {
    provider.answer(refusal(410, 'events_expired'))
    expect(await read('7')).toEqual(['events_expired'])
    expect(provider.seen).toHaveLength(1)
  })

  it('reopens the stream after an event that cannot be read', async () => {
    const broken: Behaviour = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' })
      response.end('id: 1\nevent: tip\ndata: {"type":\n\n')
    }
    provider.answer(broken, stream(2), refusal(401, 'invalid_key'))
    expect(await read()).toEqual([['2', 'tip', '2000'], 'invalid_key'])
  })

  it('does not follow a redirect, so its key goes to no other address', async () => {
    provider.answer((_request, response) => response.writeHead(301, { location: `${provider.baseUrl}/x` }).end())
    expect(await read()).toEqual([null])
    expect(provider.seen).toHaveLength(1)
  })
}

describe('the TypeScript client’s event reader', () => goesOn(inTypeScript))
// Without Python 3.9 or later, nothing could run it.
describe.skipIf(!hasPython)('the Python client’s event reader', () => goesOn(inPython))
