import { describe, expect, it } from 'vitest'
import { hubPage } from '../../src/bot/connect-pages/hub-page.ts'

const begun = { client: 'ab'.repeat(32), returnTo: 'https://tips.example.org/wallet/connect?state=xyz' }
const pageOf = (hub: string, change: Partial<{ budget: string; isolated: boolean }> = {}) =>
  hubPage({ hub, budget: '10000', isolated: false, ...change }, begun)

it('the connect page asks a hub for rights and a monthly budget', () => {
  const page = pageOf('https://my.albyhub.com') as URL
  expect(page.origin + page.pathname).toBe('https://my.albyhub.com/apps/new')
  expect(Object.fromEntries(page.searchParams)).toEqual({
    name: 'Satchel',
    pubkey: begun.client,
    return_to: begun.returnTo,
    max_amount: '10000000',
    budget_renewal: 'monthly',
    request_methods: 'get_info pay_invoice make_invoice lookup_invoice get_balance',
  })
})

it('the connect page asks a hub for no budget or rights if the wallet is isolated', () => {
  const page = pageOf('my.albyhub.com', { isolated: true, budget: '' }) as URL
  expect(Object.fromEntries(page.searchParams)).toEqual({
    ...{ name: 'Satchel', pubkey: begun.client, return_to: begun.returnTo, isolated: 'true' },
  })
})

describe('the connect page', () => {
  it.each([
    ['my.albyhub.com', 'https://my.albyhub.com/apps/new'],
    [' https://hub.example.org/ ', 'https://hub.example.org/apps/new'],
    ['https://hub.example.org/apps/new?name=x#y', 'https://hub.example.org/apps/new'],
    ['https://example.org/hub', 'https://example.org/hub/apps/new'],
    ['http://umbrel.local:59000', 'http://umbrel.local:59000/apps/new'],
    ['http://localhost:8080/apps', 'http://localhost:8080/apps/new'],
    ['http://[::1]:8080', 'http://[::1]:8080/apps/new'],
    ['http://abcdef.onion', 'http://abcdef.onion/apps/new'],
  ])('accepts the hub’s address: %s', (hub, page) => {
    const url = pageOf(hub) as URL
    expect(url.origin + url.pathname).toBe(page)
  })

  it.each([
    ...['http://hub.example.org', 'http://192.168.1.5', 'javascript:alert(1)', 'ftp://hub.example.org', 'hub'],
    ...['', 'https://me:pass@hub.example.org', 'http://localhost.example.org', 'http://evil.org/x.local', 'a b'],
  ])('refuses the hub’s address: %s', (hub) => {
    expect(pageOf(hub)).toBe('hub-address')
  })

  it.each(['', '0', '-1', '1.5', '1e3', 'all', '1234567890123'])('refuses a monthly budget of %j', (budget) => {
    expect(pageOf('my.albyhub.com', { budget })).toBe('hub-budget')
  })
})
