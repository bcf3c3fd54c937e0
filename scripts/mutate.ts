/**
 * `npm run mutate [-- PART…]`: changes the code in small ways, one at a time, and sees whether the tests that answer for
 * it notice (StrykerJS). Without parts, all of them; `--changed BASE` mutates only files that differ from a commit, and
 * `--minutes N` stops after a while. Exits 1 when a part scores under its threshold. Reports go to reports/mutation.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const reports = join(root, 'reports/mutation')

interface Part {
  /** What is mutated. */
  readonly code: readonly string[]
  /** The tests that must notice. */
  readonly tests: readonly string[]
}

/** Money's rooms, and who watches over each. */
const PARTS: Readonly<Record<string, Part>> = {
  ledger: { code: ['src/ledger'], tests: ['test/ledger'] },
  audit: { code: ['src/assembly/audit', 'src/assembly/backup'], tests: ['test/assembly'] },
  tips: {
    code: ['src/tipping/tips', 'src/tipping/claims'],
    tests: ['test/tipping/tips.test.ts', 'test/tipping/payouts.test.ts'],
  },
  payouts: {
    code: ['src/tipping/payouts', 'src/tipping/oversight'],
    tests: ['test/tipping/payouts.test.ts', 'test/tipping/crashes.test.ts', 'test/tipping/audit.test.ts'],
  },
  deposits: { code: ['src/tipping/deposits'], tests: ['test/tipping/deposits.test.ts'] },
  drops: { code: ['src/tipping/drops'], tests: ['test/tipping/drops'] },
  withdrawals: { code: ['src/tipping/withdrawals'], tests: ['test/tipping/withdrawals'] },
  payments: {
    code: ['src/payments-service/payments'],
    tests: ['test/payments-service/payments', 'test/payments-service/operations'],
  },
  vouchers: {
    code: ['src/payments-service/vouchers', 'src/payments-service/withdrawal-requests'],
    tests: ['test/payments-service/vouchers', 'test/payments-service/withdrawal-requests'],
  },
}

const THRESHOLD_PERCENT = 85

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'string' }, minutes: { type: 'string' } },
})

let failed = false
const deadline = values.minutes === undefined ? undefined : Date.now() + Number(values.minutes) * 60_000
const changed = values.changed === undefined ? undefined : changedSince(values.changed)
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const part = PARTS[name]
  if (!part) throw new Error(`There is no part "${name}"; there are ${Object.keys(PARTS).join(', ')}.`)
  const files = changed?.filter((file) => part.code.some((folder) => file.startsWith(`${folder}/`)))
  if (files?.length === 0) continue
  const score = await mutate(name, part, files ?? part.code.map((folder) => `${folder}/**/*.ts`), deadline)
  if (score === undefined) console.log(`${name}: not finished in time; nothing is said of it.`)
  else {
    console.log(`${name}: ${score.toFixed(1)} % of the mutants were noticed.`)
    // A change is not blamed for what its files were before it.
    if (changed === undefined && score < THRESHOLD_PERCENT) failed = true
  }
}
process.exitCode = failed ? 1 : 0

function changedSince(base: string): string[] {
  const list = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', base, '--', 'src'], {
    cwd: root,
    encoding: 'utf8',
  })
  return list.split('\n').filter((file) => file.endsWith('.ts'))
}

/** The share of mutants that were noticed, in percent; undefined when time ran out. */
async function mutate(name: string, part: Part, files: readonly string[], until: number | undefined) {
  mkdirSync(reports, { recursive: true })
  const report = join(reports, `${name}.json`)
  const config = join(reports, `${name}.config.json`)
  const settings = {
    ...{ testRunner: 'vitest', plugins: ['@stryker-mutator/vitest-runner'], mutate: files },
    vitest: { configFile: 'vitest.mutate.config.ts', related: false },
    ...{ coverageAnalysis: 'perTest', reporters: ['progress-append-only', 'clear-text', 'json'] },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: report },
    tempDirName: join('reports/mutation', `work-${name}`),
    ...{ ignorePatterns: ['/data', '/tour', '/.bench-*', '/docs'], timeoutMS: 15_000, concurrency: 2 },
    // Stryker would rewrite tsconfig.json with an interface that TypeScript 7 does not have; nothing here needs it.
    tsconfigFile: 'no-tsconfig.json',
  }
  writeFileSync(config, JSON.stringify(settings, undefined, 2))
  const tests = part.tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
  const stryker = join(root, 'node_modules/.bin/stryker')
  const child = spawn(stryker, ['run', config], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTATE_TESTS: tests.join(',') },
    ...(until === undefined ? {} : { timeout: Math.max(until - Date.now(), 1) }),
  })
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
  return code === 0 ? scoreOf(report) : undefined
}

function scoreOf(report: string): number {
  interface Report {
    readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
  }
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const noticed = states.filter((status) => status === 'Killed' || status === 'Timeout').length
  const missed = states.filter((status) => status === 'Survived' || status === 'NoCoverage').length
  return noticed + missed === 0 ? 100 : (100 * noticed) / (noticed + missed)
}
