import { expect, it } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { Problem } from '../../../src/lib/problem.ts'
import { createBackend, type NodeSettings } from '../../../src/payments-service/engine/node/backend-list.ts'

const parts = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
/** The URL of a port on which nothing listens. */
const url = 'http://127.0.0.1:9'
const uri = `nostr+walletconnect://${'ab'.repeat(32)}?relay=ws%3A%2F%2F127.0.0.1%3A9&secret=${'cd'.repeat(32)}`

it.each<NodeSettings>([
  { kind: 'lnd', url, macaroon: '00', certificate: undefined },
  { kind: 'core-lightning', url, rune: 'rune', certificate: undefined },
  { kind: 'phoenixd', url, password: 'password' },
  { kind: 'nwc', uri, encryption: 'auto' },
  { kind: 'remote-sandbox', url, token: 'token' },
])('a $kind backend is created even if its node is unreachable, and reports this', async (settings) => {
  const backend = await createBackend(settings, parts)
  expect(backend.kind).toBe(settings.kind === 'remote-sandbox' ? 'sandbox' : settings.kind)
  expect(await backend.health()).toMatchObject({ state: 'away' })
  await expect(backend.info()).rejects.toThrow()
  await backend.close()
})

it('a backend is refused if its NWC connection can never work', async () => {
  await expect(
    createBackend({ kind: 'nwc', uri: 'https://example.com', encryption: 'auto' }, parts),
  ).rejects.toBeInstanceOf(Problem)
})
