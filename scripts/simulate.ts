import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Progress } from './simulation/progress.ts'
import { runSeed, type SeedResult } from './simulation/run-seed.ts'
import { makeTemplate, scratchFolder } from './simulation/world.ts'

/**
 * `npm run simulate -- [--seed S] [--steps N] [--seeds K] [--workers W] [--trace]`: lives through K seeds from S on, N
 * steps each, and exits with 1 at the first that finds something wrong. `--trace` writes every line of one seed.
 */
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '500' },
    workers: { type: 'string', default: '2' },
    trace: { type: 'boolean', default: false },
    worker: { type: 'string' },
  },
})

const steps = wholeNumber('steps')
if (options.worker !== undefined) work(options.worker)
else process.exitCode = await lead()

/** One of the processes that share the seeds: lives through each that it is sent. */
function work(template: string): void {
  process.on('message', async (seed: string) => {
    let told = 0
    const onStep = (step: number) => {
      if (step - told < 50) return
      process.send?.({ lived: step - told })
      told = step
    }
    const result = await runSeed({ seed, steps, template, onStep })
    process.send?.({ lived: result.steps - told, result })
  })
}

type Told = { readonly lived: number; readonly result?: SeedResult }

async function lead(): Promise<number> {
  const folder = scratchFolder()
  const template = join(folder, 'template')
  try {
    await makeTemplate(template)
    const seeds = seedNames()
    const results = options.trace ? [await runTraced(seeds[0] ?? '1', template)] : await share(seeds, template)
    return report(results)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function seedNames(): string[] {
  const count = wholeNumber('seeds')
  if (count === 1) return [options.seed]
  const first = wholeNumber('seed')
  return Array.from({ length: count }, (_, n) => String(first + n))
}

function runTraced(seed: string, template: string): Promise<SeedResult> {
  return runSeed({ seed, steps, template, trace: (line) => console.log(line) })
}

/** Hands the seeds out to as many processes as were asked for; stops handing out when one has failed. */
async function share(seeds: readonly string[], template: string): Promise<SeedResult[]> {
  const progress = new Progress(seeds.length * steps, 'steps')
  const waiting = [...seeds]
  const results: SeedResult[] = []
  const lead = async () => {
    // What a world leaves behind is swept up in larger heaps, less often; code is compiled at its first use, for much
    // of it runs in every world; and Prisma, in production, notes for no query which line asked it.
    const execArgv = ['--max-semi-space-size=64', '--always-sparkplug']
    const env = { ...process.env, NODE_ENV: 'production' }
    const worker = fork(import.meta.filename, ['--worker', template, '--steps', options.steps], { execArgv, env })
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const result = await live(worker, seed, progress)
      results.push(result)
      if (result.failure !== undefined) waiting.length = 0
    }
    worker.disconnect()
  }
  await Promise.all(Array.from({ length: Math.min(wholeNumber('workers'), seeds.length) }, lead))
  progress.end()
  return results
}

function live(worker: ChildProcess, seed: string, progress: Progress): Promise<SeedResult> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`the process that lived through seed ${seed} ended with ${code}`))
    const onMessage = ({ lived, result }: Told) => {
      progress.add(lived)
      if (result === undefined) return
      worker.off('message', onMessage).off('exit', onExit)
      resolve(result)
    }
    worker.on('message', onMessage).on('exit', onExit)
    worker.send(seed)
  })
}

function report(results: readonly SeedResult[]): number {
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
  for (const { seed, failure } of failed) {
    console.error(failure?.trace.join('\n'))
    console.error(`\nSeed ${seed} fails at step ${failure?.step}:\n  ${failure?.what.slice(0, 20).join('\n  ')}`)
    console.error(`Again: npm run simulate -- --seed ${seed} --steps ${steps} --trace`)
  }
  if (failed.length > 0) return 1
  console.log('Not a msat was lost, doubled or invented.')
  return 0
}

function wholeNumber(name: 'seed' | 'seeds' | 'steps' | 'workers'): number {
  const value = Number(options[name])
  if (Number.isSafeInteger(value) && value > 0) return value
  console.error(`--${name} must be a whole number above 0, not "${options[name]}"`)
  process.exit(1)
}
