/**
 * `npm run mutate [-- PART…]`: changes the code in small ways, one at a time, and sees whether the tests that answer for
 * it notice (StrykerJS). Without parts, all of them.
 *
 * - `--sample N` tries N mutants of each part, drawn at random over the whole of it, and says how sure the score then is;
 *   `--seed S` draws the same again.
 * - `--changed BASE` mutates only files that differ from a commit; `--minutes N` stops after a while.
 * - `--jobs N` tries that many mutants at once (2).
 * - `--patience N` gives a test N seconds (20). On a busy machine, more: a mutant whose tests are merely slow would count as
 *   noticed.
 *
 * Exits 1 when a part scores under its threshold, when nothing of it could be tried, and when Stryker itself fails.
 * Reports go to reports/mutation.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PARTS, type Part } from './mutation/parts.ts'
import { runToEnd } from './mutation/run.ts'
import { SAMPLE_PLUGIN } from './mutation/sample.ts'
import { describeScore, percentOf, readScore, type Score } from './mutation/score.ts'

const root = join(import.meta.dirname, '..')
const reports = join(root, 'reports/mutation')
const THRESHOLD_PERCENT = 85

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'string' },
    minutes: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now()) },
    jobs: { type: 'string', default: '2' },
    patience: { type: 'string', default: '20' },
  },
})

let failed = false
const deadline = values.minutes === undefined ? undefined : Date.now() + wholeOf('minutes', values.minutes) * 60_000
const sample = values.sample === undefined ? undefined : wholeOf('sample', values.sample)
const jobs = wholeOf('jobs', values.jobs)
const patienceMs = wholeOf('patience', values.patience) * 1_000
const changed = values.changed === undefined ? undefined : changedSince(values.changed)
if (sample !== undefined) console.log(`Seed ${values.seed}`)
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const part = PARTS[name]
  if (!part) throw new Error(`There is no part "${name}"; there are ${Object.keys(PARTS).join(', ')}.`)
  const files = changed?.filter((file) => part.code.some((folder) => file.startsWith(`${folder}/`)))
  if (files?.length === 0) continue
  const score = await mutate(name, part, files ?? part.code.map((folder) => `${folder}/**/*.ts`))
  if (score === 'out of time') console.log(`${name}: not finished in time; nothing is said of it.`)
  else if (score === 'crashed') failed = true
  else {
    console.log(`${name}: ${describeScore(score)}.`)
    // A change is not blamed for what its files were before it.
    if (changed === undefined && percentOf(score) < THRESHOLD_PERCENT) failed = true
  }
}
process.exitCode = failed ? 1 : 0

function wholeOf(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} must be a whole number, not "${text}".`)
  return number
}

function changedSince(base: string): string[] {
  const list = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', base, '--', 'src'], {
    cwd: root,
    encoding: 'utf8',
  })
  return list.split('\n').filter((file) => file.endsWith('.ts'))
}

/** What the tests noticed, unless our time ran out or Stryker failed, which is said here. */
async function mutate(name: string, part: Part, files: readonly string[]): Promise<Score | 'out of time' | 'crashed'> {
  mkdirSync(reports, { recursive: true })
  const report = join(reports, `${name}.json`)
  const config = join(reports, `${name}.config.json`)
  // An earlier run's is no score of this one.
  rmSync(report, { force: true })
  writeFileSync(config, JSON.stringify(settingsOf(name, files, report), undefined, 2))
  const tests = part.tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
  const drawn = sample === undefined ? {} : { MUTATE_SAMPLE: String(sample), MUTATE_SEED: `${values.seed} ${name}` }
  const stryker = join(root, 'node_modules/.bin/stryker')
  const env = { ...process.env, ...drawn, MUTATE_TESTS: tests.join(','), MUTATE_PATIENCE_MS: String(patienceMs) }
  // The settings name no threshold of Stryker's own, so that only a failure ends it with another code than 0.
  const end = await runToEnd({ command: stryker, args: ['run', config], cwd: root, env, deadline })
  if (end.how === 'well') return readScore(report)
  if (end.how === 'out of time') return 'out of time'
  console.error(`${name}: Stryker failed with ${end.code}. Its last words:\n${end.lastWords}`)
  return 'crashed'
}

function settingsOf(name: string, files: readonly string[], report: string) {
  const plugins = ['@stryker-mutator/vitest-runner', SAMPLE_PLUGIN]
  return {
    ...{ testRunner: 'vitest', plugins, mutate: files, ...(sample === undefined ? {} : { checkers: ['sample'] }) },
    vitest: { configFile: 'vitest.mutate.config.ts', related: false },
    ...{ coverageAnalysis: 'perTest', reporters: ['progress-append-only', 'clear-text', 'json'] },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: report },
    tempDirName: join('reports/mutation', `work-${name}`),
    ...{
      ignorePatterns: ['/data', '/tour', '/.bench-*', '/docs', '/reports'],
      timeoutMS: patienceMs,
      timeoutFactor: 4,
      dryRunTimeoutMinutes: 30,
      concurrency: jobs,
    },
    // Stryker would rewrite tsconfig.json with an interface that TypeScript 7 does not have; nothing here needs it.
    tsconfigFile: 'no-tsconfig.json',
  }
}
