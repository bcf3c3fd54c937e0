import type { Mutant } from './mutant.ts'
import { type TestResult, TestsOfCopy } from './tests-of-copy.ts'

/**
 * Tries mutants with the tests in their entries, `jobs` at a time. First all tests must pass without mutants. Resolves
 * to 1 if a test that should fail passes, or fails only because it waited in vain.
 */
export async function tryTests(root: string, mutants: readonly Mutant[], jobs: number): Promise<number> {
  const copies = Array.from({ length: jobs }, () => new TestsOfCopy(root))
  const faults: string[] = []
  try {
    console.log(`The tests of ${mutants.length} mutants, without any of them:`)
    const tests = mutants.flatMap((mutant) => mutant.tests)
    const results = await (copies[0] ?? new TestsOfCopy(root)).run(tests)
    faults.push(...results.filter(({ passed }) => !passed).map(({ name, failure }) => `fails: ${name}\n${failure}`))
    for (const { file, named } of tests) {
      const isThere = results.some((result) => result.file === file && result.name.includes(named))
      if (!isThere) faults.push(`${file} has no test named "${named}".`)
    }
    if (faults.length > 0) return 1
    console.log('all pass. With one at a time:')
    const waiting = [...mutants]
    const work = async (copy: TestsOfCopy) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        faults.push(...unnoticed(mutant, await copy.with(mutant)))
      }
    }
    await Promise.all(copies.map(work))
    console.log(`${mutants.length - faults.length} of ${mutants.length} mutants are noticed by their tests.`)
  } finally {
    for (const copy of copies) copy.remove()
    for (const fault of faults) console.error(fault)
  }
  return faults.length === 0 ? 0 : 1
}

function unnoticed({ id, does }: Mutant, results: readonly TestResult[]): string[] {
  const failed = results.filter(({ passed, failure }) => !passed && !/timed out in \d+ms/.test(failure))
  const inVain = results.filter(({ passed }) => !passed).length - failed.length
  const outcome = failed.length > 0 ? `${failed.length} of ${results.length} tests fail` : 'NOT NOTICED'
  console.log(`  ${id}: ${outcome}${inVain > 0 ? `, ${inVain} waited in vain` : ''}`)
  return failed.length > 0 ? [] : [`No test notices ${id}, which ${does}.`]
}
