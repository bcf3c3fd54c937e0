import { beforeEach, describe, expect, it, vi } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { createSender } from '../../../src/payments-service/engine/sending/sender.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})

const pay = async () => {
  const { invoice } = world.node.foreignInvoice({ amount: sats(100) })
  return await world.call(project, 'sendPayment', { body: { invoice } })
}

describe('a sender that is not running', () => {
  it('reports that the service is starting or stopping and that nothing happened', async () => {
    const sender = createSender(world.service.parts)
    expect(() => sender.assertOutgoingEnabled()).toThrow(/service is starting; nothing happened/)
    await sender.start()
    expect(() => sender.assertOutgoingEnabled()).not.toThrow()
    await sender.close()
    expect(() => sender.assertOutgoingEnabled()).toThrow(/service is stopping; nothing happened/)
    await sender.start()
    expect(() => sender.assertOutgoingEnabled()).toThrow(/service is stopping/)
  })
})

describe('a process that may have lost its lease', () => {
  it('refuses payments before it reserves sats', async () => {
    const isLive = vi.spyOn(world.service.parts.ownership, 'isLive').mockReturnValue(false)
    const { status, body } = await pay()
    isLive.mockRestore()
    expect([status, body.code, body.message]).toEqual([503, 'nothing_sent', expect.stringMatching(/lost touch with/)])
    expect(await world.balance(project.holder)).toBe(sats(10_000))
  })

  it('looks up a payment marked as sending instead of asking the node to send it', async () => {
    const isLive = vi.spyOn(world.service.parts.ownership, 'isLive').mockReturnValueOnce(true).mockReturnValue(false)
    const { body } = await pay()
    isLive.mockRestore()
    expect(world.node.calls).toEqual([])
    expect(body.data).toMatchObject({ status: 'processing' })
    await world.until(async () => (await world.payment(body.data.id)).status === 'unknown')
    const noted = { payment: body.data.id, evidence: expect.stringMatching(/taken it over before the node was asked/) }
    expect(world.log).toContainEqual(expect.objectContaining({ level: 'warn', ...noted }))
    await world.pass(120_000, 10_000)
    expect(await world.payment(body.data.id)).toMatchObject({ status: 'failed' })
    expect(await world.balance(project.holder)).toBe(sats(10_000))
  })
})

describe('the alert about a payment without an outcome', () => {
  it.each([
    ['is not raised a millisecond before ten minutes have passed', 599_999, []],
    ['is raised once ten minutes have passed', 600_000, ['payment_unknown']],
  ])('%s', async (_what, ageMs, alerts) => {
    world.node.answer = () => Promise.reject(new Error('connection lost'))
    const { id } = (await pay()).body.data
    world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
    await world.kill(ageMs)
    expect(world.alerts()).toEqual(alerts)
    const taken = { payments: 1, msg: expect.stringMatching(/taken over/) }
    expect(world.log).toContainEqual(expect.objectContaining({ level: 'info', ...taken }))
    const told = { payment: id, ageMs, lookUps: 1, found: { state: 'unknown', evidence: 'in flight' } }
    const level = alerts.length > 0 ? 'error' : 'info'
    expect(world.log).toContainEqual(
      expect.objectContaining({ level, ...told, msg: expect.stringContaining('has no end yet') }),
    )
  })
})

describe('a payment that has ended', () => {
  it('is neither taken over nor looked up, even if its process is gone', async () => {
    const { id } = (await pay()).body.data
    const ended = await world.payment(id)
    expect(ended).toMatchObject({ status: 'completed', nextLookUpAt: null })
    const found = vi.fn(async () => ({ state: 'unknown', evidence: 'asked in vain' }) as const)
    world.node.found = found
    await world.kill(600_000)
    await world.pass(120_000, 10_000)
    expect(await world.payment(id)).toEqual(ended)
    expect(found).not.toHaveBeenCalled()
    expect(world.log.filter(({ msg }) => /taken over/.test(`${msg}`))).toEqual([])
  })
})
