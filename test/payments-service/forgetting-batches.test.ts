import { beforeEach, expect, it } from 'vitest'
import { forgetWrongCodes } from '../../src/payments-service/engine/limits/wrong-codes.ts'
import { forgetGamertagChanges } from '../../src/payments-service/engine/names/gamertags.ts'
import { forgetCallbacks } from '../../src/payments-service/engine/outbox/forget-callbacks.ts'
import { forgetInvoices } from '../../src/payments-service/receiving/forget-invoices.ts'
import { ServiceWorld } from './harness.ts'

let world: ServiceWorld
beforeEach(async () => {
  world = await ServiceWorld.open()
})
type Parts = ServiceWorld['service']['parts']
type Tx = Parameters<NonNullable<Parameters<Parts['ledger']['commit']>[0]['write']>>[0]
const DAY_MS = 24 * 3_600_000

interface Kind {
  readonly forget: (parts: Parts) => Promise<boolean>
  readonly storedMs: number
  /** Writes rows with these times. */
  readonly write: (tx: Tx, times: Date[]) => Promise<unknown>
  readonly times: (read: Parts['database']['read']) => Promise<(Date | null)[]>
}

const callback = (at: Date, n: number) => ({
  ...{
    messageId: `msg_${at.getTime()}_${n}`,
    projectId: 'shop',
    resource: 'x',
    receiver: 'https://x',
    url: 'https://x/',
  },
  ...{ body: '{}', createdAt: at, deliveredAt: at },
})

const invoice = (expiresAt: Date, n: number) => ({
  ...{ paymentHash: `hash-${expiresAt.getTime()}-${n}`, request: `lnbcrt-${expiresAt.getTime()}-${n}` },
  ...{ purpose: n % 2 === 0 ? 'address' : 'static-charge', resourceId: 'x', payeeKind: 'user', payeeId: 'x' },
  ...{ amount: 1_000n, status: 'closed', createdAt: expiresAt, expiresAt },
})

const KINDS: Record<string, Kind> = {
  'wrong codes after ten minutes': {
    forget: forgetWrongCodes,
    storedMs: 600_000,
    write: (tx, times) => tx.wrongCode.createMany({ data: times.map((at) => ({ guesser: 'user:x', at })) }),
    times: async (read) => (await read.wrongCode.findMany()).map(({ at }) => at),
  },
  'changes of gamertags after thirty days': {
    forget: forgetGamertagChanges,
    storedMs: 30 * DAY_MS,
    write: (tx, times) => tx.gamertagChange.createMany({ data: times.map((at) => ({ userId: 'x', at })) }),
    times: async (read) => (await read.gamertagChange.findMany()).map(({ at }) => at),
  },
  'delivered callbacks after a week': {
    forget: forgetCallbacks,
    storedMs: 7 * DAY_MS,
    write: (tx, times) => tx.callback.createMany({ data: times.map(callback) }),
    times: async (read) => (await read.callback.findMany()).map(({ deliveredAt }) => deliveredAt),
  },
  'invoices that nobody paid a day after their end': {
    forget: forgetInvoices,
    storedMs: DAY_MS,
    write: (tx, times) => tx.invoice.createMany({ data: times.map(invoice) }),
    times: async (read) => (await read.invoice.findMany()).map(({ expiresAt }) => expiresAt),
  },
}

it.each(Object.entries(KINDS))(
  'old rows are deleted 200 at a time, and newer rows are kept (%s)',
  async (_name, kind) => {
    const { parts } = world.service
    const write = (...times: Date[]) => parts.ledger.commit({ write: (tx) => kind.write(tx, times) })
    const ago = (ms: number) => new Date(world.clock.now() - ms)
    const young = ago(kind.storedMs - 1)
    await write(young, ...Array.from({ length: 399 }, () => ago(kind.storedMs)))
    const stored = () => kind.times(parts.database.read)
    expect(await kind.forget(parts)).toBe(true)
    expect(await stored()).toHaveLength(200)
    // One batch that is not full is the last.
    expect(await kind.forget(parts)).toBe(false)
    expect(await stored()).toEqual([young])
    expect(await kind.forget(parts)).toBe(false)
    expect(await stored()).toEqual([young])
  },
)

it.each(Object.entries(KINDS))('a run that finds no old rows writes nothing (%s)', async (_name, kind) => {
  const { parts } = world.service
  const commit = () => Promise.reject(new Error('the disk is full'))
  const ledger = Object.assign(Object.create(parts.ledger), { commit })
  expect(await kind.forget({ ...parts, ledger })).toBe(false)
})

it('dead-lettered callbacks of any age are kept', async () => {
  const { parts } = world.service
  const old = new Date(world.clock.now() - 100 * DAY_MS)
  const open = { ...callback(old, 1), deliveredAt: null, deadLetteredAt: old }
  await parts.ledger.commit({ write: (tx) => tx.callback.create({ data: open }) })
  expect(await forgetCallbacks(parts)).toBe(false)
  expect(await parts.database.read.callback.count()).toBe(1)
})

it('invoices that belong to charges, are paid or can still be paid are kept', async () => {
  const { parts } = world.service
  const old = new Date(world.clock.now() - 100 * DAY_MS)
  const stay = [{ purpose: 'charge' }, { status: 'settled' }, { status: 'open' }]
  const data = stay.map((change, n) => ({ ...invoice(old, n), ...change }))
  await parts.ledger.commit({ write: (tx) => tx.invoice.createMany({ data }) })
  expect(await forgetInvoices(parts)).toBe(false)
  expect(await parts.database.read.invoice.count()).toBe(3)
})

it('an invoice is kept if it is paid just before it would be deleted', async () => {
  const { parts } = world.service
  const { ledger } = parts
  await ledger.commit({ write: (tx) => tx.invoice.create({ data: invoice(new Date(world.clock.now() - DAY_MS), 1) }) })
  const commit = ledger.commit.bind(ledger)
  const isPaidFirst: typeof commit = async (change) => {
    await commit({ write: (tx) => tx.invoice.updateMany({ data: { status: 'settled' } }) })
    return await commit(change)
  }
  await forgetInvoices({ ...parts, ledger: Object.assign(Object.create(ledger), { commit: isPaidFirst }) })
  expect(await parts.database.read.invoice.count()).toBe(1)
})
