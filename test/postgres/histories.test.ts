import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBook } from '../../proof/judge/histories/book.ts'
import { judgeHistory } from '../../proof/judge/histories/oracle.ts'
import { beginBook, ownFaults } from '../../proof/kills/postgres/begin-book.ts'
import { Clients } from '../../proof/kills/postgres/clients.ts'
import { type Pair, startPair } from '../../proof/kills/postgres/pair.ts'
import { Chance } from '../../proof/world/chance.ts'
import { PlayedWriter } from '../support/postgres/played-writer.ts'

/** The number of simultaneous clients, which is more than a batch holds. */
const CLIENTS = 80

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})

afterAll(() => pair.stop())

/**
 * Runs clients of two ledgers on one book until all have finished. Resolves to the faults found by the oracle and by
 * Satchel itself.
 */
async function faultsAfter(name: string, all: (clients: Clients) => Promise<void>): Promise<string[]> {
  await pair.primary.admin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = pair.url(name)
  await beginBook(url)
  const writers = [new PlayedWriter(url), new PlayedWriter(url)]
  const clients = new Clients(new Chance(name), writers)
  try {
    await Promise.all(writers.map((writer) => writer.start()))
    clients.begin(CLIENTS)
    await all(clients)
    await clients.end()
  } finally {
    await Promise.all(writers.map((writer) => writer.close()))
  }
  const { faults } = judgeHistory(clients.history, await readBook(url))
  return [...clients.faults, ...faults, ...(await ownFaults(url))]
}

/** Resolves when this many further changes have been acknowledged. */
async function acknowledges(clients: Clients, more: number): Promise<void> {
  const enough = clients.acknowledged + more
  await expect.poll(() => clients.acknowledged, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(enough)
}

describe('the answers to clients of two ledgers', () => {
  it('agree with one order of changes for each account', async () => {
    expect(await faultsAfter('one_order', (clients) => acknowledges(clients, 500))).toEqual([])
  })

  it('agree with one order of changes even after crashes of the server', async () => {
    const crashes = async (clients: Clients) => {
      for (let crash = 0; crash < 3; crash += 1) {
        await acknowledges(clients, 100)
        clients.history.crashes.push(performance.now())
        await pair.crash()
      }
      await acknowledges(clients, 100)
    }
    expect(await faultsAfter('crashes', crashes)).toEqual([])
  })
})
