import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { runToEnd } from '../../scripts/mutation/run.ts'
import { drawSample } from '../../scripts/mutation/sample.ts'
import { describeScore, percentOf, readScore } from '../../scripts/mutation/score.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A mutant a line, in files of a hundred lines. */
function mutants(count: number, root = '/one/') {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index),
    fileName: `${root}src/file-${Math.floor(index / 100)}.ts`,
    mutatorName: 'ConditionalExpression',
    replacement: 'true',
    location: { start: { line: index % 100, column: 0 }, end: { line: index % 100, column: 9 } },
  }))
}

describe('a sample of mutants', () => {
  it('has one of every stretch, whatever order they come in, and is the same again for its seed', () => {
    const drawn = drawSample(mutants(1_000), 50, 'seed').map(({ id }) => Number(id))
    expect(drawn.map((id) => Math.floor(id / 20))).toEqual(Array.from({ length: 50 }, (_, stretch) => stretch))
    expect(drawSample(mutants(1_000, '/another/folder/').toReversed(), 50, 'seed').map(({ id }) => Number(id))).toEqual(
      drawn,
    )
    expect(drawSample(mutants(1_000), 50, 'other').map(({ id }) => Number(id))).not.toEqual(drawn)
  })

  it('draws none more often than the others', () => {
    const times = new Map<number, number>()
    for (let seed = 0; seed < 400; seed += 1) {
      for (const { id } of drawSample(mutants(40), 4, String(seed))) {
        times.set(Number(id), (times.get(Number(id)) ?? 0) + 1)
      }
    }
    // Each is drawn 40 times of 400 on average; 15 less or more would be a chance of one in ten thousand.
    expect([...times.values()].every((count) => count > 15 && count < 70)).toBe(true)
    expect(times.size).toBe(40)
  })

  it('larger than the part is the part', () => {
    expect(drawSample(mutants(7), 50, 'seed')).toHaveLength(7)
  })
})

describe('a score', () => {
  function scoreOf(...statuses: string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
    folders.push(folder)
    const report = join(folder, 'report.json')
    writeFileSync(report, JSON.stringify({ files: { 'a.ts': { mutants: statuses.map((status) => ({ status })) } } }))
    return readScore(report)
  }

  it('counts what no test reaches as missed, and what was not in the sample not at all', () => {
    const score = scoreOf('Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage', 'CompileError', 'Ignored')
    expect(score).toEqual({ noticed: 3, tried: 5, all: 6 })
    expect(percentOf(score)).toBe(60)
  })

  it('of a sample says how sure it is; of the whole it is what it is', () => {
    expect(describeScore({ noticed: 90, tried: 100, all: 1_000 })).toBe(
      '90 of 100 mutants were noticed: 90.0 % of a sample; of all 1000 it is between 82.6 % and 94.5 % (95 % confidence)',
    )
    expect(describeScore({ noticed: 90, tried: 100, all: 100 })).toBe('90 of 100 mutants were noticed: 90.0 %')
  })

  it('of nothing is none that would pass', () => {
    const score = scoreOf('CompileError', 'CompileError', 'Ignored')
    expect(percentOf(score)).toBe(0)
    expect(describeScore(score)).toBe('none of 2 mutants was tried')
  })
})

describe('a run of Stryker', () => {
  function run(script: string, deadline?: number) {
    const args = ['-e', script]
    return runToEnd({ command: process.execPath, args, cwd: tmpdir(), env: process.env, deadline })
  }

  it('that ends well has ended well, also just before its deadline', async () => {
    expect(await run('', Date.now() + 60_000)).toEqual({ how: 'well' })
  })

  it('that our deadline ends ran out of time, whatever code it ends with', async () => {
    const tidy = `process.on('SIGTERM', () => process.exit(143)); setInterval(() => {}, 1000)`
    expect(await run(tidy, Date.now() + 300)).toEqual({ how: 'out of time' })
  })

  it('that crashes has not merely run out of time, and its last words are told', async () => {
    const end = await run(`console.error('no test passed'); process.exit(3)`, Date.now() + 60_000)
    expect(end).toEqual({ how: 'badly', code: 3, lastWords: 'no test passed' })
    expect(await run(`process.kill(process.pid, 'SIGKILL')`)).toMatchObject({ how: 'badly', code: 'SIGKILL' })
  })

  it('has ended when it has, though what it started lives on', async () => {
    const started = `const { spawn } = require('node:child_process')
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3_000)'], { stdio: 'inherit', detached: true }).unref()
      process.exit(1)`
    expect(await run(started)).toMatchObject({ how: 'badly', code: 1 })
  })

  it('that cannot be started says why', async () => {
    const end = await runToEnd({ command: '/nothing/here', args: [], cwd: tmpdir(), env: {} })
    expect(end).toMatchObject({ how: 'badly', code: expect.stringContaining('ENOENT') })
  })
})
