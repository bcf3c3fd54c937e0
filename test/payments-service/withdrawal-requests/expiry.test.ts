import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import { operationOfRequest } from '../../../src/payments-service/engine/sending/withdrawal-request-record.ts'
import { expire } from '../../../src/payments-service/withdrawal-requests/expire-withdrawal-requests.ts'
import { failed } from '../scripted-node.ts'
import type { Project } from '../sending-world.ts'
import { type Request, WithdrawalRequests } from './withdrawal-requests.ts'

let world: WithdrawalRequests
let project: Project

beforeEach(async () => {
  world = await WithdrawalRequests.open()
  project = world.owner
})

afterEach(() => world.close())

const create = (body: object = {}) => world.request(body)
const claim = (request: Pick<Request, 'secret'>, pr: string) => world.claim(request, pr)
const invoice = (amount?: Msats) => world.invoice(amount)
const stateOf = (request: Request) => world.stateOf(request)
const told = (request: Request) => world.told(request)

describe('the expiry of withdrawal requests', () => {
  it('returns only the sats of expired requests', async () => {
    const [over, open] = [await create({ expiresIn: 60 }), await create({ expiresIn: 600 })]
    await world.pass(70_000, 5_000)
    expect([await stateOf(over), await stateOf(open)]).toMatchObject([{ status: 'expired' }, { status: 'pending' }])
    expect(await world.held(project.holder)).toBe(sats(1_010))
    const entry = { where: { operation: operationOfRequest(over.id), step: 'void' } }
    expect(await world.service.parts.database.read.entry.count(entry)).toBe(1)
  })

  it('does not affect a request that is claimed at the same moment', async () => {
    const request = await create()
    const { parts } = world.service
    const asRead = await parts.database.read.withdrawalRequest.findUniqueOrThrow({ where: { id: request.id } })
    const end = world.node.hang()
    const { invoice: pr, paymentHash } = invoice()
    const answer = claim(request, pr)
    await world.until(() => world.node.calls.length === 1)
    await expire(parts, asRead)
    expect(await stateOf(request)).toMatchObject({ status: 'processing' })
    expect(await world.held(project.holder)).toBe(sats(1_010))
    end(world.node.paid(paymentHash))
    expect(await answer).toEqual({ status: 'OK' })
    await expire(parts, asRead)
    expect(await stateOf(request)).toMatchObject({ status: 'completed' })
  })

  it('is logged as failed and tried again if it cannot be written', async () => {
    const request = await create({ expiresIn: 60 })
    const { ledger } = world.service.parts
    const usual = ledger.commit.bind(ledger)
    const givesBack = ({ entries = [] }: Parameters<typeof usual>[0]) => entries.some(({ step }) => step === 'void')
    const commit = vi.spyOn(ledger, 'commit').mockImplementation(async (change) => {
      if (givesBack(change)) throw new Error('the disk is full')
      return await usual(change)
    })
    await world.pass(65_000, 5_000)
    commit.mockRestore()
    const told = { level: 'error', msg: 'withdrawal requests could not be expired' }
    const err = expect.objectContaining({ message: 'the disk is full' })
    expect(world.log).toContainEqual(expect.objectContaining({ ...told, err }))
    await world.pass(60_000, 5_000)
    expect(await stateOf(request)).toMatchObject({ status: 'expired' })
  })

  it('returns all held sats, triggers the callback, and prevents later claims', async () => {
    const request = await create({ expiresIn: 60 })
    await world.pass(70_000, 5_000)
    expect(await stateOf(request)).toMatchObject({ status: 'expired', fee: null })
    expect(await world.balance(project.holder)).toBe(sats(10_000))
    expect(await told(request)).toEqual(['expired'])
    expect(await claim(request, invoice().invoice)).toMatchObject({ reason: expect.stringMatching(/expired/) })
  })

  it('rules out claims from its first moment, even before the sats return', async () => {
    const request = await create({ expiresIn: 5 })
    await world.clock.advance(5_000)
    expect(await claim(request, invoice().invoice)).toMatchObject({ reason: expect.stringMatching(/expired/) })
    expect(await claim(request, invoice().invoice)).toMatchObject({ status: 'ERROR' })
    expect(world.node.calls).toEqual([])
  })

  it.each([
    ['at the time of expiry', 60_000],
    ['after that time', 120_000],
  ])('waits for an open claim, and happens when that claim fails %s', async (_when, afterMs) => {
    const end = world.node.hang()
    const request = await create({ expiresIn: 60 })
    const answer = claim(request, invoice().invoice)
    await world.until(() => world.node.calls.length === 1)
    await world.pass(afterMs, 5_000)
    expect(await answer).toEqual({ status: 'OK' })
    expect(await stateOf(request)).toMatchObject({ status: 'processing' })
    end(failed('no route'))
    await world.until(async () => (await stateOf(request)).status === 'expired')
    expect(await world.balance(project.holder)).toBe(sats(10_000))
    expect(await told(request)).toEqual(['processing', 'expired'])
  })

  it('does not happen after a failed claim while the wall clock is in doubt', async () => {
    const end = world.node.hang()
    const request = await create({ expiresIn: 3_600 })
    const answer = claim(request, invoice().invoice)
    await world.until(() => world.node.calls.length === 1)
    world.clock.jump(24 * 3_600_000)
    await world.pass(90_000, 5_000)
    await answer
    end(failed('no route'))
    await world.until(async () => (await stateOf(request)).status !== 'processing')
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
    expect(await world.held(project.holder)).toBe(sats(1_010))
  })

  it('does not prevent the completion of a claim that succeeds late', async () => {
    const end = world.node.hang()
    const request = await create({ expiresIn: 60 })
    const { invoice: pr, paymentHash } = invoice()
    const answer = claim(request, pr)
    await world.until(() => world.node.calls.length === 1)
    await world.pass(90_000, 5_000)
    await answer
    end(world.node.paid(paymentHash))
    await world.until(async () => (await stateOf(request)).status === 'completed')
  })

  it('waits while the wall clock is in doubt, and happens once that doubt is over', async () => {
    const request = await create({ expiresIn: 60 })
    world.clock.jump(24 * 3_600_000)
    await world.pass(600_000, 10_000)
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
    expect(await world.held(project.holder)).toBe(sats(1_010))
    // A clock that goes steadily for a day is believed again.
    world.clock.freeze(24 * 3_600_000)
    await world.pass(3_600_000, 600_000)
    expect(await stateOf(request)).toMatchObject({ status: 'expired' })
    expect(await world.balance(project.holder)).toBe(sats(10_000))
  })

  it('does not happen if the wall clock was set ahead by mistake and then set back', async () => {
    const request = await create({ expiresIn: 3_600 })
    world.clock.jump(24 * 3_600_000)
    await world.pass(60_000, 10_000)
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
    world.clock.jump(-24 * 3_600_000)
    await world.pass(1_200_000, 60_000)
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
    expect(await claim(request, invoice().invoice)).toEqual({ status: 'OK' })
  })
})
