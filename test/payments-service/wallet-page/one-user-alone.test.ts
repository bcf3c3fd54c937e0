import { beforeEach, describe, expect, it } from 'vitest'
import { createQrPictures } from '../../../src/lib/lightning/qr-pictures.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { openSilentHost } from '../../support/silent-host.ts'
import { ServiceWorld } from '../harness.ts'
import { signedIn, words } from './browser.ts'

/** Tests the limits on one user's requests, which keep other users from waiting. */

let world: ServiceWorld
let alice: Awaited<ReturnType<typeof signedIn>>
beforeEach(async () => {
  world = await ServiceWorld.open()
  alice = await signedIn(world, 'alice')
})
describe('one user of the wallet page', () => {
  it('gets a limited number of pages a second without affecting other users', async () => {
    await world.clock.advance(60_000)
    const statuses: number[] = []
    for (let i = 0; i < 42; i += 1) statuses.push((await alice.browser.open('/wallet/receive')).status)
    expect(statuses).toEqual([...Array(40).fill(200), 429, 429])
    expect(words(await alice.browser.open('/wallet'))).toContain('Too many requests. Try again in 1 s.')
    expect((await alice.browser.open('/wallet/state')).status).toBe(200)
    const bob = await signedIn(world, 'bob')
    expect((await bob.browser.open('/wallet/receive')).status).toBe(200)
    await world.clock.advance(1_000)
    expect((await alice.browser.open('/wallet/receive')).status).toBe(200)
  })

  it('can have at most 8 codes looked up at a time', async () => {
    const silent = await openSilentHost(8)
    await alice.browser.open('/wallet/claim')
    const fields = { ...alice.browser.fieldsOf('/wallet/claim'), code: `lnurlw://${silent.host}/withdraw` }
    const asked = Array.from({ length: 9 }, () => alice.browser.post('/wallet/claim', fields))
    const first = await Promise.race(asked)
    expect([first.status, words(first)]).toEqual([400, expect.stringContaining('You already have several codes open')])
    await silent.close()
    await Promise.all(asked)
    expect(silent.count).toBeLessThan(9)
  })

  it('cannot store a long text with a payment, even by changing a form', async () => {
    const { client } = await world.project()
    await client.payToGamertag({ gamertag: 'alice', amount: sats(1_000), description: '' })
    const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(10) })
    await alice.browser.open('/wallet/send')
    await alice.browser.submit('/wallet/send', { to: invoice, note: 'tea' })
    const fields = alice.browser.fieldsOf('/wallet/send/invoice')
    for (const note of ['x'.repeat(25_000), 'a\0b']) {
      const answer = await alice.browser.post('/wallet/send/invoice', { ...fields, note })
      expect(answer.status).toBe(400)
      expect(words(answer)).toContain('This form is invalid')
    }
    expect(await world.balance({ kind: 'user', id: alice.userId })).toBe(sats(1_000))
  })
})

it('a QR code is drawn once while it is cached, and only recent codes are cached', async () => {
  const drawn: string[] = []
  const picture = createQrPictures(async (text) => {
    drawn.push(text)
    return Buffer.from(text)
  })
  expect(await Promise.all([picture('a'), picture('a'), picture('b')])).toEqual(
    ['a', 'a', 'b'].map((t) => Buffer.from(t)),
  )
  for (let i = 0; i < 500; i += 1) await picture(`more ${i}`)
  drawn.length = 0
  await picture('more 499')
  await picture('a')
  expect(drawn).toEqual(['a'])
})
