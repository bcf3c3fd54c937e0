import { expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { verifyCallback } from '../../src/payments-api/payments-api.ts'
import type { CallbackReceiver } from './callback-receiver.ts'
import { expectRefusal, type RawAnswer, type ServiceWorld, type TestProject } from './harness.ts'

interface KindOfCharge {
  readonly path: string
  around(): { readonly world: ServiceWorld; readonly receiver: CallbackReceiver; readonly project: TestProject }
  /** Requests a charge for 1,000 sats, or with the fields of `body`. */
  create(body?: object): Promise<RawAnswer>
  invoiceOf(data: RawAnswer['json']): string
  /** Resolves to the balance, in msats, of the wallet that the charge credits, which starts at 0. */
  has(): Promise<bigint>
  readonly states: { readonly completed: string; readonly expired: string }
}

/**
 * Defines the tests of a kind of charge, which are the same for all kinds, whichever wallet a charge credits and
 * whatever fields its answers have.
 */
export function itIsACharge(kind: KindOfCharge): void {
  itIsPaid(kind)
  itRefuses(kind)
}

function itIsPaid({ path, around, create, invoiceOf, has, states }: KindOfCharge): void {
  const made = async (body: object = {}) => {
    const { data } = (await create(body)).json
    return { id: data.id, invoice: invoiceOf(data) }
  }

  it('a charge that is paid from outside credits its wallet and calls back once', async () => {
    const { world, receiver, project } = around()
    const { id, invoice } = await made({ callbackUrl: receiver.url() })
    await world.sandbox.outside.pay(invoice)
    await world.until(() => receiver.received.length > 0)
    expect(await has()).toBe(1_000_000n)
    const shown = (await world.raw('GET', `${path}/${id}`, { apiKey: project.apiKey })).json.data
    expect(shown).toMatchObject({ status: states.completed, confirmedAt: expect.stringMatching(/Z$/) })
    expect(receiver.received.map(({ json }) => json)).toEqual([shown])
  })

  it('a charge’s callbacks are signed with the project’s secret', async () => {
    const { world, receiver, project } = around()
    const { invoice } = await made({ callbackUrl: receiver.url() })
    await world.sandbox.outside.pay(invoice)
    await world.until(() => receiver.received.length > 0)
    const [callback] = receiver.received
    if (callback === undefined) throw new Error('no callback')
    const { headers, text: body } = callback
    const verdict = (secret: string) => verifyCallback({ headers, body, secrets: [secret], clock: world.clock })
    expect(verdict(project.callbackSecret)).toEqual({ genuine: true, id: expect.stringMatching(/^msg_/) })
    expect(verdict((await world.project()).callbackSecret)).toMatchObject({ genuine: false })
  })

  it('a charge credits an overpayment in full', async () => {
    const { world } = around()
    const { invoice } = await made()
    await world.sandbox.outside.pay(invoice, sats(1_500))
    await world.until(async () => (await has()) === 1_500_000n)
  })

  it('a charge expires and calls back when the node proves it unpayable', async () => {
    const { world, receiver } = around()
    const { id, invoice } = await made({ callbackUrl: receiver.url(), expiresIn: 60 })
    await world.clock.advance(59_000)
    expect(receiver.received).toHaveLength(0)
    await world.clock.advance(10_000)
    await world.until(() => receiver.received.length > 0)
    expect(receiver.received[0]?.json).toMatchObject({ id, status: states.expired, confirmedAt: null })
    await expect(world.sandbox.outside.pay(invoice)).rejects.toThrow()
  })

  it('a charge is credited exactly once across restarts', async () => {
    const { world } = around()
    const { invoice } = await made()
    await world.service.close()
    await world.sandbox.outside.pay(invoice)
    await world.restart()
    await world.until(async () => (await has()) === 1_000_000n)
    await world.restart()
    expect(await has()).toBe(1_000_000n)
  })
}

function itRefuses({ path, around, create }: KindOfCharge): void {
  it('400: refuses invalid or out-of-range amounts and expiries', async () => {
    for (const amount of ['much', 1_000]) expectRefusal(await create({ amount }), 400, 'invalid_amount')
    expectRefusal(await create({ amount: '999' }), 400, 'amount_too_low')
    const tooHigh = await create({ amount: '10000000001' })
    expectRefusal(tooHigh, 400, 'amount_too_high')
    expect(tooHigh.headers.get('x-amount-limit')).toBe('10000000000')
    for (const expiresIn of [0, -1, 1.5, 2_592_001, '60'])
      expectRefusal(await create({ expiresIn }), 400, 'invalid_field')
  })

  it('400: refuses invalid descriptions and callback addresses', async () => {
    for (const description of ['é'.repeat(320), 'a\0b'])
      expectRefusal(await create({ description }), 400, 'invalid_field')
    expectRefusal(await create({ callbackUrl: 'javascript:alert(1)' }), 400, 'invalid_field')
    expect((await create({ description: '🚀'.repeat(100) })).status).toBe(200)
  })

  it('401, 403: needs a key that may receive', async () => {
    const { world, project } = around()
    expectRefusal(await world.raw('POST', path, { body: {} }), 401, 'missing_api_key')
    const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['read'] })
    expectRefusal(await world.raw('POST', path, { apiKey, body: {} }), 403, 'missing_scope')
  })
}
