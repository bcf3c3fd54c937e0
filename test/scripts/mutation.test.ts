import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { outdated } from '../../proof/mutants/mutation/explained.ts'
import { nameOf, type ShownMutant } from '../../proof/mutants/mutation/mutant.ts'
import { Chooser } from '../../proof/mutants/mutation/plugins.ts'
import { addNames, addResult, beginRecord, readRecord } from '../../proof/mutants/mutation/record.ts'
import { noteAlone, readAlone, remembers } from '../../proof/mutants/mutation/remembering.ts'
import { runToEnd } from '../../proof/mutants/mutation/run.ts'
import { drawSample } from '../../proof/mutants/mutation/sample.ts'
import { describeScore, percentOf, readScore } from '../../proof/mutants/mutation/score.ts'

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

/** A change of one line of `src/a.ts`, by its number from 0. */
function nameOfLine(line: number, file = 'src/a.ts'): string {
  return [file, line, 2, line, 7, 'ConditionalExpression', 'true'].join('\n')
}

const A = 'if (a === b) one()\n  a && b\n  c || d\n'
const sources = new Map([['src/a.ts', A]])

describe('a score', () => {
  const explained = {
    file: 'src/a.ts',
    code: 'c || d',
    changes: ['c || => true'],
    because: 'it is only an example',
  }

  function scoreOf(statuses: readonly string[], all = statuses.length, explanations = [explained]) {
    const names = Array.from({ length: all }, (_, line) => nameOfLine(line))
    return readScore(
      { all: names, statuses: new Map(statuses.map((status, line) => [nameOfLine(line), status])) },
      sources,
      explanations,
    )
  }

  it('counts what no test reaches as missed, what is to be left alone not at all, and lists what survived', () => {
    const score = scoreOf(['Killed', 'NoCoverage', 'Timeout', 'Hung', 'Ignored', 'Ignored'])
    expect(score).toMatchObject({ noticed: 3, hung: 1, late: 1, explained: 0, tried: 4, all: 4 })
    expect(score.survivors).toEqual([{ file: 'src/a.ts', line: 2, code: 'a && b', change: 'a && => true' }])
    expect(percentOf(score)).toBe(75)
  })

  it('counts what is explained, by the code of its line and by what was changed there', () => {
    const statuses = ['Killed', 'Survived', 'Survived', 'Killed']
    expect(scoreOf(statuses)).toMatchObject({ noticed: 2, explained: 1, survivors: [{ line: 2 }] })
    expect(describeScore(scoreOf(statuses), false)).toBe('2 of 4 mutants were noticed and 1 are explained: 75.0 %')
    const other = { ...explained, changes: ['c || => false'] }
    expect(scoreOf(statuses, 4, [other])).toMatchObject({ noticed: 2, explained: 0, survivors: [{}, {}] })
  })

  it('of a sample says how sure it is, of what is unfinished what is left; of the whole it is what it is', () => {
    const score = { noticed: 88, hung: 0, late: 0, explained: 2, tried: 100, all: 1_000, survivors: [] }
    const said = '88 of 100 mutants were noticed and 2 are explained: 90.0 %'
    expect(describeScore(score, true)).toBe(
      `${said} of a sample; of all 1000 it is between 82.6 % and 94.5 % (95 % confidence)`,
    )
    expect(describeScore(score, false)).toBe(`${said}; 900 of 1000 are still to be tried (--resume)`)
    expect(describeScore({ ...score, all: 100 }, false)).toBe(said)
    expect(describeScore({ ...score, all: 100, hung: 4, late: 3 }, false)).toBe(
      '88 of 100 mutants were noticed (with 4 a test waits forever, with 3 tests ran out of time) and 2 are explained: 90.0 %',
    )
  })

  it('of nothing is none that would pass', () => {
    const score = scoreOf([], 2)
    expect(percentOf(score)).toBe(0)
    expect(describeScore(score, false)).toBe('none of 2 mutants was tried')
  })
})

describe('a module that remembers something', () => {
  it.each([
    ['const styles = new Map<string, { of: Set<number> }>()', true],
    ['export const seen: WeakMap<object, string> = new WeakMap()', true],
    ['one()\nlet used = 0', true],
    ['const known = new Map([[1, 2]])', false],
    ['function count() {\n  let sum = 0\n  const seen = new Set()\n}', false],
    ['const letters = 3', false],
  ])('is told by its text: %j', (text, does) => expect(remembers(text)).toBe(does))

  it('has its mutants written down, for those who start processes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
    folders.push(folder)
    const record = join(folder, 'record.jsonl')
    expect([...readAlone(record)]).toEqual([])
    noteAlone(record, ['7', '12'])
    expect([...readAlone(record)]).toEqual(['7', '12'])
  })
})

