import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '../../src/lib/problem.ts'

const run = promisify(execFile)

const SOURCE = join(import.meta.dirname, 'lnd')
/** The build tags of lnd's own releases that the tests need. */
const TAGS = 'autopilotrpc chainrpc invoicesrpc peersrpc routerrpc signrpc walletrpc kvdb_sqlite'
const BTCD = 'github.com/btcsuite/btcd@v0.26.2'

export interface Programs {
  readonly lnd: string
  readonly btcd: string
}

/** Whether Go, which builds the programs, is installed. */
export async function hasGo(): Promise<boolean> {
  return run('go', ['version']).then(
    () => true,
    () => false,
  )
}

/** Throws a Problem with the remedy if Go is not installed. */
export async function mustHaveGo(): Promise<void> {
  if (await hasGo()) return
  throw new Problem(
    'Real lnd is built with Go, and there is no "go" here. Install Go 1.25.10 or newer from https://go.dev/dl, open a new terminal, and try again. Without --backend lnd the sandbox is used, which needs nothing.',
  )
}

/**
 * Builds lnd and btcd with Go, or finds an earlier run's build of the same sources, in a folder outside the project.
 * The first build takes minutes, and downloads only from the Go module proxy.
 */
export async function buildLnd(say: (line: string) => void): Promise<Programs> {
  const programs = await programsHere()
  const folder = dirname(programs.lnd)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(programs.btcd)) {
    say('Building btcd …')
    await run('go', ['install', BTCD], { env: { ...process.env, GOBIN: join(folder, 'new') } })
    renameSync(join(folder, 'new', 'btcd'), programs.btcd)
  }
  if (!existsSync(programs.lnd)) {
    say('Building lnd, which takes minutes the first time …')
    const output = `${programs.lnd}.new`
    const flags = ['-buildvcs=false', '-trimpath', '-ldflags', '-s -w', '-tags', TAGS, '-o', output]
    await run('go', ['build', ...flags, '.'], { cwd: SOURCE })
    renameSync(output, programs.lnd)
  }
  return programs
}

/** Whether an earlier run has built lnd and btcd. */
export async function isBuilt(): Promise<boolean> {
  if (!(await hasGo())) return false
  const { lnd, btcd } = await programsHere()
  return existsSync(lnd) && existsSync(btcd)
}

/** Resolves to the programs' paths, whether or not they have been built. */
async function programsHere(): Promise<Programs> {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'satchel', 'lnd', await fingerprint())
  return { lnd: join(folder, 'lnd'), btcd: join(folder, 'btcd') }
}

async function fingerprint(): Promise<string> {
  const { stdout } = await run('go', ['version'])
  const hash = createHash('sha256').update(stdout).update(TAGS).update(BTCD)
  for (const name of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(join(SOURCE, name)))
  return hash.digest('hex').slice(0, 16)
}
