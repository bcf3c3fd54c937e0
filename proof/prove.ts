/**
 * `npm run prove -- WHAT [OPTIONS]`: runs one of the proofs below, with its own options; `--help` lists them. Exits
 * with the proof's exit code. `all` runs everything that the gate leaves out, with fresh seeds, and writes
 * reports/proof.md.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './nodes/build-lnd.ts'
import { proveAll } from './report/prove-all.ts'

/** A program in this folder, or a suite of vitest.config.ts. */
type Proof = { readonly about: string } & ({ readonly program: URL } | { readonly suite: string })

const PROOFS: Readonly<Record<string, Proof>> = {
  simulate: {
    about: 'lives through worlds full of faults: --seed S --seeds K --steps N --faults all --database postgres --trace',
    program: new URL('./simulation/simulate.ts', import.meta.url),
  },
  kill: {
    about: 'kills real processes: --kills N --seed S --sick-disk, --backend lnd, --database postgres [--fronts]',
    program: new URL('./kills/kill.ts', import.meta.url),
  },
  attack: { about: 'attacks a running bot and service [--database postgres]', suite: 'attacks' },
  scan: {
    about: 'has schemathesis scan the interface',
    program: new URL('./attacks/scan.ts', import.meta.url),
  },
  fuzz: { about: 'sends FUZZ_CASES hostile inputs; FUZZ_SEED again [--database postgres]', suite: 'fuzz' },
  thorough: {
    about: 'tries every case of the tables whose main cases the gate tries [--database postgres]',
    suite: 'thorough*',
  },
  'wind-down': {
    about:
      'pays out and lists the balances of WIND_DOWN_MEMBERS members, killed WIND_DOWN_KILLS times [--database postgres]',
    suite: 'wind-down',
  },
  wallets: {
    about: 'has WALLET_GIFTS gifts go from wallet to wallet, with faults and deaths; WALLET_SEED again',
    suite: 'wallets',
  },
  rules: {
    about: 'tells several bots of RULE_EVENTS events that rules pay for, with repeats and deaths; RULE_SEED again',
    suite: 'rules',
  },
  mutate: {
    about: 'changes the product in a copy, and sees that a test or the simulation notices',
    program: new URL('./mutants/mutate.ts', import.meta.url),
  },
  nodes: {
    about:
      'the lnd backend on real lnd, which Go builds; LND_GIFTS gifts between wallets on it; --if-built skips it where it is not yet',
    suite: 'nodes',
  },
  bench: {
    about: 'measures: service, invoices, bot, growth, scale, overlay, ledger, postgres, peers',
    program: new URL('./bench/bench.ts', import.meta.url),
  },
}

/** The exit code with which a program reports that it skipped its tests. */
const SKIPPED = 77

const [what = '--help', ...args] = process.argv.slice(2)
const proof = PROOFS[what]
if (what === 'all') process.exitCode = await proveAll(args)
else if (proof !== undefined) process.exitCode = await run(proof)
else {
  console.log('npm run prove -- WHAT [OPTIONS]\n')
  for (const [name, { about }] of Object.entries(PROOFS)) console.log(`  ${name.padEnd(11)}${about}`)
  console.log('  all        everything that the gate leaves out, or what is named; writes reports/proof.md')
  process.exitCode = what === '--help' ? 0 : 1
}

async function run(proof: Proof): Promise<number> {
  const ifBuilt = args.indexOf('--if-built')
  if (ifBuilt !== -1) {
    args.splice(ifBuilt, 1)
    if (!(await isBuilt())) {
      console.log(
        'Skipped: lnd is not built in ~/.cache/satchel. npm run prove -- nodes builds it, which takes minutes.',
      )
      return SKIPPED
    }
  }
  if ('program' in proof) return start([fileURLToPath(proof.program), ...args])
  const at = args.indexOf('--database')
  const database = at === -1 ? undefined : args.splice(at, 2)[1]
  const env = database === undefined ? process.env : { ...process.env, DATABASE: database }
  const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')
  return start([vitest, 'run', '--project', proof.suite, ...args], env)
}

/** Runs a program of Node in this terminal; resolves to its exit code. */
function start(words: readonly string[], env = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { stdio: 'inherit', env })
    // Ctrl-C also reaches the program, which then ends in its own way.
    process.on('SIGINT', () => undefined)
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
