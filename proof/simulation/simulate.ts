import { parseArgs } from 'node:util'
import { faultsPossibleIn } from '../faults/all-faults.ts'
import { isOnServer } from '../world/places.ts'
import { Progress } from './progress.ts'
import { runSeed, type SeedResult } from './run-seed.ts'
import { SeedWorker, workThroughSeeds } from './seed-worker.ts'
import { withTemplate } from './template.ts'

/**
 * `npm run prove -- simulate [--seed S] [--steps N] [--seeds K] [--workers W] [--trace] [--database postgres]`: plays K
 * seeds from S on, with N steps each, and exits with 1 at the first fault. `--trace` prints every line of one seed.
 * `--database postgres` puts both books on a PostgreSQL server: a new one, or the one in DATABASE_TEST_URL.
 */
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    steps: { type: 'string' },
    workers: { type: 'string', default: '2' },
    trace: { type: 'boolean', default: false },
    worker: { type: 'string' },
    'note-complaints': { type: 'boolean', default: false },
    faults: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
  },
})

/** The number of seeds within which each kind of fault must happen. */
const SEEDS_WITH_ALL_FAULTS = 40

const steps = wholeNumber('steps', '500')
const complaintsFail = !options['note-complaints']
const faults = options.faults?.split(',').map((name) => name.trim())
if (options.worker !== undefined) workThroughSeeds({ steps, template: options.worker, complaintsFail, faults })
else process.exitCode = await lead()

async function lead(): Promise<number> {
  const seeds = seedNames()
  return await withTemplate(isToBeOnServer(), async (template) => {
    const results = options.trace ? [await runTraced(seeds[0] ?? '1', template)] : await share(seeds, template)
    return report(results, template)
  })
}

function isToBeOnServer(): boolean {
  const { database } = options
  if (database === 'postgres') return true
  if (database === 'sqlite') return false
  console.error(`--database is sqlite or postgres, not "${database}"`)
  process.exit(1)
}

function seedNames(): string[] {
  const count = wholeNumber('seeds', '1')
  if (count === 1) return [options.seed]
  const first = wholeNumber('seed')
  return Array.from({ length: count }, (_, n) => String(first + n))
}

function runTraced(seed: string, template: string): Promise<SeedResult> {
  return runSeed({ seed, steps, template, complaintsFail, faults, trace: (line) => console.log(line) })
}

/** Hands the seeds out to the requested number of processes; stops when a seed has failed. */
async function share(seeds: readonly string[], template: string): Promise<SeedResult[]> {
  const progress = new Progress(seeds.length * steps, 'steps')
  const waiting = [...seeds]
  const results: SeedResult[] = []
  const lead = async () => {
    const worker = new SeedWorker(import.meta.filename, template, [
      '--steps',
      String(steps),
      ...(options.faults === undefined ? [] : ['--faults', options.faults]),
    ])
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const result = await worker.live(seed, (lived) => progress.add(lived))
      results.push(result)
      if (result.failure !== undefined) waiting.length = 0
    }
    worker.close()
  }
  await Promise.all(Array.from({ length: Math.min(wholeNumber('workers'), seeds.length) }, lead))
  progress.end()
  return results
}

function report(results: readonly SeedResult[], template: string): number {
  const sum = (pick: (result: SeedResult) => number) => results.reduce((all, result) => all + pick(result), 0)
  const number = new Intl.NumberFormat('en')
  const figures = [
    `${number.format(results.length)} seeds`,
    `${number.format(sum(({ steps }) => steps))} steps`,
    `${number.format(sum(({ figures }) => figures.moves))} moves in both books`,
    `${number.format(sum(({ figures }) => figures.kills))} deaths of a process`,
    `${number.format(sum(({ figures }) => figures.decided))} unknown payments decided by operators`,
    `${number.format(Math.round(sum(({ figures }) => figures.virtualMs) / 3_600_000))} hours of the world's time`,
    `${number.format(Math.round(performance.now() / 1_000))} s`,
  ]
  console.log(figures.join(', '))
  if (results.length === 1) console.log(`fingerprint ${results[0]?.fingerprint}`)
  const failed = results.filter(({ failure }) => failure !== undefined)
  const again = `${options.faults === undefined ? '' : ` --faults '${options.faults}'`}${isOnServer(template) ? ' --database postgres' : ''}`
  for (const { seed, failure } of failed) {
    console.error(failure?.trace.join('\n'))
    console.error(`\nSeed ${seed} fails at step ${failure?.step}:\n  ${failure?.what.slice(0, 20).join('\n  ')}`)
    console.error(`Again: npm run prove -- simulate --seed ${seed} --steps ${steps}${again} --trace`)
  }
  if (failed.length > 0) return 1
  const missing = tellOfFaults(results, template)
  if (missing.length > 0) {
    console.error(`So many seeds, and these faults never happened: ${missing.join(', ')}.`)
    return 1
  }
  console.log('Not a msat was lost, doubled or invented.')
  return 0
}

/**
 * Prints in how many seeds each kind of fault happened, and how often. Returns the kinds that should have happened and
 * did not.
 */
function tellOfFaults(results: readonly SeedResult[], template: string): string[] {
  const counts = faultsPossibleIn(template).map(({ name }) => {
    const times = results.map(({ figures }) => figures.faults[name] ?? 0)
    return { name, times: times.reduce((sum, each) => sum + each, 0), seeds: times.filter((each) => each > 0).length }
  })
  if (faults === undefined) return []
  for (const { name, times, seeds } of counts) console.log(`  ${name}: ${times} times in ${seeds} seeds`)
  const expected = results.length >= SEEDS_WITH_ALL_FAULTS && steps >= 300 && faults?.includes('all')
  return expected ? counts.filter(({ times }) => times === 0).map(({ name }) => name) : []
}

function wholeNumber(name: 'seed' | 'seeds' | 'steps' | 'workers', otherwise?: string): number {
  const text = options[name] ?? otherwise
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  console.error(`--${name} must be a whole number above 0, not "${text}"`)
  process.exit(1)
}
