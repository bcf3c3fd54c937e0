import { spawnSync } from 'node:child_process'
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILED } from '../../proof/world/processes/compiled.ts'
import { type AuditReport, audit } from '../../src/assembly/audit/audit.ts'
import { printAudit } from '../../src/assembly/audit/print-audit.ts'
import { watchServiceBook } from '../../src/assembly/audit/watch-service-book.ts'
import { storedProject } from '../../src/assembly/own-project.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type PlayedWorld, playWorld } from './played-world.ts'

let played: PlayedWorld
let live: AuditReport
let liveCli: ReturnType<typeof runCli>

beforeAll(async () => {
  played = await playWorld()
  live = await auditOf(played.folder)
  liveCli = runCli(played.folder)
  await played.stop()
}, 60_000)

afterAll(() => played.remove())

function auditOf(
  folder: string,
  askWallet?: () => Promise<bigint | string>,
  askAddresses: () => Promise<bigint | undefined> = async () => 0n,
): Promise<AuditReport> {
  const projectId = storedProject(folder)?.projectId
  return audit({
    tipping: `file:${folder}/tipping.sqlite`,
    provider: askWallet
      ? { kind: 'elsewhere', askWallet, askAddresses }
      : { kind: 'in the box', database: `file:${folder}/payments.sqlite`, projectId },
    clock: systemClock,
  })
}

/** The command in its own process, as an operator runs it. */
function runCli(folder: string, ...args: string[]) {
  const cli = new URL('../../src/cli/audit.ts', import.meta.url).pathname
  const env = { PATH: process.env.PATH, ...COMPILED, DATA_FOLDER: folder }
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8', cwd: folder })
  return { status, stdout, stderr }
}

/** Does something to a copy behind the program's back, triggers and constraints out of the way. */
async function spoil(file: 'tipping' | 'payments', sql: string): Promise<AuditReport> {
  const folder = played.copy()
  tamper(folder, file, sql)
  const report = await auditOf(folder)
  rmSync(folder, { recursive: true })
  expect(report.holds).toBe(false)
  return report
}

function tamper(folder: string, file: string, sql: string): void {
  const database = new Database(`${folder}/${file}.sqlite`)
  database.pragma('foreign_keys = OFF')
  database.pragma('ignore_check_constraints = ON')
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
  for (const { name } of triggers as { name: string }[]) database.exec(`DROP TRIGGER "${name}"`)
  database.exec(sql)
  for (const { sql: again } of triggers as { sql: string }[]) database.exec(again)
  database.close()
}

const sentences = (report: AuditReport) => report.findings.map(({ what }) => what)

