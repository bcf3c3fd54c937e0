import { beforeEach, expect, it } from 'vitest'
import { readOrder } from '../../../src/cli/admin-order.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { createAdministration } from '../../../src/payments-service/administration/administration.ts'
import type { Settlement } from '../../../src/payments-service/backends/backend.ts'
import { OPERATOR, SUSPENSE, wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { createTellOperators, type OperatorAlert } from '../../../src/payments-service/core/operator-alerts.ts'
import type { ServiceParts } from '../../../src/payments-service/engine/service-parts.ts'
import { creditSettlement } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { startTellingOfGiven } from '../../../src/payments-service/receiving/tell-of-given-suspense.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { ServiceWorld } from '../harness.ts'

let world: ServiceWorld
let alice: string

beforeEach(async () => {
  world = await ServiceWorld.open()
  alice = await world.user('alice')
})
const balanceOf = (account: { kind: string; owner: string }) => world.service.parts.ledger.balance(account)
const has = (id: string) => balanceOf(wallet({ kind: 'user', id }))
const order = async (...args: string[]) => {
  const asked = readOrder(args)
  if (typeof asked === 'string') throw new Error('nobody asked for help')
  return JSON.parse(JSON.stringify(await asked(world.administration)))
}

/** Credits a receipt that nobody requested. */
async function arrive(hash: string, amount: number, more: Partial<Settlement> = {}): Promise<void> {
  await creditSettlement(world.service.parts, {
    cursor: hash,
    paymentHash: hash.repeat(32),
    received: msats(amount),
    preimage: '00'.repeat(32),
    settledAt: new Date(world.clock.now()),
    keysend: false,
    ...more,
  })
}

it('sats in suspense can be assigned to a user, a project or the operator', async () => {
  const { projectId } = await world.project(sats(0))
  for (const [index, to] of [`user:${alice}`, `project:${projectId}`, 'operator'].entries()) {
    await arrive(`a${index}`, 10 + index)
    const [{ receiptId }] = await order('suspense', 'list')
    const given = await order('suspense', 'give', receiptId, to, '--reason', ` ticket ${index} `)
    expect(given).toMatchObject({ receiptId, given: { to, by: expect.stringMatching(/./), reason: `ticket ${index}` } })
  }
  const ofProject = await world.balance({ kind: 'project', id: projectId })
  expect([await has(alice), ofProject, await balanceOf(OPERATOR), await balanceOf(SUSPENSE)]).toEqual([
    10n,
    11n,
    12n,
    0n,
  ])
  expect(await order('suspense', 'list')).toEqual([])
  expect((await order('suspense', 'list', '--given')).map(({ amount }: { amount: string }) => amount)).toEqual([
    '10',
    '11',
    '12',
  ])
})

it('sats in suspense are assigned once even if several operators act simultaneously', async () => {
  const bob = await world.user('bob')
  await arrive('ab', 7_000)
  await arrive('cd', 9_000)
  const [{ receiptId }] = await order('suspense', 'list')
  const words = [alice, bob, alice, bob].map((id) =>
    order('suspense', 'give', receiptId, `user:${id}`, '--reason', 'x'),
  )
  const said = await Promise.allSettled(words)
  expect(said.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of said)
    if (one.status === 'rejected')
      expect(one.reason.message).toMatch(/already given these sats to \S+, for this reason: x\. Nothing moved/)
  expect([(await has(alice)) + (await has(bob)), await balanceOf(SUSPENSE)]).toEqual([7_000n, 9_000n])
  await expect(order('suspense', 'give', receiptId, 'operator', '--reason', 'y')).rejects.toThrow(
    'Nothing moved this time',
  )
  const { ledger } = world.service.parts
  const again = ledger.commit({
    write: (tx) => tx.unclaimedReceipt.updateMany({ where: { id: receiptId }, data: { givenTo: 'operator' } }),
  })
  await expect(again).rejects.toThrow()
  const gone = ledger.commit({ write: (tx) => tx.unclaimedReceipt.deleteMany({}) })
  await expect(gone).rejects.toThrow()
  expect(await order('suspense', 'list', '--given')).toMatchObject([{ receiptId, given: { reason: 'x' } }])
})

it.each([
  ['no reason', (id: string) => [id, 'operator'], '--reason'],
  ['a reason of two lines', (id: string) => [id, 'operator', '--reason', 'one\ntwo'], 'one line'],
  ['an unknown receipt', () => ['nobody', 'operator', '--reason', 'x'], '"suspense list" shows'],
  ['an unknown user', (id: string) => [id, 'user:nobody', '--reason', 'x'], '"user list" shows'],
  ['an unknown project', (id: string) => [id, 'project:nobody', '--reason', 'x'], '"project list" shows'],
  ['a gamertag instead of an id', (id: string) => [id, 'alice', '--reason', 'x'], 'user:USERID'],
  ['another kind of account', (id: string) => [id, 'node:node', '--reason', 'x'], 'user:USERID'],
])('an assignment from suspense is refused with advice: %s', async (_what, words, problem) => {
  await arrive('ab', 7)
  const [{ receiptId }] = await order('suspense', 'list')
  await expect(order('suspense', 'give', ...words(receiptId))).rejects.toThrow(problem)
  expect(await balanceOf(SUSPENSE)).toBe(7n)
})

it('the suspense list names an invoice paid twice; its owner can be given the sats', async () => {
  const { apiKey } = await world.project(sats(1_000))
  const body = { amount: '100000', gamertag: 'alice' }
  const { json } = await world.raw('POST', '/v0/gamertag/charges', { apiKey, body })
  const { invoiceRequest } = json.data
  const paid = { internalId: 'p', invoice: invoiceRequest, description: 'x' }
  await world.raw('POST', '/v0/payments', { apiKey, body: paid })
  const { paymentHash } = await world.service.parts.database.read.invoice.findFirstOrThrow()
  await arrive('ab', 100_000, { paymentHash })
  const [waits] = await order('suspense', 'list')
  expect(waits).toMatchObject({
    reason: 'second settlement',
    invoice: { purpose: 'charge', payee: `user:${alice}`, paidBy: 'inside' },
  })
  await order('suspense', 'give', waits.receiptId, `user:${alice}`, '--reason', 'the payer asked')
  expect(await has(alice)).toBe(200_000n)
})

it('the running service alerts operators once about an assignment from suspense', async () => {
  const said: { alert?: string; msg: string }[] = []
  const destination = { write: (line: string) => void said.push(JSON.parse(line)) }
  await world.close()
  world = await ServiceWorld.open({ logger: createLogger({ level: 'warn', name: 'test', destination }) })
  alice = await world.user('alice')
  await arrive('ab', 7_000)
  const [{ receiptId }] = await order('suspense', 'list')
  await arrive('cd', 5)
  await order('suspense', 'give', receiptId, `user:${alice}`, '--reason', 'ticket 5')
  const { unclaimedReceipt } = world.service.parts.database.read
  const told = () => unclaimedReceipt.findUniqueOrThrow({ where: { id: receiptId } })
  expect((await told()).toldAt).toBeNull()
  await world.clock.advance(60_000)
  await world.until(async () => (await told()).toldAt !== null)
  await world.clock.advance(120_000)
  expect(said.filter(({ alert }) => alert === 'suspense_given')).toMatchObject([
    {
      msg: expect.stringMatching(`has given 7000 msats out of suspense to user:${alice}: ticket 5\\.`),
      ...{ level: 'warn', receipt: receiptId, paymentHash: 'ab'.repeat(32), amount: '7000', to: `user:${alice}` },
      by: (await told()).givenBy,
    },
  ])
  // What still waits has not been given, so there is nothing to tell of it.
  expect(await unclaimedReceipt.findMany({ where: { toldAt: null } })).toMatchObject([{ paymentHash: 'cd'.repeat(32) }])
})

it('only the service that has the job alerts operators about suspense assignments', async () => {
  await arrive('ab', 7_000)
  const [{ receiptId }] = await order('suspense', 'list')
  await order('suspense', 'give', receiptId, 'operator', '--reason', 'ticket 5')
  const tellsOne = async (hasJob: boolean) => {
    const heard: OperatorAlert[] = []
    const { promise: looked, resolve: looks } = Promise.withResolvers<void>()
    const ownership = {
      has() {
        looks()
        return hasJob
      },
    } as unknown as ServiceParts['ownership']
    const clock = new ManualClock(world.clock.now())
    const tell = (alert: OperatorAlert) => void heard.push(alert)
    const worker = startTellingOfGiven({ ...world.service.parts, clock, ownership, tell })
    await clock.advance(60_000)
    await looked
    await worker.close()
    return heard.length
  }
  expect([await tellsOne(false), await tellsOne(true), await tellsOne(true)]).toEqual([0, 1, 0])
})

it('an alert is sent again if the first sending could not be recorded', async () => {
  const said: { alert?: string; msg: string; err?: { message: string } }[] = []
  const destination = { write: (line: string) => void said.push(JSON.parse(line)) }
  await world.close()
  world = await ServiceWorld.open({ logger: createLogger({ level: 'warn', name: 'test', destination }) })
  await arrive('ab', 7_000)
  const [{ receiptId }] = await order('suspense', 'list')
  await order('suspense', 'give', receiptId, 'operator', '--reason', 'ticket 5')
  const { ledger } = world.service.parts
  const { commit } = ledger
  Object.assign(ledger, { commit: () => Promise.reject(new Error('the disk is full')) })
  const words = 'operators could not be told what was given away yet'
  await world.clock.advance(60_000)
  await world.until(() => said.some(({ msg }) => msg === words))
  Object.assign(ledger, { commit })
  expect(said.find(({ msg }) => msg === words)?.err?.message).toBe('the disk is full')
  const times = () => said.filter(({ alert }) => alert === 'suspense_given').length
  expect(times()).toBe(1)
  await world.clock.advance(60_000)
  await world.until(() => times() === 2)
})

it('each alert about arrivals is logged, but each kind is sent at most once an hour', () => {
  const lines: unknown[] = []
  const heard: OperatorAlert[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line).alert) }
  const logger = createLogger({ level: 'warn', name: 'test', destination })
  const tell = createTellOperators({ logger, clock: world.clock }, (alert) => heard.push(alert))
  for (const alert of [...Array(2).fill('unclaimed_receipt'), 'short_settlement', 'node_short', 'node_short'] as const)
    tell({ alert, text: 'Look.' })
  expect(lines).toHaveLength(5)
  expect(heard.map(({ alert }) => alert)).toEqual(['unclaimed_receipt', 'short_settlement', 'node_short', 'node_short'])
})

it('an assignment from suspense can be made by another process beside the service', async () => {
  await arrive('ab', 7_000)
  const { database, ledger, clock, entropy, settings } = world.service.parts
  const other = createAdministration({ database, ledger, clock, entropy, settings, sandbox: false })
  const [waits] = await other.listSuspense()
  await other.giveSuspense({ receiptId: waits?.receiptId ?? '', to: 'operator', reason: 'mine', by: 'ops' })
  expect((await other.listSuspense({ given: true }))[0]?.given).toMatchObject({ to: 'operator', by: 'ops' })
})