describe('the mutants that Stryker tries', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('are those without a result, whichever of its checkers is asked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
    folders.push(folder)
    const record = join(folder, 'record.jsonl')
    vi.stubEnv('MUTATE_RECORD', record)
    const all = mutants(3).map((each) => ({ ...each, fileName: '/one/src/lib/clock.ts' }))
    for (const each of all.slice(1, 2)) addResult(record, nameOf(each), 'Killed')
    expect(await new Chooser().group(all)).toEqual([['0', '1', '2']])
    const verdicts = await new Chooser().check(all)
    expect(Object.values(verdicts).map(({ status }) => status)).toEqual(['passed', 'compileError', 'passed'])
  })
})

describe('a record of results', () => {
  const present = (text: string, tests: string) => ({
    sources: new Map([
      ['src/a.ts', text],
      ['src/b.ts', 'b'],
    ]),
    tests,
  })
  const ofB = nameOfLine(0, 'src/b.ts')
  let path: string
  let explainedCode: string

  /** A run over the present code that found these results. */
  function run(text: string, tests: string, resume: boolean, results: Readonly<Record<string, string>> = {}, ms = 15) {
    const isExplained = ({ code }: ShownMutant) => code === explainedCode
    beginRecord(path, present(text, tests), { resume, timeoutMs: ms, isExplained })
    addNames(path, [nameOfLine(0), nameOfLine(1), ofB])
    for (const [name, status] of Object.entries(results)) addResult(path, name, status)
    return Object.fromEntries(readRecord(path).statuses)
  }

  const found = { [nameOfLine(0)]: 'Killed', [nameOfLine(1)]: 'Survived', [ofB]: 'Timeout' }

  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
    folders.push(folder)
    path = join(folder, 'record.jsonl')
    explainedCode = ''
  })

  it('is gone on with, as far as it still counts', () => {
    run(A, 'tests', false, found)
    expect(run(A, 'tests', true)).toEqual(found)
    expect(run(A, 'other tests', true)).toEqual({ [nameOfLine(0)]: 'Killed', [ofB]: 'Timeout' })
    expect(run('other code', 'other tests', true)).toEqual({ [ofB]: 'Timeout' })
  })

  it('keeps a survivor that is explained, whatever the tests, as long as its code is the same', () => {
    run(A, 'tests', false, found)
    explainedCode = 'a && b'
    expect(run(A, 'other tests', true)).toEqual(found)
    expect(run('other code', 'other tests', true)).toEqual({ [ofB]: 'Timeout' })
  })

  it('tries again what ran out of time, with more patience', () => {
    run(A, 'tests', false, found)
    expect(run(A, 'tests', true, {}, 16)).toEqual({ [nameOfLine(0)]: 'Killed', [nameOfLine(1)]: 'Survived' })
  })

  it('keeps that a test waits forever, for which nobody needs more patience', () => {
    run(A, 'tests', false, { [ofB]: 'Hung' })
    expect(run(A, 'tests', true, {}, 16)).toEqual({ [ofB]: 'Hung' })
  })

  it('begins again where nobody asks for the old one', () => {
    run(A, 'tests', false, found)
    expect(run(A, 'tests', false)).toEqual({})
  })

  it('has nothing of what was not tried or could not be run, and bears half a line', () => {
    run(A, 'tests', false, { [nameOfLine(0)]: 'CompileError', [ofB]: 'RuntimeError', [nameOfLine(1)]: 'Killed' })
    appendFileSync(path, '{"kind":"result","na')
    expect(readRecord(path)).toEqual({
      all: [nameOfLine(0), nameOfLine(1), ofB],
      statuses: new Map([[nameOfLine(1), 'Killed']]),
    })
  })
})

describe('the explanations of what survives', () => {
  it('are of lines that are there', () => {
    const gone = { file: 'src/a.ts', code: 'c || e', changes: [], because: 'x' }
    expect(outdated([gone], () => A)).toEqual([expect.stringMatching(/^src\/a\.ts has no such line .*: c \|\| e$/)])
  })
})

describe('a run of Stryker', () => {
  function run(script: string, deadline?: number) {
    const args = ['-e', script]
    return runToEnd({ command: process.execPath, args, cwd: tmpdir(), env: process.env, deadline })
  }

  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  it('that ends well has ended well, also just before its deadline', async () => {
    expect(await run('', Date.now() + 60_000)).toEqual({ how: 'well' })
  })

  it('that our deadline ends ran out of time, whatever code it ends with', async () => {
    const tidy = `process.on('SIGTERM', () => process.exit(143)); setInterval(() => {}, 1000)`
    expect(await run(tidy, Date.now() + 300)).toEqual({ how: 'out of time' })
  })

  it('that our deadline ends takes along what it started, which would use the processor on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
    folders.push(folder)
    const started = `const { spawn } = require('node:child_process')
      const worker = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' })
      require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(worker.pid))
      setInterval(() => {}, 1_000)`
    expect(await run(started, Date.now() + 5_000)).toEqual({ how: 'out of time' })
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    await expect.poll(() => isAlive(pid)).toBe(false)
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
