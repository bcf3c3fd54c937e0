import { matchesGlob, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestProject, type TestSpecification, type Vitest } from 'vitest/node'
import { REUSED_WORKERS } from './proof/mutants/mutation/reused-worker.ts'
import { SETTINGS, setUp } from './vitest.config.ts'

/**
 * For `npm run prove -- mutate` and `npm run prove -- mutate`: only the tests that answer for what is changed; they say which. A change
 * that makes a test wait forever is found out sooner than a person would lose patience.
 */
const TIMEOUT_MS = Number(process.env.MUTATE_TIMEOUT_MS)
/** Only where mutants are tried: what a guard's test starts may have it wait longer. */
const WATCH = process.env.MUTATE_RECORD === undefined ? [] : ['test/support/mutation/waits-for-nothing.setup.ts']
const TESTS = process.env.MUTATE_TESTS?.split(',') ?? []

/** The tests in the order in which they are named, those of the room itself first: the first that fails is the last. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      TESTS.findIndex((pattern) => matchesGlob(relative(this.ctx.config.root, moduleId), pattern))
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

/** Stryker sets this to one; what a test that waits forever has begun would then keep its place from all hooks that follow. */
const PLACES = {
  name: 'places',
  configureVitest: ({ vitest, project }: { vitest: Vitest; project: TestProject }) => {
    for (const { config } of [vitest, project]) config.maxConcurrency = 5
    if (process.env.MUTATE_WORKERS !== REUSED_WORKERS.name) return
    Object.assign(project.config, { pool: REUSED_WORKERS.name, poolRunner: REUSED_WORKERS, isolate: false })
  },
}

export default defineConfig({
  plugins: [PLACES],
  test: {
    ...SETTINGS,
    setupFiles: [...setUp('suite'), ...WATCH],
    include: TESTS,
    exclude: [],
    maxWorkers: 1,
    sequence: { sequencer: AsNamed },
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
  },
})
