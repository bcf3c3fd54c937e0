import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { describeReport, type Outcome } from './describe-report.ts'

const root = join(import.meta.dirname, '../..')
const reports = join(root, 'reports')

/** Returns the commands of the proofs that run before releases and at night, by name; `seed` differs in each run. */
function commandsWith(seed: number): Readonly<Record<string, string>> {
  return {
    simulation: `npm run prove -- simulate --seed ${seed} --seeds 100 --steps 500`,
    faults: `npm run prove -- simulate --seed ${seed + 1_000} --seeds 60 --steps 500 --faults all`,
    'simulation-postgres': `npm run prove -- simulate --database postgres --seed ${seed + 2_000} --seeds 10 --steps 200 --faults all`,
    slow: 'npm run test:slow',
    postgres: 'DATABASE=postgres npm test',
    thorough: 'npm run prove -- thorough',
    'thorough-postgres': 'npm run prove -- thorough --database postgres',
    'slow-postgres': 'DATABASE=postgres npm run test:slow',
    kills: `npm run prove -- kill --kills 100 --seed ${seed}`,
    'sick-disk': `npm run prove -- kill --kills 40 --sick-disk --seed ${seed}`,
    'kills-postgres': `npm run prove -- kill --database postgres --kills 40 --crashes 4 --failovers 2 --seed ${seed}`,
    fronts: `npm run prove -- kill --database postgres --fronts --kills 8 --crashes 2 --failovers 1 --seed ${seed}`,
    attacks: 'npm run prove -- attack',
    'attacks-postgres': 'npm run prove -- attack --database postgres',
    scan: 'npm run prove -- scan',
    fuzz: `FUZZ_SEED=${seed} npm run prove -- fuzz`,
    'fuzz-postgres': `FUZZ_SEED=${seed} FUZZ_CASES=20000 npm run prove -- fuzz --database postgres`,
    'wind-down': 'npm run prove -- wind-down',
    wallets: `WALLET_SEED=${seed} WALLET_GIFTS=20000 npm run prove -- wallets`,
    rules: `RULE_SEED=${seed} RULE_EVENTS=100000 npm run prove -- rules`,
    nodes: 'npm run prove -- nodes',
    'tour-lnd': 'npm run tour -- --backend lnd',
    'kills-lnd': `npm run prove -- kill --backend lnd --kills 50 --seed ${seed}`,
    mutants: 'npm run prove -- mutate',
    pictures: 'npm run screenshots -- reports/pictures',
    bench: 'npm run prove -- bench service --seconds 3 --accounts 100000',
    'bench-bot': 'npm run prove -- bench bot',
  }
}

/**
 * Runs these proofs, or only the named ones, one after the other, each to its end, and writes reports/proof.md:
 * commands, seeds, figures, failures. The proofs' own logs are in reports/proof. Resolves to the exit code: 1 if any
 * proof failed.
 */
export async function proveAll(names: readonly string[]): Promise<number> {
  const commands = commandsWith(Math.floor(Date.now() / 1_000))
  const unknown = names.filter((name) => commands[name] === undefined)
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(commands).join(', ')}.`)
    return 1
  }
  mkdirSync(join(reports, 'proof'), { recursive: true })
  const began = new Date()
  const outcomes: Outcome[] = []
  for (const [name, command] of Object.entries(commands)) {
    if (names.length > 0 && !names.includes(name)) continue
    console.log(`\n── ${command}`)
    outcomes.push(await prove(name, command))
    // Written after each proof, so that an interrupted night also has its report.
    const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'a processor'}`
    writeFileSync(join(reports, 'proof.md'), describeReport(outcomes, { began, machine }))
  }
  const failed = outcomes.filter(({ code }) => code !== 0)
  console.log(`\n${outcomes.length - failed.length} of ${outcomes.length} passed: reports/proof.md`)
  return failed.length === 0 ? 0 : 1
}

/** Runs a proof's command, and copies its output into the proof's log. */
async function prove(name: string, command: string): Promise<Outcome> {
  const log = join(reports, 'proof', `${name}.log`)
  const began = performance.now()
  const code = await new Promise<number>((resolve, reject) => {
    const to = createWriteStream(log)
    const child = spawn(command, { cwd: root, shell: true, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } })
    child.on('error', reject)
    for (const [stream, terminal] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      stream.pipe(terminal, { end: false })
      stream.pipe(to, { end: false })
    }
    child.on('close', (code) => to.end(() => resolve(code ?? 1)))
  })
  const seconds = Math.round((performance.now() - began) / 1_000)
  return { name, command, code, seconds, said: readFileSync(log, 'utf8') }
}
