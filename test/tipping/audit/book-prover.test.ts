import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openReader } from '../../../src/lib/database/database.ts'
import type { BookReader } from '../../../src/lib/database/engine/reader.ts'
import { labelOf } from '../../../src/lib/proofs/balance-proof.ts'
import { climb } from '../../../src/lib/proofs/sum-tree.ts'
import { type BookProver, Prover } from '../../../src/tipping/audit/book-prover.ts'
import { proverBeside } from '../../../src/tipping/audit/open-prover.ts'
import { move, openBook, type TestBook } from '../../ledger/book.ts'

const HOUR_MS = 3_600_000
const KEY = '5a'.repeat(32)

let book: TestBook
let prover: BookProver
/** The moves after which the readings of the journal begin, one for each reading. */
let begins: number[]
let trouble: (() => void) | undefined

/** Returns a reader that reads like the book’s own one, and records where each reading begins. */
async function noted(): Promise<BookReader> {
  const { url, variable } = book.database
  const reader = await openReader({ url, variable, durable: true })
  return {
    close: () => reader.close(),
    snapshot: (look) =>
      reader.snapshot(async (rows) => {
        const found = await look((sql, values = []) => {
          if (sql.includes('FROM "Move" WHERE "id" > ?')) begins.push(Number(values[0]))
          return rows(sql, values)
        })
        trouble?.()
        return found
      }),
  }
}

beforeEach(async () => {
  book = await openBook()
  await book.fund('alice', 1_000)
  await book.send('tip-1', move('alice', 'bob', 100))
  begins = []
  trouble = undefined
  prover = new Prover(noted, book.clock)
})

afterEach(async () => {
  await prover.close()
  await book.close()
})

const faults = async (whole = false) => (await prover.prove({ whole })).faults

describe('a proof of the book', () => {
  it('continues from the last proven line, and starts over once a day or on request', async () => {
    expect(await faults()).toEqual([])
    await book.send('tip-2', move('bob', 'alice', 40))
    const proof = await prover.prove({ whole: false })
    expect(proof).toEqual({ ...(await book.ledger.prove()), holds: true })
    expect(proof).toMatchObject({ accounts: 3, entries: 3, moves: 3, totals: { member: 1_000n, wallet: -1_000n } })
    expect(begins).toEqual([0, 2])
    await faults(true)
    expect(begins).toEqual([0, 2, 0])
    await book.clock.advance(24 * HOUR_MS - 1)
    await faults()
    await book.clock.advance(1)
    await faults()
    expect(begins).toEqual([0, 2, 0, 3, 0])
  })

  it('covers every balance, including those whose moves are already proven', async () => {
    await faults()
    await book.spoil(`UPDATE "Account" SET "balance" = 99 WHERE "owner" = 'bob'`)
    expect(await faults()).toEqual([
      'all balances together are -1 msats, not 0',
      'member bob shows 99 msats, but its moves make 100',
    ])
    // What is wrong is looked for from the first line on.
    expect(begins).toEqual([0, 2, 0])
  })

  it('notices a change to an old line when it begins at the first line', async () => {
    await faults()
    await book.spoil('UPDATE "Move" SET "amount" = 101 WHERE "id" = 2')
    expect(await faults()).toEqual([])
    expect(await faults(true)).toEqual([
      'member alice shows 900 msats, but its moves make 899',
      'member bob shows 100 msats, but its moves make 101',
    ])
  })

  it('begins at the first line if the last proven line has changed', async () => {
    await faults()
    await book.spoil(`UPDATE "Entry" SET "operation" = 'tip-x' WHERE "id" = 2`)
    expect(await faults()).toEqual([])
    await book.spoil(`DELETE FROM "Move" WHERE "id" = 2; DELETE FROM "Entry" WHERE "id" = 2;
      UPDATE "Account" SET "balance" = 1000, "lastMoveId" = 1 WHERE "owner" = 'alice';
      UPDATE "Account" SET "balance" = 0, "lastMoveId" = NULL WHERE "owner" = 'bob'`)
    expect(await faults()).toEqual([])
    expect(begins).toEqual([0, 0, 0])
  })

  it('begins at the first line if the previous proof could not be stored', async () => {
    trouble = () => {
      throw new Error('the flush was lost')
    }
    await expect(faults()).rejects.toThrow('the flush was lost')
    trouble = undefined
    expect(await faults()).toEqual([])
    expect(begins).toEqual([0, 0])
  })
})

describe('the tree of balances', () => {
  const rootOf = async (tree: { key: string; lastEntry: number }, member: string, leaves: number) =>
    (await prover.partsOf(tree, member))?.map(({ part, amountMsats, salt, path }) => {
      const leaf = {
        label: labelOf('member', member, part),
        salt: Buffer.from(salt, 'hex'),
        amount: BigInt(amountMsats),
      }
      const steps = path.map(({ side, hash, sumMsats }) => ({
        side,
        hash: Buffer.from(hash, 'hex'),
        sum: BigInt(sumMsats),
      }))
      return climb(leaf, steps, leaves).root.toString('hex')
    })

  it('holds the balances at the time of the proof, and can be rebuilt later', async () => {
    await faults()
    await book.send('tip-2', move('bob', 'carol', 40))
    const planted = await prover.plant(KEY)
    expect(planted).toMatchObject({ lastEntry: 2, total: 1_000n, leaves: 4 })
    const tree = { key: KEY, lastEntry: 2 }
    expect(await rootOf(tree, 'bob', 4)).toEqual([planted.root, planted.root])
    expect(await prover.partsOf(tree, 'carol')).toBeUndefined()
    expect(await prover.partsOf(tree, 'nobody')).toBeUndefined()
    expect(begins).toEqual([0])
    // A later proof has gone on, and another process never had it.
    await faults()
    await prover.plant('00'.repeat(32))
    expect(await rootOf(tree, 'alice', 4)).toEqual([planted.root, planted.root])
    await prover.close()
    prover = new Prover(noted, book.clock)
    expect(await rootOf(tree, 'alice', 4)).toEqual([planted.root, planted.root])
  })

  it('is the same if it is made in a worker thread', async () => {
    const beside = proverBeside(book)
    expect(await beside.prove({ whole: false })).toEqual(await prover.prove({ whole: false }))
    expect(await beside.plant(KEY)).toEqual(await prover.plant(KEY))
    const tree = { key: KEY, lastEntry: 2 }
    expect(await beside.partsOf(tree, 'bob')).toEqual(await prover.partsOf(tree, 'bob'))
    await beside.close()
    await expect(beside.prove({ whole: true })).rejects.toThrow('the thread is closed')
  })

  it('cannot be made in a worker thread before the book exists', async () => {
    const url = book.database.url.replace(/book|satchel/, 'nowhere')
    const beside = proverBeside({ ...book, database: { ...book.database, url } })
    await expect(beside.prove({ whole: false })).rejects.toThrow()
    await beside.close()
  })
})
