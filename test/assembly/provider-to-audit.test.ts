import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditOptions } from '../../src/assembly/audit/audit.ts'
import { providerToAudit } from '../../src/assembly/audit/provider-to-audit.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { json, type LoopbackProvider, refusal, startLoopbackProvider } from '../payments-api/loopback-provider.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { PROJECT, smallBooks } from './small-books.ts'

const runtime = { clock: new ManualClock(), entropy: systemEntropy, logger: silentLogger }

/** Opens a remote provider for an audit; returns the provider, and a function that closes it. */
async function open(baseUrl: string, clock: Clock = runtime.clock) {
  const { folder } = await smallBooks()
  const config = parseConfig({ DATA_FOLDER: folder, PAYMENTS_BASE_URL: baseUrl, PAYMENTS_API_KEY: 'a-key' })
  const { source, close } = await providerToAudit(config, { ...runtime, clock })
  if (source.kind !== 'elsewhere') throw new Error(`it is ${source.kind}`)
  return { source, close }
}

const wallet = (balance: string) =>
  json(200, { success: true, message: 'ok', data: { id: 'w', name: 'w', unit: 'msats', balance } })

describe('an audited remote provider', () => {
  let provider: LoopbackProvider
  let source: Extract<AuditOptions['provider'], { kind: 'elsewhere' }>
  let close: () => Promise<void>
  beforeEach(async () => {
    provider = await startLoopbackProvider()
    ;({ source, close } = await open(provider.baseUrl))
  })
  afterEach(async () => {
    await close()
    await provider.close()
  })

  it('is asked for the wallet’s balance with the bot’s key', async () => {
    provider.answer(wallet('7001'))
    expect(await source.askWallet()).toBe(7_001n)
    expect(provider.seen).toMatchObject([{ method: 'GET', url: '/v0/wallet', headers: { apikey: 'a-key' } }])
  })

  it('is quoted if it refuses a request, and the audit continues', async () => {
    provider.answer(refusal(403, 'forbidden', 'This key may not read.'))
    expect(await source.askWallet()).toContain('This key may not read.')
    expect(await source.askAddresses([{ chargeId: 'charge-1', credited: 0 }])).toBeUndefined()
  })

  it('is asked for the uncredited payments to each address, page by page', async () => {
    const page = (first: number, count: number) =>
      json(200, {
        ...{ success: true, message: 'ok' },
        data: {
          payments: Array.from({ length: count }, (_, i) => ({
            ...{
              id: `p-${first + i}`,
              slot: first + i,
              amount: '1000',
              comment: '',
              settledAt: '2030-01-01T00:00:00.000Z',
            },
          })),
        },
      })
    expect(await source.askAddresses([])).toBe(0n)
    provider.answer(page(6, 100), page(106, 2), page(1, 0))
    const addresses = [
      { chargeId: 'charge-1', credited: 5 },
      { chargeId: 'charge-2', credited: 0 },
    ]
    expect(await source.askAddresses(addresses)).toBe(102_000n)
    expect(provider.seen.map(({ url }) => url)).toEqual([
      '/v0/static-charges/charge-1/payments/5',
      '/v0/static-charges/charge-1/payments/105',
      '/v0/static-charges/charge-2/payments/0',
    ])
  })

  it('receives no request after its connection is closed', async () => {
    const other = await open(provider.baseUrl)
    await other.close()
    provider.answer(wallet('7001'))
    expect(await runtime.clock.advanceUntil(other.source.askWallet())).toBeTypeOf('string')
    expect(provider.seen).toEqual([])
  })

  it('is not blamed for an error in Satchel’s own code', async () => {
    const clock = Object.assign(new ManualClock(), {
      after: () => {
        throw new Error('a broken clock')
      },
    })
    const broken = await open(provider.baseUrl, clock)
    provider.answer(refusal(503, undefined))
    await expect(broken.source.askWallet()).rejects.toThrow('a broken clock')
    await expect(broken.source.askAddresses([{ chargeId: 'x', credited: 0 }])).rejects.toThrow('a broken clock')
    await broken.close()
  })
})

describe('an audited bundled service', () => {
  it('is read from its book, for the project whose key is in the data folder', async () => {
    const { folder, payments, config } = await smallBooks()
    const { source, close } = await providerToAudit(config, runtime)
    expect(source).toEqual({ kind: 'in the box', database: payments, projectId: PROJECT })
    await close()
    rmSync(join(folder, 'own-project.json'))
    const keyless = await providerToAudit(config, runtime)
    expect(keyless.source).toEqual({ kind: 'in the box', database: payments, projectId: undefined })
  })

  it('is compared with its node if the node is real', async () => {
    const { folder } = await smallBooks()
    const node = { LIGHTNING_BACKEND: 'phoenixd', PHOENIXD_URL: 'http://127.0.0.1:1', PHOENIXD_PASSWORD: 'x' }
    const config = parseConfig({ DATA_FOLDER: folder, LIQUIDITY_ALERT_PERCENT: '42', ...node })
    const { source, close } = await providerToAudit(config, runtime)
    expect(source).toMatchObject({
      ...{ kind: 'in the box', projectId: PROJECT },
      node: { backend: { kind: 'phoenixd' }, liquidityAlertPercent: 42 },
    })
    await close()
  })
})
