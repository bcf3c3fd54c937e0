import { request } from 'node:http'
import { describe, expect } from 'vitest'
import { attack, installed } from './installation.ts'

/** Web pages, tunnels and neighbours attack the ports that are open to this machine alone. */
const world = installed()

/** Sends a request whose Host header differs from the host that it is sent to, which `fetch` does not permit. */
function askUnder(host: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { port } = new URL(world().url)
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { ...headers, host } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject).end()
  })
}

describe('servers for this machine only', () => {
  attack('/metrics through a tunnel that passes on the host name or the caller', 'it is refused', async () => {
    for (const host of ['pay.example.org', '203.0.113.9:8787', 'localhost.evil.example', 'evil.example:80']) {
      expect(await askUnder(host, '/metrics'), host).toBe(403)
    }
    for (const name of ['x-forwarded-for', 'x-real-ip', 'x-forwarded-proto', 'forwarded', 'via']) {
      expect(await askUnder('localhost', '/metrics', { [name]: 'for=203.0.113.9' }), name).toBe(403)
    }
    expect(await askUnder('localhost', '/metrics')).toBe(200)
  })

  attack('another project’s callbacks to the bot’s own server', 'they are refused', async () => {
    const { apiKey } = await world().project()
    for (const host of [world().callbacksUrl, world().url]) {
      const callbackUrl = `${host}/callbacks/${'0'.repeat(64)}`
      const answer = await world().ask('/v0/withdrawal-requests', { apiKey, body: { amount: '1000', callbackUrl } })
      expect(answer.status, host).toBe(400)
    }
  })

  attack('a thousand Idempotency-Keys from a read-only API key', 'the book stores none of them', async () => {
    const { administration, phone } = world()
    const project = await world().project()
    const { apiKey } = await administration.createKey(project.projectId, { scopes: ['read'] })
    const { invoice } = await phone.invoice(5_000n)
    const rows = () => world().stored('payments', 'SELECT count(*) FROM "IdempotencyKey"')
    const before = await rows()
    for (let round = 0; round < 10; round += 1) {
      const ask = (n: number) =>
        world().ask('/v0/decode-invoice', {
          ...{ apiKey, body: { invoice } },
          headers: { 'idempotency-key': `read-${round}-${n}` },
        })
      const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => ask(n)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    }
    expect((await rows()) - before).toBe(0n)
  })
})
