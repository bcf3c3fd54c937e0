/**
 * `npm run prove -- mutate [-- PART…]`: changes the code in small ways, one at a time, and sees whether the tests that answer for
 * it notice (StrykerJS). Without parts, all of them.
 *
 * - `--resume` goes on where an earlier run of a whole part stopped: what it found still counts where the code is the same,
 *   what no test noticed is tried again where a test has changed and nobody has explained it, and what made tests hang where there is more patience.
 * - `--minutes N` stops after a while.
 * - `--sample N` tries N mutants of each part, drawn at random over the whole of it, and says how sure the score then is;
 *   `--seed S` draws the same again.
 * - `--changed BASE` mutates only files that differ from a commit.
 * - `--jobs N` tries that many mutants at once (2).
 * - `--fresh` starts a process for each mutant. Else one serves up to 25 mutants, which is several times as quick; only those in
 *   modules that remember something (a cache) have one of their own.
 * - `--timeout N` gives a test N seconds (20). On a busy machine, more: a mutant whose tests are merely slow would count as
 *   noticed.
 *
 * Lists what no test noticed, but for what `proof/mutants/mutation/explanations.ts` explains. Exits 1 when a part scores under its
 * threshold, when nothing of it could be tried, and when Stryker itself fails. Records go to reports/mutation.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { explains } from './mutation/explained.ts'
import { EXPLANATIONS } from './mutation/explanations.ts'
import type { ShownMutant } from './mutation/mutant.ts'
import { PARTS, type Part } from './mutation/parts.ts'
import { PLUGINS } from './mutation/plugins.ts'
import { beginRecord, readPresent, readRecord } from './mutation/record.ts'
import { REUSED_WORKERS } from './mutation/reused-worker.ts'
import { runToEnd } from './mutation/run.ts'
import { describeScore, percentOf, readScore, type Score } from './mutation/score.ts'

const root = join(import.meta.dirname, '../..')
const reports = join(root, 'reports/mutation')
const THRESHOLD_PERCENT = 85

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    resume: { type: 'boolean', default: false },
    changed: { type: 'string' },
    minutes: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now()) },
    fresh: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '20' },
  },
})
if (values.resume && (values.sample ?? values.changed) !== undefined) {
  throw new Error('--resume goes on with a whole part: leave out --sample and --changed.')
}

let failed = false
const deadline = values.minutes === undefined ? undefined : Date.now() + wholeOf('minutes', values.minutes) * 60_000
const sample = values.sample === undefined ? undefined : wholeOf('sample', values.sample)
const jobs = wholeOf('jobs', values.jobs)
const timeoutMs = wholeOf('timeout', values.timeout) * 1_000
const changed = values.changed === undefined ? undefined : changedSince(values.changed)
if (sample !== undefined) console.log(`Seed ${values.seed}`)
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const part = PARTS[name]
  if (!part) throw new Error(`There is no part "${name}"; there are ${Object.keys(PARTS).join(', ')}.`)
  const files = changed?.filter((file) => part.code.some((place) => file === place || file.startsWith(`${place}/`)))
  if (files?.length === 0) continue
  const { end, score } = await mutate(
    name,
    part,
    files ?? part.code.map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.ts`)),
  )
  if (end === 'out of time' && changed !== undefined) {
    console.log(`${name}: not finished in time; nothing is said of it.`)
    continue
  }
  if (end === 'crashed') failed = true
  for (const { file, line, code, change } of score.survivors) console.log(`${file}:${line}\n    ${code}\n    ${change}`)
  console.log(`${name}: ${describeScore(score, sample !== undefined)}.`)
  // A change is not blamed for what its files were before it, nor a part for what time did not reach.
  if (changed === undefined && end === 'whole' && percentOf(score) < THRESHOLD_PERCENT) failed = true
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

interface Outcome {
  readonly end: 'whole' | 'out of time' | 'crashed'
  readonly score: Score
}

/** Tries a part's mutants, and resolves to what is recorded of them; where Stryker failed, that is said here. */
async function mutate(name: string, part: Part, files: readonly string[]): Promise<Outcome> {
  mkdirSync(reports, { recursive: true })
  const ofWhole = sample === undefined && changed === undefined
  const record = join(reports, `${name}${ofWhole ? '' : '.some'}.record.jsonl`)
  const config = join(reports, `${name}.config.json`)
  const tests = part.tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
  const present = readPresent(root, files, tests)
  const isExplained = (mutant: ShownMutant) => EXPLANATIONS.some((each) => explains(each, mutant))
  beginRecord(record, present, { resume: values.resume, timeoutMs, isExplained })
  writeFileSync(config, JSON.stringify(settingsOf(name, files), undefined, 2))
  const drawn = sample === undefined ? {} : { MUTATE_SAMPLE: String(sample), MUTATE_SEED: `${values.seed} ${name}` }
  const env = {
    ...{ ...process.env, ...drawn, MUTATE_RECORD: record },
    ...(values.fresh ? {} : { MUTATE_WORKERS: REUSED_WORKERS.name }),
    ...{ MUTATE_TESTS: tests.join(','), MUTATE_TIMEOUT_MS: String(timeoutMs) },
  }
  const stryker = join(root, 'node_modules/.bin/stryker')
  // The settings name no threshold of Stryker's own, so that only a failure ends it with another code than 0.
  const end = await runToEnd({ command: stryker, args: ['run', config], cwd: root, env, deadline })
  if (end.how === 'badly') console.error(`${name}: Stryker failed with ${end.code}. Its last words:\n${end.lastWords}`)
  const score = readScore(readRecord(record), present.sources, EXPLANATIONS)
  return { end: end.how === 'well' ? 'whole' : end.how === 'badly' ? 'crashed' : end.how, score }
}

function settingsOf(name: string, files: readonly string[]) {
  return {
    ...{ testRunner: 'vitest', plugins: ['@stryker-mutator/vitest-runner', PLUGINS], mutate: files },
    ...{ checkers: ['chooser'], reporters: ['progress-append-only', 'record'], coverageAnalysis: 'perTest' },
    vitest: { configFile: 'vitest.mutate.config.ts', related: false, pool: 'forks' },
    tempDirName: join('reports/mutation', `work-${name}`),
    ...{
      ignorePatterns: ['/data', '/tour', '/.bench-*', '/docs', '/reports'],
      timeoutMS: timeoutMs,
      timeoutFactor: 4,
      dryRunTimeoutMinutes: 30,
      concurrency: jobs,
    },
    // Stryker would rewrite tsconfig.json with an interface that TypeScript 7 does not have; nothing here needs it.
    tsconfigFile: 'no-tsconfig.json',
  }
}
