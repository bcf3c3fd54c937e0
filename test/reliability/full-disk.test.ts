import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'

/** Returns whether this user may mount a small file system in memory. */
function mountsAllowed(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0
  if (mounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true })
  return mounted
}

const root = join(import.meta.dirname, '../..')

/**
 * A program that tips until the index of the database's log has to grow, at its 4,063rd frame. Shortly before that, the
 * disk has only room for a tip's own frames: they fit, and the index does not. It prints the number of answered tips.
 */
const TIP_WHEN_FULL = `
import { appendFileSync, statfsSync, statSync } from 'node:fs'
import { createLedger } from '${root}/src/ledger/ledger.ts'
import { msats } from '${root}/src/lib/money/amount.ts'
import { systemClock } from '${root}/src/lib/clock.ts'
import { CHART, member, WALLET } from '${root}/src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase } from '${root}/src/tipping/core/database.ts'

const [folder] = process.argv.slice(-1)
const [FRAME, INDEXED, PAGE] = [4_120, 4_062, 4_096]
const database = await openTippingDatabase(\`file:\${folder}/book.sqlite\`)
const ledger = createLedger({ database, chart: CHART, clock: systemClock })
const frames = () => Math.floor((statSync(\`\${folder}/book.sqlite-wal\`).size - 32) / FRAME)
let tips = 0
const tip = () => {
  const moves = [{ from: WALLET, to: member('bob'), amount: msats(1_000) }]
  return ledger.commit({ entries: [{ operation: \`tip-\${(tips += 1)}\`, step: 'post', moves }] })
}
let each = 0
for (let before = frames(); before + each <= INDEXED; before = frames()) {
  await tip()
  each = Math.max(each, frames() - before)
}
for (;;) {
  const { bavail, bsize } = statfsSync(folder)
  appendFileSync(\`\${folder}/filler\`, Buffer.alloc(Math.max(0, bavail * bsize - (each + 3) * PAGE)))
  await tip()
  console.log(tips)
}
`

// A full disk is a file system of a fixed size, which takes the right to mount one.
describe.skipIf(!mountsAllowed())('a disk that is full', { timeout: 60_000 }, () => {
  let disk: string

  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'full-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk])
  })

  afterEach(() => {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })

  it('ends the process if the index of the log cannot grow, and no tip is lost', async () => {
    const options = ['--input-type=module-typescript', '--eval', TIP_WHEN_FULL, '--', disk]
    const { status, stdout, stderr } = spawnSync(process.execPath, options, { cwd: root, encoding: 'utf8' })
    expect(stderr).toMatch(/full.*nobody gets an answer/s)
    const answered = Number(stdout.trim().split('\n').at(-1))
    rmSync(join(disk, 'filler'))
    const database = await openTippingDatabase(`file:${disk}/book.sqlite`)
    const stored = await database.read.entry.count()
    await database.close()
    expect(stored).toBe(answered + 1)
    expect(status).toBe(1)
  })

  it('is reported, with advice on what to do, by a bot that starts on it', async () => {
    const database = await openTippingDatabase(`file:${disk}/tipping.sqlite`)
    const deposit = { id: 'd-1', member: 'alice', amount: 1_000n, state: 'creating', card: 'c-1', key: 'k-1' }
    await database.write.$transaction(async (tx) => {
      await tx.deposit.create({ data: { ...deposit, provider: 'p-1', createdAt: new Date(0) } })
    })
    await database.close()
    const leave = (bytes: number) => {
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - bytes))
    }
    const env = {
      PATH: process.env.PATH ?? '',
      DATA_FOLDER: disk,
      DISCORD_TOKEN: 'aaa.bbb.ccc',
      PAYMENTS_BASE_URL: 'http://127.0.0.1:9',
      PAYMENTS_API_KEY: 'nobody listens there',
    }
    const startBot = () => {
      const { status, stderr } = spawnSync(process.execPath, [join(root, 'src/cli/bot.ts')], {
        cwd: disk,
        encoding: 'utf8',
        env,
      })
      rmSync(join(disk, 'filler'))
      return { status, stderr }
    }
    // Nothing at all; then the index of the log, and no more. A busy machine needs minutes to start the program twice.
    leave(0)
    expect(startBot()).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^The data folder .* the disk is full\. Free some space.*DATA_FOLDER to another folder\.\n$/,
      ),
    })
    leave(36 * 1_024)
    expect(startBot()).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^The (?:disk failed while|database) .*tipping\.sqlite.*disk is full.*Free some space.*\n$/,
      ),
    })
  }, 300_000)
})
