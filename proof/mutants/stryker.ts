import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { slowdown } from '../world/slowdown.ts'
import { ROOMS } from './stryker-rooms.ts'

const THRESHOLD_PERCENT = 90

interface Options {
  /**
   * Files of the room, or lines of them, in Stryker's notation: `src/ledger/proof.ts:10-20`. If undefined, the whole
   * room is mutated.
   */
  readonly files: readonly string[] | undefined
  readonly jobs: number
  /**
   * The time limit of a test on an idle machine, in seconds. The limit is longer on a busy machine, where a slow test
   * would otherwise count as one that noticed a mutant.
   */
  readonly timeoutS: number
}

/**
 * Lets StrykerJS make small changes in rooms of money, one at a time, and checks whether the responsible tests notice
 * them. Its findings are stored in reports/mutation and reused as long as code and tests are unchanged. Resolves to 1
 * if a room scores under 90 %.
 */
export async function mutateWithStryker(root: string, names: readonly string[], options: Options): Promise<number> {
  const reports = join(root, 'reports/mutation')
  mkdirSync(reports, { recursive: true })
  let failed = false
  for (const name of names.length > 0 ? names : Object.keys(ROOMS)) {
    const room = ROOMS[name]
    if (!room) throw new Error(`There is no room "${name}"; there are ${Object.keys(ROOMS).join(', ')}.`)
    const config = join(reports, `${name}.config.json`)
    const report = join(reports, `${name}.json`)
    const mutate = options.files ?? room.code.map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.ts`))
    const tests = room.tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
    const timeoutMs = Math.round(options.timeoutS * 1_000 * slowdown())
    const env = { ...process.env, MUTATE_TESTS: tests.join(','), MUTATE_TIMEOUT_MS: String(timeoutMs) }
    writeFileSync(
      config,
      JSON.stringify(settingsOf(name, mutate, report, { jobs: options.jobs, timeoutMs }), undefined, 2),
    )
    const code = await run(join(root, 'node_modules/.bin/stryker'), ['run', config], { cwd: root, env })
    if (code !== 0) console.error(`${name}: Stryker failed with ${code}.`)
    const percent = code === 0 ? tell(name, report) : 0
    failed ||= percent < THRESHOLD_PERCENT
  }
  return failed ? 1 : 0
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
}

/** Prints a room's result, and returns the percentage of noticed mutants: 0 if no mutant was tried. */
function tell(name: string, report: string): number {
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const mutants = Object.values(files).flatMap((file) => file.mutants)
  const countOf = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length
  const [noticed, missed] = [countOf('Killed', 'Timeout'), countOf('Survived', 'NoCoverage')]
  const percent = noticed + missed === 0 ? 0 : (100 * noticed) / (noticed + missed)
  console.log(
    `${name}: ${noticed} of ${noticed + missed} mutants were noticed (with ${countOf('Timeout')} tests ran out of time): ${percent.toFixed(1)} %; ${countOf('Ignored')} are left out in the source, with reasons.`,
  )
  return percent
}

function settingsOf(
  name: string,
  mutate: readonly string[],
  report: string,
  limits: { jobs: number; timeoutMs: number },
) {
  return {
    ...{ testRunner: 'vitest', plugins: ['@stryker-mutator/vitest-runner'], mutate, coverageAnalysis: 'perTest' },
    ...{ reporters: ['progress-append-only', 'clear-text', 'json'], jsonReporter: { fileName: report } },
    ...{ incremental: true, incrementalFile: `reports/mutation/${name}.incremental.json` },
    vitest: { configFile: 'vitest.mutate.config.ts', related: false, pool: 'forks' },
    tempDirName: join('reports/mutation', `work-${name}`),
    ...{
      ignorePatterns: ['/data', '/tour', '/.bench-*', '/docs', '/reports'],
      timeoutMS: limits.timeoutMs,
      timeoutFactor: 4,
      dryRunTimeoutMinutes: 30,
      concurrency: limits.jobs,
    },
    // Stryker would rewrite tsconfig.json with an interface that TypeScript 7 lacks; nothing here needs it.
    tsconfigFile: 'no-tsconfig.json',
  }
}

function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'inherit' })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
