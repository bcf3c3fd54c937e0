import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BookWatch } from '../../proof/judge/book-watch.ts'
import type { Evidence } from '../../proof/judge/evidence.ts'
import { forgotten, isTakenBack, type Reported } from '../../proof/kills/reported.ts'
import { KillableProcess } from '../../proof/world/processes/killable-process.ts'
import { CHART } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-kills-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a process to kill', { timeout: 120_000 }, () => {
  let victim: KillableProcess
  const settings = { DATA_FOLDER: '.', LOG_LEVEL: 'silent' }
  afterEach(() => victim.discard())

  it('reports why it cannot start, and does not count as killed', async () => {
    victim = new KillableProcess('service.ts', folder, { ...settings, SERVICE_PORT: 'none' })
    await expect(victim.start()).rejects.toThrow(
      /service\.ts ended with 1 \(its last words: .*SERVICE_PORT.*before it/s,
    )
    await expect(victim.kill()).rejects.toThrow('service.ts ended with 1')
    expect(victim.kills).toBe(0)
  })

  it('counts as killed only if it was killed; if it ended by itself, this is reported', async () => {
    victim = new KillableProcess('service.ts', folder, { ...settings, SERVICE_PORT: '0' })
    await victim.start()
    await victim.kill()
    expect(victim.kills).toBe(1)
    await victim.start()
    const pid = victim.pid ?? 0
    process.kill(pid, 'SIGTERM')
    await expect.poll(() => isGone(pid), { timeout: 60_000 }).toBe(true)
    await expect(victim.kill()).rejects.toThrow(/service\.ts ended with 0 .* by itself/)
    expect(victim.kills).toBe(1)
  })
})

/** Returns whether a process has ended, even if it still exists because its parent has not read its exit. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

describe('the answers that people received', () => {
  let watch: BookWatch | undefined
  afterEach(() => watch?.close())
  const told: Reported = { kind: 'tip', key: 'i-1', what: 'alice bob 5000' }

  async function books(shares: readonly { recipient: string; amount: bigint }[]): Promise<Evidence> {
    const file = join(folder, 'tipping.sqlite')
    const database = await openTippingDatabase(`file:${file}`)
    const at = new Date()
    await database.write.tip.create({
      data: {
        ...{ id: 't-1', sender: 'alice', note: '', total: 5_000n, channel: 'tips', card: 'c-1', createdAt: at },
        shares: { create: shares.map((share, n) => ({ ...share, id: `s-${n}`, ordinal: n, state: 'credited' })) },
      },
    })
    for (const [n] of shares.entries()) {
      const operation = {
        id: `s-${n}`,
        verb: 'tip',
        record: n === 0 ? 't-1' : `s-${n}`,
        interaction: 'i-1',
        ordinal: n,
        createdAt: at,
      }
      await database.write.operation.create({ data: operation })
    }
    await database.close()
    watch = new BookWatch('bot', file, CHART)
    return { botBook: watch } as unknown as Evidence
  }

  it('are reported if the books have no such operation or a different amount', async () => {
    const evidence = await books([{ recipient: 'bob', amount: 5_000n }])
    expect(forgotten(evidence, [told])).toEqual([])
    expect(forgotten(evidence, [{ ...told, key: 'i-2' }])).toEqual([
      'somebody was told of the tip "alice bob 5000" (i-2); the books have []',
    ])
    expect(forgotten(evidence, [{ ...told, what: 'alice bob 7000' }])).toHaveLength(1)
  })

  it('are not reported as missing once their message is deleted, only as different', async () => {
    const evidence = await books([{ recipient: 'bob', amount: 5_000n }])
    const deleted = { ...told, stands: () => false }
    expect(forgotten(evidence, [{ ...deleted, key: 'i-2' }])).toEqual([])
    expect(forgotten(evidence, [{ ...deleted, what: 'alice bob 7000' }])).toHaveLength(1)
    expect(isTakenBack(evidence, deleted)).toBe(false)
  })

  it('are reported if the books contain two operations for one answer', async () => {
    const evidence = await books([
      { recipient: 'bob', amount: 5_000n },
      { recipient: 'carol', amount: 5_000n },
    ])
    expect(forgotten(evidence, [told])).toHaveLength(1)
  })
})
