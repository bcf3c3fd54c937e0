import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseMutants, faultsOfList, readMutants } from './list.ts'
import { mutateWithStryker } from './stryker.ts'
import { trySimulation } from './try-simulation.ts'
import { tryTests } from './try-tests.ts'

/**
 * `npm run prove -- mutate [MUTANT… | ROOM…] [--by test | simulation] [--part K/N] [--jobs N]`: makes each mistake of
 * `proof/mutants/rooms` in a copy of the project, one at a time, and checks that the tests in its entry fail, and that
 * worlds of the simulation notice the mistake. First everything must pass without any mistake. `--list` only reports
 * the list's faults: each mutant quotes the product, which may have changed.
 *
 * For the simulation, `--seed S --seeds K --steps N` chooses the worlds (by default 20 of 300 steps each), and
 * `--database postgres` tries the mutants that take several processes on one book.
 *
 * `npm run prove -- mutate --stryker [ROOM…] [--files PATH[:LINE-LINE],…]`: StrykerJS makes the mutants, in rooms of
 * money.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    by: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    jobs: { type: 'string', default: String(Math.min(availableParallelism(), 2)) },
    list: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '20' },
    steps: { type: 'string', default: '300' },
    database: { type: 'string', default: 'sqlite' },
    stryker: { type: 'boolean', default: false },
    files: { type: 'string' },
    timeout: { type: 'string', default: '20' },
  },
})
const root = join(import.meta.dirname, '../..')
const jobs = wholeNumber('jobs')
process.exitCode = values.stryker
  ? await mutateWithStryker(root, positionals, {
      files: values.files?.split(','),
      jobs,
      timeoutS: wholeNumber('timeout'),
    })
  : await tryList()

async function tryList(): Promise<number> {
  const all = readMutants()
  const faults = faultsOfList(root, all)
  for (const fault of faults) console.error(fault)
  if (values.list) console.log(`${all.length} mutants, ${faults.length} faults of the list`)
  if (values.list) return faults.length > 0 ? 1 : 0
  // Mutants with a wrong quote cannot be made, but the others can.
  const chosen = chooseMutants(all, positionals, values.part)
  const makeable = chosen.filter(({ id }) => !faults.some((fault) => fault.startsWith(`${id}: `)))
  const onServer = values.database === 'postgres'
  const tested = onServer || values.by === 'simulation' ? [] : makeable.filter(({ tests }) => tests.length > 0)
  const simulated = values.by === 'test' ? [] : makeable.filter(({ simulation }) => simulation?.onServer === onServer)
  const [seed, seeds, steps] = [wholeNumber('seed'), wholeNumber('seeds'), wholeNumber('steps')]
  const codes = [
    makeable.length < chosen.length ? 1 : 0,
    tested.length === 0 ? 0 : await tryTests(root, tested, jobs),
    simulated.length === 0 ? 0 : await trySimulation({ root, mutants: simulated, onServer, seed, seeds, steps, jobs }),
  ]
  return Math.max(...codes)
}

function wholeNumber(name: 'jobs' | 'seed' | 'seeds' | 'steps' | 'timeout'): number {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new Error(`--${name} must be a whole number above 0, not "${values[name]}".`)
}
