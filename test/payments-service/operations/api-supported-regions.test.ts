import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeAll(async () => {
  world = await ServiceWorld.open({ settings: { unsupportedCountries: ['us'] } })
  project = await world.project(msats(0))
})

afterAll(() => world.close())

const region = (ip: string) =>
  world.raw('GET', `/v0/is-supported-region/${encodeURIComponent(ip)}`, { apiKey: project.apiKey })

describe('API Supported Regions', () => {
  it.each([
    ['193.0.6.139', 'NL', true],
    ['8.8.8.8', 'US', false],
    ['::ffff:8.8.8.8', 'US', false],
    ['2001:67c:2e8:22::c100:68b', 'NL', true],
    ['127.0.0.1', '', true],
    ['fe80::1', '', true],
    ['fe80::1%eth0', '', true],
  ])('places the IP address %s in the country "%s"', async (ipAddress, ipCountry, isSupported) => {
    const { status, json } = await region(ipAddress)
    expect(status).toBe(200)
    expect(json).toEqual({ success: true, data: { ipAddress, isSupported, ipCountry, ipRegion: '' } })
  })

  it.each(['1.2.3', '256.1.1.1', 'localhost', '1.2.3.4/8', '💸'])('refuses the invalid IP address %s', async (ip) => {
    expectRefusal(await region(ip), 400, 'invalid_field')
  })
})

describe('a service with enforced regions', () => {
  it('refuses callers from an unsupported country but no others', async () => {
    const settings = { unsupportedCountries: ['US'], enforceRegions: true, trustProxy: true }
    const enforcing = await ServiceWorld.open({ settings })
    const { apiKey } = await enforcing.project(msats(0))
    const from = (ip: string) => enforcing.raw('GET', '/v0/wallet', { apiKey, headers: { 'x-forwarded-for': ip } })
    expectRefusal(await from('8.8.8.8'), 403, 'region_not_supported')
    expect((await from('193.0.6.139')).status).toBe(200)
    expect((await enforcing.raw('GET', '/v0/wallet', { apiKey })).status).toBe(200)
    await enforcing.close()
  })

  it('accepts a caller for whom the proxy names no valid address', async () => {
    const settings = { unsupportedCountries: ['US'], enforceRegions: true, trustProxy: true }
    const enforcing = await ServiceWorld.open({ settings })
    const { apiKey } = await enforcing.project(msats(0))
    for (const ip of ['unknown', '_hidden', "'--", '8.8.8.8.8', '::ffff:%']) {
      const answer = await enforcing.raw('GET', '/v0/wallet', { apiKey, headers: { 'x-forwarded-for': ip } })
      expect(answer.status).toBe(200)
    }
    await enforcing.close()
  })

  it('blocks the wallet page and the LNURL routes, each in its own format', async () => {
    const settings = { unsupportedCountries: ['US'], enforceRegions: true, trustProxy: true }
    const enforcing = await ServiceWorld.open({ settings })
    const { client } = await enforcing.project()
    await enforcing.user('alice')
    const { data: offer } = await client.createWithdrawalRequest({ amount: sats(10) })
    const claim = decodeLnurl(offer.invoice.request, { allowLoopbackHttp: true })
    const routes = [
      '/.well-known/lnurlp/alice',
      '/.well-known/lnurlp/alice/callback?amount=1000',
      claim.pathname + claim.search,
    ]
    const ask = (path: string, ip: string) => enforcing.raw('GET', path, { headers: { 'x-forwarded-for': ip } })
    for (const route of routes) {
      const refused = await ask(route, '8.8.8.8')
      expect(refused.json).toEqual({ status: 'ERROR', reason: expect.stringContaining('not offered in the region') })
      expect((await ask(route, '193.0.6.139')).json.status).toBeUndefined()
    }
    const page = await ask('/wallet', '8.8.8.8')
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(page.text).toContain('This service is not offered in the region you call from (US).')
    const style = /href="(\/wallet\/assets\/[^"]+css[^"]*)"/.exec(page.text)?.[1] ?? ''
    expect((await ask(style, '8.8.8.8')).status).toBe(200)
    expect((await ask('/wallet', '193.0.6.139')).status).toBe(401)
    expect((await ask('/health', '8.8.8.8')).status).toBe(200)
    await enforcing.close()
  })

  it('ignores X-Forwarded-For unless the operator trusts the proxy', async () => {
    const enforcing = await ServiceWorld.open({ settings: { unsupportedCountries: ['US'], enforceRegions: true } })
    const { apiKey } = await enforcing.project(msats(0))
    const headers = { 'x-forwarded-for': '8.8.8.8' }
    expect((await enforcing.raw('GET', '/v0/wallet', { apiKey, headers })).status).toBe(200)
    await enforcing.close()
  })
})

describe('unreadable region data', () => {
  it('is reported at the start with the setting to change', async () => {
    const opening = ServiceWorld.open({ settings: { regionDatabase: '/nowhere/regions.mmdb' } })
    await expect(opening).rejects.toThrow(/regions\.mmdb cannot be read.*REGION_DATABASE/)
  })
})

itKeepsEveryPromise(operations.apiSupportedRegions)