describe('an audit from outside', () => {
  it('finds everything right while the bot and the service run', () => {
    expect(live.findings).toEqual([])
    expect(live.books.map(({ side, proof }) => [side, proof?.holds])).toEqual([
      ['bot', true],
      ['service', true],
    ])
    expect(live.books[0]?.open.map(({ noun }) => noun).sort()).toEqual(['drop', 'unclaimed tip', 'withdrawal'])
    expect(live.books[1]?.open.map(({ noun }) => noun).sort()).toEqual(['voucher', 'withdrawal request'])
    expect(live.cover?.wallet).toBeTypeOf('bigint')
  })

  it('is a command that works beside them and exits 0', () => {
    expect(liveCli.stderr).toBe('')
    expect(liveCli.status).toBe(0)
    expect(liveCli.stdout).toMatch(/The bot’s book[\s\S]*proven[\s\S]*The service’s book[\s\S]*✓ Everything agrees/)
  })

  it('changes nothing in what it looks at', async () => {
    const folder = played.copy()
    const dump = () =>
      ['tipping', 'payments'].map((file) => {
        const database = new Database(`${folder}/${file}.sqlite`)
        const serialized = database.pragma('data_version')
        const rows = database.prepare('SELECT (SELECT SUM(id) FROM Move) m, (SELECT COUNT(*) FROM Account) a').all()
        database.close()
        return JSON.stringify([serialized, rows])
      })
    const before = dump()
    await auditOf(folder)
    expect(dump()).toEqual(before)
  })

  it('prints JSON, and on a difference names operation and advice, and exits 1', () => {
    const folder = played.copy()
    tamper(folder, 'tipping', `UPDATE "Withdrawal" SET "state" = 'returned' WHERE "state" = 'offered'`)
    const { status, stdout } = runCli(folder, '--json')
    expect(status).toBe(1)
    const report = JSON.parse(stdout)
    expect(report.holds).toBe(false)
    const finding = report.findings.find(({ what }: { what: string }) => what.startsWith('held'))
    expect(finding).toMatchObject({ side: 'bot', operation: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(finding.what).toMatch(/^held \d+ holds \d+ msats for [0-9a-f-]{36}, but no open record explains them$/)
    expect(finding.advice).not.toBe('')
    const words = runCli(folder)
    expect(words.status).toBe(1)
    expect(words.stdout).toContain(`operation: ${finding.operation}`)
    expect(words.stdout).toContain('what to do: Do not refund by hand')
  })

  it('with another provider reads its wallet, and says so when it cannot', async () => {
    const { expected } = live.cover ?? { expected: 0n }
    const far = await auditOf(played.folder, async () => live.cover?.wallet ?? 0n)
    expect(far.holds).toBe(true)
    expect(far.books).toHaveLength(1)
    const less = await auditOf(played.folder, async () => expected - 10_000_000n)
    expect(sentences(less)[0]).toMatch(/holds -?\d+ msats, \d+ less than the bot’s book accounts for/)
    const more = await auditOf(played.folder, async () => expected + 10_000_000n)
    expect(sentences(more)[0]).toMatch(/more than the bot’s book accounts for/)
    const wallet = async () => expected + 10_000_000n
    for (const atAddresses of [10_000_000n, undefined]) {
      expect((await auditOf(played.folder, wallet, async () => atAddresses)).holds).toBe(true)
    }
    const silent = await auditOf(played.folder, async () => 'it does not answer')
    expect(sentences(silent)).toEqual(['The wallet could not be asked: it does not answer'])
    expect(printAudit(silent)).toContain('could not be asked')
  })
})

describe('what was done behind the books’ back is named', () => {
  it('a balance edited by hand, on either side', async () => {
    const bot = await spoil('tipping', `UPDATE "Account" SET "balance" = "balance" + 1000 WHERE "kind" = 'member'`)
    expect(sentences(bot)).toContainEqual(expect.stringMatching(/^member \d+ shows \d+ msats, but its moves make \d+$/))
    const service = await spoil(
      'payments',
      `UPDATE "Account" SET "balance" = "balance" + 7 WHERE "owner" LIKE 'user:%' AND "balance" > 0`,
    )
    expect(sentences(service)).toContainEqual(expect.stringMatching(/^wallet user:\S+ shows 500007 msats/))
  })

  it('a journal line whose amount was changed', async () => {
    const report = await spoil('tipping', `UPDATE "Move" SET "amount" = "amount" + 5000 WHERE "id" = 3`)
    expect(sentences(report)).toContainEqual(expect.stringMatching(/but its moves make/))
  })

  it('a journal line that was moved to another account', async () => {
    const report = await spoil(
      'tipping',
      `UPDATE "Move" SET "toId" = (SELECT MAX("id") FROM "Account" WHERE "id" NOT IN ("fromId", "toId")) WHERE "id" = 3`,
    )
    expect(sentences(report)).toContainEqual(
      expect.stringMatching(/^move 4 of member \d+ follows 3 by its own account, but nothing in the journal$/),
    )
  })

  it('a journal line that is missing, in the middle or at the end', async () => {
    const middle = await spoil('tipping', `DELETE FROM "Move" WHERE "id" = 3`)
    expect(sentences(middle)).toContain('moves jump from 2 to 4: move 3 is missing from the journal')
    const last = await spoil('payments', `DELETE FROM "Move" WHERE "id" = (SELECT MAX("id") FROM "Move")`)
    expect(sentences(last)).toContainEqual(expect.stringMatching(/^the newest move of .* by its account, but/))
    expect(sentences(last)).toContainEqual(expect.stringMatching(/^entry \d+ \(.*\) has no moves/))
  })

  it('an entry that is missing, and a line that was invented', async () => {
    const missing = await spoil('tipping', `DELETE FROM "Entry" WHERE "id" = 2`)
    expect(sentences(missing)).toContain('entries jump from 1 to 3: entry 2 is missing from the journal')
    const invented = await spoil(
      'tipping',
      `INSERT INTO "Move" ("id", "entryId", "fromId", "toId", "amount") VALUES (9000, 1, 1, 2, 5)`,
    )
    expect(sentences(invented)).toContainEqual(expect.stringMatching(/^moves jump from \d+ to 9000/))
  })

  it('a record that was edited: it no longer explains what is held for it', async () => {
    const unclaimed = await spoil('tipping', `UPDATE "TipShare" SET "amount" = 1 WHERE "state" = 'parked'`)
    expect(sentences(unclaimed)).toEqual([
      expect.stringMatching(/^held \d+ holds 250000 msats for \S+, but its record \(unclaimed tip, parked\) says 1$/),
      expect.stringMatching(/^the leaderboard of server \d+ is wrong for \S+: its sums differ from the gifts/),
    ])
    const drop = await spoil('tipping', `UPDATE "Drop" SET "claimed" = 2`)
    expect(sentences(drop)).toEqual([expect.stringMatching(/^pot \S+ holds 300000 .* says 100000$/)])
    const request = await spoil('payments', `UPDATE "WithdrawalRequest" SET "status" = 'expired'`)
    expect(sentences(request)).toContainEqual(expect.stringMatching(/^in_flight project:\S+ holds .* no open record/))
    const voucher = await spoil('payments', `UPDATE "Voucher" SET "amount" = "amount" + 1`)
    expect(sentences(voucher)).toEqual([expect.stringMatching(/^voucher_escrow .* \(voucher, live\) says 1000001$/)])
  })

  it('money that left the bot’s wallet without the bot', async () => {
    const report = await spoil(
      'payments',
      `UPDATE "Account" SET "balance" = "balance" - 3000000 WHERE "owner" LIKE 'project:%' AND "kind" = 'wallet'`,
    )
    expect(sentences(report)).toContainEqual(expect.stringMatching(/less than the bot’s book accounts for/))
  })
})

describe('the service’s book beside the bot', () => {
  async function watch(folder: string, paused?: { source: 'operator'; reason: string }) {
    const clock = new ManualClock()
    const pauses: string[] = []
    const administration = {
      pause: async ({ reason }: { reason: string }) => void pauses.push(reason),
      status: async () => ({ proven: undefined, inFlight: { count: 0, oldestSince: undefined }, paused }),
    }
    const parts = {
      database: `file:${folder}/payments.sqlite`,
      tipping: { administration },
      clock,
      logger: silentLogger,
    }
    const watching = watchServiceBook({ ...parts, everyMs: 60_000 })
    return { pauses, clock, close: () => watching.close() }
  }

  it('that proves right pauses nothing', async () => {
    const { pauses, close } = await watch(played.copy())
    await close()
    expect(pauses).toEqual([])
  })

  it('that was edited pauses what leaves, and says so once', async () => {
    const folder = played.copy()
    tamper(folder, 'payments', `UPDATE "Account" SET "balance" = "balance" + 7 WHERE "owner" LIKE 'user:%'`)
    const first = await watch(folder)
    await expect.poll(() => first.pauses.length).toBe(1)
    await first.close()
    const [reason = ''] = first.pauses
    expect(reason).toMatch(/^the service’s book does not prove right: /)
    const second = await watch(folder, { source: 'operator', reason })
    await second.close()
    expect(second.pauses).toEqual([])
  })

  it('that is spoilt later is noticed at the next look', async () => {
    const folder = played.copy()
    const { pauses, clock, close } = await watch(folder)
    await expect.poll(() => clock.nextInMs).toBe(60_000)
    tamper(folder, 'payments', `DELETE FROM "Move" WHERE "id" = 3`)
    await clock.advance(60_000)
    await expect.poll(() => pauses.length).toBe(1)
    await close()
  })
})

describe('a database that this version did not make is named', () => {
  it('one that lacks a migration', async () => {
    const report = await spoil(
      'tipping',
      `DELETE FROM "_prisma_migrations" WHERE "migration_name" = '20261121000020_vouchers_and_drops'`,
    )
    expect(sentences(report)[0]).toMatch(/^The database lacks the migration 20261121000020_vouchers_and_drops\. Start/)
    expect(report.books[0]?.proof).toBeUndefined()
  })

  it('one from a newer version', async () => {
    const report = await spoil(
      'payments',
      `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ('x', 'y', '29991231000000_future')`,
    )
    expect(sentences(report)[0]).toMatch(
      /made by a newer version of Satchel \(it has the migration 29991231000000_future/,
    )
  })

  it('one whose guards were taken out', async () => {
    const folder = played.copy()
    const database = new Database(`${folder}/tipping.sqlite`)
    database.exec('DROP TRIGGER "Move_no_delete"')
    database.close()
    expect(sentences(await auditOf(folder))[0]).toMatch(/trigger Move_no_delete is missing/)
  })

  it('one whose key to the service cannot be read', () => {
    const folder = played.copy()
    writeFileSync(`${folder}/own-project.json`, '{}')
    const { status, stderr } = runCli(folder)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^\S+own-project\.json cannot be read as the key of the bot's project\. Restore it[^\n]*\n$/)
  })

  it('one that is damaged, no database, or not there', async () => {
    const folder = played.copy()
    writeFileSync(`${folder}/tipping.sqlite`, 'these are not the books')
    rmSync(`${folder}/tipping.sqlite-wal`, { force: true })
    const said = (words: RegExp) => ({ status: 1, stderr: expect.stringMatching(words) })
    expect(runCli(folder)).toMatchObject(said(/tipping\.sqlite cannot be read: .* is damaged\. Restore a backup\.\n$/))
    rmSync(`${folder}/tipping.sqlite`)
    mkdirSync(`${folder}/tipping.sqlite`)
    expect(runCli(folder)).toMatchObject(said(/^The database \S+ cannot be read: [^\n]*\n$/))
    rmdirSync(`${folder}/tipping.sqlite`)
    const gone = runCli(folder)
    expect(gone).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no database at') })
    expect(gone.stderr).not.toMatch(/\n\s+at /)
  })
})
