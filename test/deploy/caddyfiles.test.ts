import { expect, it } from 'vitest'
import { adaptCaddyfile, hasCaddy } from '../support/caddy.ts'

// Without Caddy (apt install caddy), nothing here can run; the gate installs it.
it.skipIf(!hasCaddy)('Caddy accepts both Caddyfiles and routes requests to Satchel’s ports', () => {
  const environment = { SERVICE_PUBLIC_URL: 'https://pay.example.org', CALLBACK_PUBLIC_URL: 'https://tips.example.org' }
  const one = adaptCaddyfile('Caddyfile', environment)
  for (const place of ['satchel:8787', 'satchel:8788']) expect(one).toContain(`"dial":"${place}"`)
  const scale = adaptCaddyfile('deploy/scale.Caddyfile', environment)
  const places = ['pay-1:8787', 'pay-2:8787', 'front-1:8788', 'front-2:8788', 'gateway:8788']
  for (const place of places) expect(scale).toContain(`"dial":"${place}"`)
  expect(scale).toContain('"listen":["0.0.0.0:8787"]')
})
