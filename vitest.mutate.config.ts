import { matchesGlob, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestProject, type TestSpecification, type Vitest } from 'vitest/node'
import { SETTINGS, setUp } from './vitest.config.ts'

/**
 * For `npm run prove -- mutate`: only the tests that answer for what is changed; they say which. A change that makes a test wait
 * forever is found out sooner than a person would lose patience.
 */
const TIMEOUT_MS = Number(process.env.MUTATE_TIMEOUT_MS)
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
  },
}

export default defineConfig({
  plugins: [PLACES],
  test: {
    ...SETTINGS,
    setupFiles: [...setUp('suite'), 'proof/mutants/waits-for-nothing.setup.ts'],
    include: TESTS,
    exclude: [],
    maxWorkers: 1,
    sequence: { sequencer: AsNamed },
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
  },
})
