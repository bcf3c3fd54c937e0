import fastify from 'fastify'
import { expect, it } from 'vitest'
import { addSecurityHeaders } from '../../../src/payments-service/engine/http/security-headers.ts'

const ALWAYS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

it.each([
  ['https://tips.example', 'max-age=15768000'],
  ['http://127.0.0.1:8787', undefined],
])('every answer from %s forbids caching, sniffing and framing and has an id', async (publicUrl, tls) => {
  const app = fastify({ genReqId: () => 'request-7' })
  addSecurityHeaders(app, { publicUrl })
  app.get('/', () => 'here')
  for (const url of ['/', '/nowhere']) {
    const { headers } = await app.inject(url)
    expect(headers).toMatchObject({ ...ALWAYS, 'x-request-id': 'request-7' })
    expect(headers['strict-transport-security']).toBe(tls)
  }
  await app.close()
})
