import { afterEach, expect, test } from 'vitest'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWebServer, type WebServer } from '../../src/web/web-server.ts'
import { ManualClock } from '../support/manual-clock.ts'

let server: WebServer
let sent = 3
afterEach(() => server.close())

async function serve(guard: { metricsToken?: string; publicUrl?: string } = {}) {
  server = await createWebServer({
    tipping: { hint: async () => 'unknown' },
    metrics: {
      calls: () => ({
        ...{ permits: 40, inUse: 7, rateLimited: 1, invalid: 12 },
        waiting: { answer: 0, card: 2, background: 300 },
        sent: { answer: sent, card: 5, background: 0 },
      }),
      instance: 'gateway-1',
      trustProxy: false,
      ...guard,
    },
    port: 0,
    clock: new ManualClock(),
    logger: silentLogger,
  })
}
const ask = (headers: Record<string, string> = {}) => fetch(`${server.address}/metrics`, { headers })

test('the metrics show calls to Discord in Prometheus’s format, with current figures', async () => {
  await serve()
  const first = await (await ask()).text()
  expect(first).toContain('satchel_discord_permits 40\n')
  expect(first).toContain('satchel_discord_permits_in_use 7\n')
  expect(first).toContain('satchel_discord_calls_waiting{urgency="background"} 300\n')
  expect(first).toContain('satchel_discord_calls_total{urgency="answer"} 3\n')
  expect(first).toContain('satchel_discord_rate_limited_total 1\n')
  expect(first).toContain('satchel_discord_invalid_calls 12\n')
  expect(first).toContain('target_info{service_name="satchel-bot",service_instance_id="gateway-1"} 1\n')

  sent = 4
  expect(await (await ask()).text()).toContain('satchel_discord_calls_total{urgency="answer"} 4\n')
})

test('the metrics of a bot with a public address can be read only with a token', async () => {
  await serve({ publicUrl: 'https://tips.example.org' })
  expect((await ask()).status).toBe(403)
  await server.close()
  await serve({ publicUrl: 'https://tips.example.org', metricsToken: 'secret-of-prometheus' })
  expect((await ask()).status).toBe(403)
  expect((await ask({ authorization: 'Bearer secret-of-prometheus' })).status).toBe(200)
})
