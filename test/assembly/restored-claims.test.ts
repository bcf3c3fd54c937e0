import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { audit } from '../../src/assembly/audit/audit.ts'
import { backUp } from '../../src/assembly/backup/backup.ts'
import { restore } from '../../src/assembly/backup/restore.ts'
import { storedProject } from '../../src/assembly/own-project.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { playWorld } from './played-world.ts'

/**
 * Returns the numbers of the codes that any wallet could claim from a folder's books, of those among them that the bot
 * shows, and of the codes of live vouchers.
 */
function openToWallets(folder: string, at: string) {
  const count = (book: string, sql: string, ...values: unknown[]) => {
    const database = new Database(join(folder, book), { readonly: true })
    try {
      return database
        .prepare(`SELECT count(*) FROM ${sql}`)
        .pluck()
        .get(...values) as number
    } finally {
      database.close()
    }
  }
  const live = '"redeemedAt" IS NULL AND "revokedAt" IS NULL'
  return {
    codes: count('payments.sqlite', `"Voucher" WHERE ${live}`),
    secrets: count('payments.sqlite', `"Voucher" WHERE ${live} AND "walletSecret" IS NOT NULL`),
    shown: count('tipping.sqlite', '"Voucher" WHERE "walletRequest" IS NOT NULL'),
    requests: count('payments.sqlite', `"WithdrawalRequest" WHERE "status" = 'pending' AND "expiresAt" > ?`, at),
  }
}

it('a restore closes all codes to outside wallets, but keeps the vouchers live', async () => {
  const played = await playWorld()
  try {
    const backup = join(dirname(played.folder), 'backup')
    await backUp(parseConfig({ DATA_FOLDER: played.folder }), backup, systemClock)
    const folder = join(dirname(played.folder), 'restored')
    mkdirSync(folder)
    const options = { force: false, notPaused: false, clock: systemClock }
    const { at, closed } = await restore(parseConfig({ DATA_FOLDER: folder }), backup, options)
    const before = openToWallets(backup, at)
    for (const kind of ['codes', 'secrets', 'shown', 'requests'] as const) expect(before[kind]).toBeGreaterThan(0)
    expect(closed).toEqual({ vouchers: before.secrets, withdrawalRequests: before.requests, logIns: 0 })
    expect(openToWallets(folder, at)).toEqual({ ...before, secrets: 0, shown: 0, requests: 0 })
    const { books } = await audit({
      tipping: `file:${folder}/tipping.sqlite`,
      provider: {
        kind: 'in the box',
        database: `file:${folder}/payments.sqlite`,
        projectId: storedProject(folder)?.projectId,
      },
      clock: systemClock,
    })
    expect(books.flatMap(({ findings }) => findings)).toEqual([])
  } finally {
    await played.remove()
  }
}, 60_000)
