import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { slowdown } from '../world/slowdown.ts'
import { CopyOfProject } from './copy-of-project.ts'
import type { Mutant, NamedTest } from './mutant.ts'

const WHAT_TESTS_NEED = [
  ...['src', 'clients', 'examples', 'test', 'prisma', 'proof', 'scripts', 'docs'],
  ...[
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    '.env.example',
    'vitest.config.ts',
    'vitest.mutate.config.ts',
  ],
]
/**
 * The time limit of a test in ms, by which a test that waits in vain fails sooner than by its own limit; on a busy
 * machine, the limit is longer.
 */
const TIMEOUT_MS = 20_000

/** A test's result. */
export interface TestResult {
  /** The names of the test's groups and of the test itself, in one line. */
  readonly name: string
  readonly file: string
  readonly passed: boolean
  /** The message of the test's failure; empty if it passed. */
  readonly failure: string
}

/** A copy of the code and its tests in which mutants are made and reverted. */
export class TestsOfCopy {
  readonly #copy: CopyOfProject

  constructor(root: string) {
    this.#copy = new CopyOfProject(root, WHAT_TESTS_NEED)
  }

  /** Runs a mutant's tests with the mutant in the code, and then reverts the mutant. */
  with({ changes, tests }: Mutant): Promise<readonly TestResult[]> {
    return this.#copy.during(changes, () => this.run(tests))
  }

  /** Runs the tests in these files whose names contain one of these texts. Throws if the tests cannot run at all. */
  async run(tests: readonly NamedTest[]): Promise<readonly TestResult[]> {
    const report = join(this.#copy.folder, 'report.json')
    rmSync(report, { force: true })
    const files = [...new Set(tests.map(({ file }) => file))]
    const names = [...new Set(tests.map(({ named }) => RegExp.escape(named)))].join('|')
    const said = await this.#vitest(files, ['-t', names, '--reporter=json', `--outputFile=${report}`])
    const results = readReport(report, this.#copy.folder)
    if (results === undefined) throw new Error(`the tests of ${files.join(', ')} could not be run:\n${said}`)
    return results
  }

  remove(): void {
    this.#copy.remove()
  }

  /** Runs Vitest. Resolves to its output, whether or not tests failed. */
  #vitest(files: readonly string[], args: readonly string[]): Promise<string> {
    const command = ['node_modules/vitest/vitest.mjs', 'run', '--config=vitest.mutate.config.ts', ...args]
    const env = {
      ...process.env,
      MUTATE_TESTS: files.join(','),
      MUTATE_TIMEOUT_MS: String(Math.round(TIMEOUT_MS * slowdown())),
    }
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, command, { cwd: this.#copy.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
      child.on('error', reject)
      child.on('close', () => resolve(said))
    })
  }
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

function readReport(path: string, folder: string): readonly TestResult[] | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  const { testResults } = JSON.parse(text) as Report
  const results = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        name: fullName,
        file: name.slice(folder.length + 1),
        passed: status === 'passed',
        failure: (failureMessages ?? []).join('\n'),
      })),
  )
  return results.length === 0 ? undefined : results
}
