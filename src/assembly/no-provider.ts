import type { Dispatcher } from 'undici'

/** Without custody there is no provider: each call is answered here, as by one that has no such operation. */
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
