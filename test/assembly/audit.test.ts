import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILED } from '../../proof/world/processes/compiled.ts'
import { type AuditReport, audit } from '../../src/assembly/audit/audit.ts'
import { storedProject } from '../../src/assembly/own-project.ts'
import { systemClock } from '../../src/lib/clock.ts'
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

function auditOf(folder: string): Promise<AuditReport> {
  const provider = { database: `file:${folder}/payments.sqlite`, projectId: storedProject(folder)?.projectId }
  return audit({
    tipping: `file:${folder}/tipping.sqlite`,
    provider: { kind: 'in the box', ...provider },
    clock: systemClock,
  })
}

/** Runs the command `audit` in its own process, as an operator does. */
function runCli(folder: string, ...args: string[]) {
  const cli = new URL('../../src/cli/audit.ts', import.meta.url).pathname
  const env = { PATH: process.env.PATH, ...COMPILED, DATA_FOLDER: folder }
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8', cwd: folder })
  return { status, stdout, stderr }
}

/**
 * Changes a copy of the books behind the program's back, with triggers and constraints disabled. Resolves to the report
 * of the audit, which must find faults.
 */
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

describe('an audit in another process', () => {
  it('finds no fault while the bot and the service run', () => {
    expect(live.findings).toEqual([])
    expect(live.books.map(({ side, proof }) => [side, proof?.holds])).toEqual([
      ['bot', true],
      ['service', true],
    ])
    expect(live.books[0]?.open.map(({ noun }) => noun).sort()).toEqual(['drop', 'unclaimed tip', 'withdrawal'])
    expect(live.books[1]?.open.map(({ noun }) => noun).sort()).toEqual(['voucher', 'withdrawal request'])
    expect(live.cover?.wallet).toBeTypeOf('bigint')
  })

  it('runs as a command beside the bot and exits with 0', () => {
    expect(liveCli.stderr).toBe('')
    expect(liveCli.status).toBe(0)
    expect(liveCli.stdout).toMatch(/The bot’s book[\s\S]*proven[\s\S]*The service’s book[\s\S]*✓ Everything agrees/)
  })

  it('does not change the audited data', async () => {
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

  it('prints a fault as JSON with its operation and remedy, and exits with 1', () => {
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

  it('names an edited record that no longer matches its reserved amount', async () => {
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
})
