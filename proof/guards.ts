/**
 * `npm run prove -- mutate [-- FAULT…]`: takes each guard against a known fault out of a copy of the code, and sees that the tests
 * named after the fault fail. Without faults (`6 13 27`), all of them; `--part K/N` takes the K-th of N parts of these.
 * `--jobs N` tries that many at once (2).
 *
 * First the same tests are run with every guard in its place, where all must pass. Exits 1 when a test that should fail
 * passes, or fails only because it waited in vain, when a guard is not found where it should be, and when a fault of the list
 * has none.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ALL_GUARDS, faultsOfList } from './mutants/guards/all-guards.ts'
import type { Guard } from './mutants/guards/guard.ts'
import { type TestResult, TestsOfCopy } from './mutants/guards/tests-of-copy.ts'

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: String(Math.min(availableParallelism(), 2)) },
    part: { type: 'string', default: '1/1' },
  },
})
const [, part, parts] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(values.part) ?? []
if (part === undefined || Number(part) > Number(parts))
  throw new Error(`--part must be such as 2/3, not "${values.part}".`)
const wanted = positionals.length === 0 ? ALL_GUARDS : ALL_GUARDS.filter(({ fault }) => positionals.includes(fault))
const chosen = wanted.filter((_, n) => n % Number(parts) === Number(part) - 1)
if (chosen.length === 0)
  throw new Error(`No guard is against ${positionals.join(', ')}, or there is none in that part.`)

const faults = faultsOfList(root)
if (faults.length === 0) await tryAll()
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1

async function tryAll(): Promise<void> {
  const copies = Array.from({ length: Number(values.jobs) }, () => new TestsOfCopy(root))
  try {
    const [first] = copies
    if (first === undefined) throw new Error('--jobs must be at least 1.')
    console.log(`With every guard in its place, the tests of ${chosen.length} guards:`)
    faults.push(...whatFails(await first.run(chosen)))
    if (faults.length > 0) return
    console.log('all pass. Without:')
    const waiting = [...chosen]
    const work = async (copy: TestsOfCopy) => {
      for (let guard = waiting.shift(); guard !== undefined; guard = waiting.shift()) {
        faults.push(...unnoticed(guard, await copy.without(guard.places, guard)))
      }
    }
    await Promise.all(copies.map(work))
    console.log(
      `${chosen.length - faults.length} of ${chosen.length} guards are missed by their tests when they are gone.`,
    )
  } finally {
    for (const copy of copies) copy.remove()
  }
}

function whatFails(results: readonly TestResult[]): string[] {
  const unanswered = chosen.filter(({ test, named }) => !results.some((r) => r.file === test && r.name.includes(named)))
  return [
    ...results
      .filter(({ passed }) => !passed)
      .map(({ name, failure }) => `fails with every guard in its place: ${name}\n${failure}`),
    ...unanswered.map(({ test, named }) => `${test} has no test named "${named}".`),
  ]
}

function unnoticed({ fault, holds, test }: Guard, results: readonly TestResult[]): string[] {
  const failed = results.filter(({ passed, failure }) => !passed && !/timed out in \d+ms/.test(failure))
  const inVain = results.filter(({ passed }) => !passed).length - failed.length
  const outcome = failed.length > 0 ? `${failed.length} of ${results.length} tests fail` : 'NOT NOTICED'
  console.log(`  ${fault.padStart(3)}  ${holds}: ${outcome}${inVain > 0 ? `, ${inVain} waited in vain` : ''}`)
  return failed.length > 0 ? [] : [`Without this, the tests of ${test} notice nothing: ${holds} (fault ${fault}).`]
}
