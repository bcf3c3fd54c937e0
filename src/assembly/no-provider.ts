import type { Dispatcher } from 'undici'

/** Answers each call as a provider without that operation would, because there is no provider without custody. */
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
