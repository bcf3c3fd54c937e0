import { beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})

const pay = async (invoice: string) => (await world.call(project, 'sendPayment', { body: { invoice } })).body.data
const retrieve = (id: string, who: Project = project) => world.call(who, 'retrievePayment', { params: { id } })

describe('Retrieve Payment', () => {
  it('shows a payment as Send Payment returned it', async () => {
    const payment = await pay(world.node.foreignInvoice({ amount: sats(1) }).invoice)
    const { status, body } = await retrieve(payment.id)
    expect([status, body]).toEqual([200, { success: true, message: expect.stringMatching(/\w/), data: payment }])
  })

  it('shows a failed payment', async () => {
    world.node.answer = async () => failed('no route')
    const { id } = await pay(world.node.foreignInvoice({ amount: sats(1) }).invoice)
    expect((await retrieve(id)).body.data).toMatchObject({
      status: 'failed',
      fee: '0',
      preimage: null,
      confirmedAt: null,
    })
  })

  it('does not show another project’s payment', async () => {
    const { id } = await pay(world.node.foreignInvoice({ amount: sats(1) }).invoice)
    const { status, body } = await retrieve(id, await world.project(msats(0)))
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  it.each(["' OR 1=1 --", '😀'])('refuses the invalid id %s', async (id) => {
    const { status, body } = await retrieve(id)
    expect([status, body.code]).toEqual([400, 'invalid_field'])
  })

  it.each(['no-such-id', '__proto__'])('does not find the id %s', async (id) => {
    const { status, body } = await retrieve(id)
    expect([status, body]).toEqual([404, { success: false, message: expect.stringMatching(/\w/), code: 'not_found' }])
  })
})

itKeepsEveryPromise(operations.retrievePayment)
