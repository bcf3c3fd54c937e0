import type { Dispatcher } from 'undici'

/**
 * Returns the dispatcher of a bot without custody, which has no provider. It answers each call as a provider that lacks
 * the operation would.
 */
export function noProvider(): Dispatcher {
  const answer = Buffer.from(JSON.stringify({ success: false, message: 'This bot holds no sats (CUSTODY=none).' }))
  const request = async () => ({
    statusCode: 501,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield answer
    })(),
  })
  return { request } as unknown as Dispatcher
}
