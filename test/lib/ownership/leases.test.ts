import { describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { type Logger, silentLogger } from '../../../src/lib/logger.ts'
import { type LeaseRow, Leases, type LeaseTable } from '../../../src/lib/ownership/leases.ts'
import { type LastOwner, OwnershipLost } from '../../../src/lib/ownership/ownership.ts'
import { ManualClock } from '../../support/manual-clock.ts'

/** A book's table of leases, in memory; transactions run one at a time. */
class Book {
  rows: LeaseRow[] = []
  /** A function that runs between the reading of the leases and the transaction that follows. */
  beforeNextWrite: () => Promise<unknown> = async () => undefined
  readonly lease: LeaseTable = {
    findMany: async ({ where = {} }) => this.rows.filter((row) => fits(row, where)),
    create: async ({ data }) => {
      if (this.rows.some(({ name }) => name === data.name)) throw new Error('a name stands for one lease')
      this.rows = [...this.rows, data]
    },
    updateMany: async ({ where, data }) => {
      const found = this.rows.filter((row) => fits(row, where))
      this.rows = this.rows.map((row) => {
        if (!found.includes(row)) return row
        const fence = typeof data.fence === 'number' ? data.fence : row.fence + data.fence.increment
        return { ...row, ...data, fence }
      })
      return { count: found.length }
    },
    deleteMany: async ({ where }) => {
      const before = this.rows.length
      this.rows = this.rows.filter((row) => !fits(row, where))
      return { count: before - this.rows.length }
    },
  }

  process(clock = new ManualClock(), alone = false, last?: LastOwner, said: unknown[] = []) {
    const leases = new Leases<Book, 'sweep'>({
      database: { read: this },
      commit: async ({ write }) => {
        const before = this.beforeNextWrite
        this.beforeNextWrite = async () => undefined
        await before()
        return await write(this)
      },
      jobs: ['sweep'],
      alone,
      clock,
      entropy: systemEntropy,
      logger: { ...silentLogger, error: (fields: unknown) => void said.push(fields) } as Logger,
      ...(last && { last }),
    })
    return { leases, clock }
  }

  async processes(count: number) {
    const all = Array.from({ length: count }, () => this.process())
    for (const { leases } of all) await leases.start()
    return all as [ReturnType<Book['process']>, ReturnType<Book['process']>]
  }
}

function fits(row: LeaseRow, where: Parameters<LeaseTable['findMany']>[0]['where']): boolean {
  const { name, holder, fence } = where ?? {}
  const named =
    name === undefined ||
    (typeof name === 'string'
      ? row.name === name
      : 'in' in name
        ? name.in.includes(row.name)
        : row.name.startsWith(name.startsWith))
  return named && (holder === undefined || row.holder === holder) && (fence === undefined || row.fence === fence)
}

async function pass(ms: number, ...clocks: ManualClock[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) for (const clock of clocks) await clock.advance(1_000)
}

describe('the lease of a job', () => {
  it('belongs to one process at a time', async () => {
    const book = new Book()
    const [a, b] = await book.processes(2)
    await pass(600_000, a.clock, b.clock)
    expect([a.leases.has('sweep'), b.leases.has('sweep')]).toEqual([true, false])
    await expect(a.leases.assertHas(book, 'sweep')).resolves.toBeUndefined()
    await expect(b.leases.assertHas(book, 'sweep')).rejects.toThrow(OwnershipLost)
  })

  it('passes to another process after 30 s of silence, with a higher fencing number', async () => {
    const book = new Book()
    const [a, b] = await book.processes(2)
    const { fence } = book.rows.find(({ name }) => name === 'sweep') as LeaseRow
    await pass(25_000, b.clock)
    expect(b.leases.has('sweep')).toBe(false)
    await pass(15_000, b.clock)
    expect(b.leases.has('sweep')).toBe(true)
    expect(book.rows.find(({ name }) => name === 'sweep')?.fence).toBeGreaterThan(fence)
    await expect(a.leases.assertHas(book, 'sweep')).rejects.toThrow(OwnershipLost)
  })

  it('is trusted by its holder for less time than others wait before a takeover', async () => {
    const [a] = await new Book().processes(1)
    a.clock.freeze(19_000)
    expect([a.leases.isLive(), a.leases.has('sweep')]).toEqual([true, true])
    a.clock.freeze(2_000)
    expect([a.leases.isLive(), a.leases.has('sweep')]).toEqual([false, false])
  })

  it('is trusted from the time at which it is requested, not granted', async () => {
    const book = new Book()
    const { leases, clock } = book.process()
    book.beforeNextWrite = async () => clock.freeze(15_000)
    await leases.start()
    clock.freeze(4_999)
    expect(leases.isLive()).toBe(true)
    clock.freeze(1)
    expect(leases.isLive()).toBe(false)
    const answers = { resolve: () => {} }
    book.beforeNextWrite = () => new Promise<void>((resolve) => Object.assign(answers, { resolve }))
    await clock.advance(1)
    clock.freeze(15_000)
    answers.resolve()
    await new Promise((resolve) => setImmediate(resolve))
    clock.freeze(4_998)
    expect(leases.isLive()).toBe(true)
    clock.freeze(2)
    expect([leases.isLive(), leases.has('sweep')]).toEqual([false, false])
  })

  it('is not trusted after the machine has slept, even if the monotonic clock stopped', async () => {
    const [a] = await new Book().processes(1)
    a.clock.jump(25_000)
    expect(a.leases.isLive()).toBe(false)
    await pass(6_000, a.clock)
    expect(a.leases.isLive()).toBe(true)
  })

  it('stays with a slow process that renews it just before a takeover', async () => {
    const book = new Book()
    const [a, b] = await book.processes(2)
    await pass(34_000, b.clock)
    book.beforeNextWrite = () => a.clock.advance(5_000)
    await pass(5_000, b.clock)
    expect(b.leases.has('sweep')).toBe(false)
    await expect(a.leases.assertHas(book, 'sweep')).resolves.toBeUndefined()
  })

  it('is freed when its holder stops, and a process that awaits the lease is notified', async () => {
    const [a, b] = await new Book().processes(2)
    const stop = new AbortController()
    let told = false
    void b.leases.untilHas('sweep', stop.signal).then(() => {
      told = true
    })
    const ended = await a.leases.untilHas('sweep', stop.signal)
    await pass(6_000, b.clock)
    expect([told, ended?.aborted]).toEqual([false, false])
    await a.leases.close()
    await pass(6_000, b.clock)
    expect([told, ended?.aborted]).toEqual([true, true])
  })

  it('is lost by a process that freezes and then returns under another id', async () => {
    const book = new Book()
    const [a, b] = await book.processes(2)
    const before = a.leases.me
    expect([a.leases.isMine(before), a.leases.isMine(b.leases.me), a.leases.isMine(null)]).toEqual([true, false, false])
    const ended = await a.leases.untilHas('sweep', new AbortController().signal)
    await pass(40_000, b.clock)
    a.clock.freeze(40_000)
    await pass(6_000, a.clock, b.clock)
    expect(ended?.aborted).toBe(true)
    expect(a.leases.me).not.toBe(before)
    expect([a.leases.isMine(before), a.leases.isMine(a.leases.me)]).toEqual([false, true])
    expect([a.leases.isLive(), a.leases.has('sweep'), b.leases.has('sweep')]).toEqual([true, false, true])
    expect((await b.leases.livingIn(book)).sort()).toEqual([a.leases.me, b.leases.me].sort())
  })
})

describe('a process that tries to take over rows', () => {
  it('finds and takes unowned rows, whichever column names the owner', async () => {
    const book = new Book()
    const [{ leases: a }, { leases: b }] = await book.processes(2)
    const others = (owner: 'process' | 'sender') => [{ [owner]: null }, { [owner]: { notIn: [a.me, b.me] } }]
    expect(await a.nobodysIn(book)).toEqual({ OR: others('process') })
    expect(await a.nobodysIn(book, 'sender')).toEqual({ OR: others('sender') })
    expect(await b.takeOverIn(book)).toEqual({ nobodys: { OR: others('process') }, mine: { process: b.me } })
    expect(await b.takeOverIn(book, 'sender')).toEqual({ nobodys: { OR: others('sender') }, mine: { sender: b.me } })
  })

  it('cannot take over anything once other processes consider it dead', async () => {
    const book = new Book()
    const [a, b] = await book.processes(2)
    await pass(40_000, b.clock)
    await expect(a.leases.takeOverIn(book)).rejects.toThrow(OwnershipLost)
    await expect(b.leases.takeOverIn(book)).resolves.toMatchObject({ mine: { process: b.leases.me } })
  })
})

describe('a process whose predecessor is certainly dead', () => {
  it('immediately takes over the predecessor’s jobs and no others', async () => {
    const book = new Book()
    const [{ leases: dead }, { leases: neighbour }] = await book.processes(2)
    expect(dead.has('sweep')).toBe(true)
    const noted: [string, number][] = []
    const note = (holder: string) => void noted.push([holder, book.rows.length])

    const { leases } = book.process(undefined, false, { id: dead.me, note })
    const before = book.rows.length
    await leases.start()

    expect(leases.has('sweep')).toBe(true)
    expect(await leases.livingIn(book)).toEqual([neighbour.me, leases.me])
    // The one after it may know of no lease that the book has: it is noted first.
    expect(noted).toEqual([[leases.me, before]])
    await expect(dead.assertLive(book)).rejects.toThrow(OwnershipLost)
  })
})

describe('a process that uses its book alone', () => {
  it('takes every job immediately and renews no lease', async () => {
    const book = new Book()
    const [a] = await book.processes(1)
    const { leases, clock } = book.process(new ManualClock(), true)
    await leases.start()
    expect([leases.has('sweep'), await leases.livingIn(book)]).toEqual([true, [leases.me]])
    await expect(a.leases.assertLive(book)).rejects.toThrow(OwnershipLost)
    expect(clock.pending).toBe(0)
    clock.freeze(600_000)
    expect(leases.isLive()).toBe(true)
  })
})

describe('a process that starts as the only one on its book', () => {
  it('reports a takeover by a second process and rejoins, so that both continue', async () => {
    const book = new Book()
    const said: unknown[] = []
    const a = book.process(new ManualClock(), true, undefined, said)
    await a.leases.start()
    const before = a.leases.me
    const b = book.process(new ManualClock(), true)
    await b.leases.start()
    await expect(a.leases.assertLive(book)).rejects.toThrow(OwnershipLost)
    await pass(1_000, a.clock)
    await expect(a.leases.assertLive(book)).resolves.toBeUndefined()
    expect(a.leases.me).not.toBe(before)
    expect([a.leases.alone, a.leases.isLive()]).toEqual([false, true])
    expect(said).toEqual([
      expect.objectContaining({ alert: 'not_alone' }),
      expect.objectContaining({ alert: 'lease_lost' }),
    ])
    // It does not end the other one's lease, as one that is alone does.
    await expect(b.leases.assertLive(book)).resolves.toBeUndefined()
    await pass(600_000, a.clock)
    await expect(a.leases.assertLive(book)).resolves.toBeUndefined()
    // The other one renews nothing, so it is taken for dead, until it finds that out.
    await expect(b.leases.assertLive(book)).rejects.toThrow(OwnershipLost)
    await pass(1_000, b.clock)
    await pass(600_000, a.clock, b.clock)
    await expect(a.leases.assertLive(book)).resolves.toBeUndefined()
    await expect(b.leases.assertLive(book)).resolves.toBeUndefined()
    await a.leases.close()
    await b.leases.close()
  })

  it('renews no lease while no other process joins', async () => {
    const book = new Book()
    const { leases, clock } = book.process(new ManualClock(), true)
    await leases.start()
    await pass(600_000, clock)
    await expect(leases.assertHas(book, 'sweep')).resolves.toBeUndefined()
    expect(clock.pending).toBe(0)
  })
})
