import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { backUp } from '../../src/assembly/backup/backup.ts'
import { restore } from '../../src/assembly/backup/restore.ts'
import { parseConfig } from '../../src/config/config.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type SmallBooks, smallBooks } from './small-books.ts'

/** Tests how restoring changes the books. */

const clock = new ManualClock()
const elsewhere = { PAYMENTS_BASE_URL: 'https://pay.example.org', PAYMENTS_API_KEY: 'key' }

/** Backs books up, and restores them into another folder. Returns this folder. */
async function restored({ above, folder }: SmallBooks, provider: object): Promise<string> {
  const backup = join(above, 'backup')
  await backUp(parseConfig({ DATA_FOLDER: folder, ...provider }), backup, clock)
  const other = join(above, 'other')
  const options = { force: false, notPaused: false, clock }
  await restore(parseConfig({ DATA_FOLDER: other, ...provider }), backup, options)
  return other
}

function read(folder: string, name: string, sql: string): unknown[] {
  const book = new Database(join(folder, name), { readonly: true })
  try {
    return book.prepare(sql).all()
  } finally {
    book.close()
  }
}

it('a restore migrates books of an older version', async () => {
  const last = '20261123000070_one_time'
  const books = await smallBooks()
  const names = ['tipping.sqlite', 'payments.sqlite']
  for (const name of names) {
    books.spoil(name, 'ALTER TABLE "BookTime" DROP COLUMN "setNumber"')
    books.spoil(name, 'ALTER TABLE "BookTime" DROP COLUMN "believedAt"')
    books.spoil(name, `DELETE FROM "_prisma_migrations" WHERE "migration_name" = '${last}'`)
  }
  const folder = await restored(books, {})
  for (const name of names) {
    const migrations = read(folder, name, 'SELECT "migration_name" AS "last" FROM "_prisma_migrations"')
    expect(migrations, name).toContainEqual({ last })
  }
})

it.each([
  ['ends if the service’s book is restored too', {}, false],
  ['remains if the provider is remote and is not restored', elsewhere, true],
])('outside wallets’ access to a voucher %s', async (_what, provider, isOpen) => {
  const walletRequest = 'lightning:lnurl1'
  const at = '2030-01-01T00:00:00.000Z'
  const books = await smallBooks()
  await books.bot((tx) =>
    tx.voucher.create({
      data: {
        ...{ id: 'voucher', member: 'alice', amount: 1_000n, feeLimit: 0n, description: '', state: 'live' },
        ...{ provider: 'p', body: '{}', sentAt: at, voucherId: 'v', code: 'c', walletRequest, walletAmount: 900n },
        ...{ card: 'card', key: 'key', createdAt: at },
      },
    }),
  )
  const folder = await restored(books, provider)
  expect(read(folder, 'tipping.sqlite', 'SELECT "walletRequest", "walletAmount" FROM "Voucher"')).toEqual([
    isOpen ? { walletRequest, walletAmount: 900 } : { walletRequest: null, walletAmount: null },
  ])
})
