import { request as rawRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startPage } from './page-fixture.ts'

describe('the host name in a request', () => {
  async function statusFor(host: string): Promise<number | undefined> {
    const { port } = new URL((await startPage()).page.url)
    return new Promise((resolve, reject) => {
      const options = { port, path: '/api/people', host: '127.0.0.1', headers: { host } }
      rawRequest(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
  }

  test.each(['localhost:8790', '127.0.0.1', '[::1]:8790', 'satchel.localhost'])(
    'is accepted if it is %s',
    async (host) => {
      expect(await statusFor(host)).toBe(200)
    },
  )

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:8790', 'a b'])(
    'is refused if it is %s, to prevent DNS rebinding',
    async (host) => {
      expect(await statusFor(host)).toBe(403)
    },
  )
})
