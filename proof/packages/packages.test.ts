import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'

// Checks the packages for home servers and hosts, each with the tools of its own language. test/deploy compares their
// contents with Satchel.
const root = join(import.meta.dirname, '../..')
const LIMIT_MS = 150_000
/**
 * The environment of a shell, without npm's variables about this project and without the project's Node, which do not
 * concern other packages.
 */
const env: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_(COMPILE_CACHE|ENV)$/i.test(name)),
)
env.PATH = process.env.PATH?.split(':')
  .filter((folder) => !folder.endsWith('node_modules/.bin'))
  .join(':')

interface Said {
  readonly status: number | null
  /** The whole output of a command. */
  readonly words: string
}

function run(program: string, args: readonly string[], options: { cwd?: string; input?: string } = {}): Said {
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...{ cwd: root, env, encoding: 'utf8', timeout: LIMIT_MS, killSignal: 'SIGKILL' },
    ...options,
  })
  return { status, words: `${stdout}${stderr}` }
}

const isHere = (program: string) => run(program, ['--version']).status === 0
const SILENCE: Said = { status: 0, words: '' }

const SCRIPTS = ['.ci/run', ...globSync('{deploy,scripts}/**/*.sh', { cwd: root }).toSorted()]
/** The scripts of a release's workflow, by job. GitHub ends a step at the first command that fails. */
const STEPS: readonly (readonly [string, string])[] = Object.entries(
  parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')).jobs as Record<
    string,
    { readonly steps: readonly { readonly run?: string }[] }
  >,
).map(([name, { steps }]) => [name, steps.map(({ run = '' }) => run.replace(/\$\{\{.*?\}\}/g, 'x')).join('\n')])

describe('shell scripts', () => {
  it('are found in files and in workflow steps', () => {
    expect(SCRIPTS).toEqual(
      expect.arrayContaining(['deploy/raspiblitz/bonus.satchel.sh', 'deploy/postgres-primary.sh']),
    )
    expect(STEPS.map(([name]) => name)).toEqual(expect.arrayContaining(['test', 'start9', 'publish']))
  })

  it.each(SCRIPTS)('are valid bash: %s', (file) => {
    expect(run('bash', ['-n', file])).toEqual(SILENCE)
  })

  // ShellCheck (apt install shellcheck) is a program that npm only downloads from elsewhere; the gate installs it.
  describe.skipIf(!isHere('shellcheck'))('ShellCheck', () => {
    it.each(SCRIPTS)('has no warning for %s', (file) => {
      expect(run('shellcheck', ['--severity=warning', file])).toEqual(SILENCE)
    })

    it.each(STEPS)('has no warning for the steps of the job %s', (_, input) => {
      expect(run('shellcheck', ['--severity=warning', '--shell=bash', '-'], { input: `set -e\n${input}` })).toEqual(
        SILENCE,
      )
    })
  })
})

// Nix itself (apt install nix-bin); the gate installs it.
it.skipIf(!isHere('nix-instantiate'))('Nix can read the NixOS module', () => {
  const { status, words } = run('nix-instantiate', ['--parse', 'deploy/nix/flake.nix'])
  expect([status, status === 0 || words]).toEqual([0, true])
})

const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E50\d/

it('the StartOS package type-checks against its SDK', ({ skip }) => {
  const cwd = mkdtempSync(join(tmpdir(), 'start9-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  cpSync(join(root, 'deploy/start9'), cwd, { recursive: true })
  const installed = run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd })
  const isAway = installed.status === null || (installed.status !== 0 && NO_NETWORK.test(installed.words))
  if (isAway) skip('the registry with its SDK cannot be reached, or is slow')
  expect(installed.status, installed.words).toBe(0)
  expect(run('npm', ['run', '--silent', 'check'], { cwd })).toEqual(SILENCE)
})
