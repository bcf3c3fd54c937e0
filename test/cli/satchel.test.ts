import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SATCHEL_COMMANDS } from '../../src/cli/satchel-commands.ts'
import { completionScript, SHELLS } from '../../src/cli/satchel-completion.ts'

const root = join(import.meta.dirname, '../..')
const { bin, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

function satchel(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, bin.satchel), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('the command satchel', () => {
  it('lists its commands, each of which is also an npm script of the same name', () => {
    const { status, stdout } = satchel('--help')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^satchel COMMAND \[--help\]\n\nExamples:\n {4}npx satchel setup\n/)
    for (const [name, { file, summary }] of Object.entries(SATCHEL_COMMANDS)) {
      expect(stdout).toContain(summary)
      expect(existsSync(join(root, file))).toBe(true)
      expect(scripts[name]?.replace(' --max-semi-space-size=16', '')).toBe(`node -r ./src/cli/preflight.cjs ${file}`)
    }
  })

  it('prints help at every level', () => {
    expect(satchel('restore', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--not-paused') })
    expect(satchel('admin', '--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('user token USERID'),
    })
    expect(satchel('admin', '--help').stdout).toMatch(
      /^satchel admin[^\n]*\n\nExamples:\n[\s\S]*project cover SATS \[PROJECTID\] +moves sats [^\n]*, which lacks them\n/,
    )
    const users = satchel('admin', 'user', '--help').stdout
    expect(users).toMatch(/satchel admin[\s\S]*user create GAMERTAG[\s\S]*such as support[\s\S]*user token/)
    expect(users).not.toContain('project create')
    expect(satchel('admin', 'help', 'user', 'create').stdout).not.toContain('user token')
    expect(satchel('admin', 'user', 'creat').stderr).toMatch(/no command "user creat"[\s\S]*user create GAMERTAG/)
    expect(satchel('help', 'audit')).toMatchObject({ status: 0, stdout: expect.stringContaining('--json') })
  })

  it('shares its help with the npm scripts', () => {
    const started = (...args: string[]) => {
      const command = ['-r', './src/cli/preflight.cjs', ...args]
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' })
      return { status, stdout, stderr }
    }
    const usage = expect.stringContaining('satchel start [--setup]')
    expect(started('src/cli/start.ts', '--help')).toEqual({ status: 0, stdout: usage, stderr: '' })
    const unknown = expect.stringMatching(/Unknown option '--halp'[\s\S]*satchel start \[--setup\]/)
    expect(started('src/cli/start.ts', '--halp')).toMatchObject({ status: 1, stderr: unknown })
    expect(started('src/cli/backup.ts', '-h')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('backup FOLDER'),
    })
  })

  it('passes arguments through and returns the exit code', () => {
    const folder = mkdtempSync(join(tmpdir(), 'satchel-cli-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'proof.json'), '{}')
    const { status, stdout, stderr } = satchel('verify', join(folder, 'proof.json'))
    expect(status).toBe(1)
    expect(stdout + stderr).toContain('does not hold')
  })

  it('refuses an unknown command or shell, and lists the known ones', () => {
    const { status, stderr } = satchel('adit')
    expect(status).toBe(1)
    expect(stderr).toMatch(/There is no command "adit"[\s\S]*audit/)
    expect(satchel('completion', 'csh')).toMatchObject({ status: 1, stderr: expect.stringContaining('Name a shell') })
  })

  it('completes exactly the admin commands that the help names', () => {
    const help = satchel('admin', '--help').stdout
    const lines = [...help.matchAll(/^ {2}(\w+)(?: ([\w-]+))?/gm)].map(([, first = '', second]) => [first, second])
    const { further = {}, completions = [] } = SATCHEL_COMMANDS.admin ?? {}
    expect(completions.toSorted()).toEqual([...new Set(lines.map(([first]) => first)), 'help'].toSorted())
    const named = lines.filter(([first = '']) => first in further).map((words) => words.join(' '))
    const completed = Object.entries(further).flatMap(([noun, verbs]) => verbs.map((verb) => `${noun} ${verb}`))
    expect(completed.toSorted()).toEqual([...new Set(named)].toSorted())
    const complete = (...words: string[]) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${completionScript('bash')}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _satchel satchel "${words.at(-1)}"; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).stdout.trim()
    expect(complete('satchel', 'ad')).toBe('admin adopt-claims')
    expect(complete('satchel', 'admin', 'us')).toBe('user')
    expect(complete('satchel', 'admin', 'user', 'li')).toBe('list link-code')
    expect(complete('satchel', 'restore', 'folder', '--f')).toBe('--force')
  })

  it.each(SHELLS)('generates a completion script for %s with the name of every command', (shell) => {
    const script = completionScript(shell) ?? ''
    for (const name of Object.keys(SATCHEL_COMMANDS)) expect(script).toContain(name)
  })

  it('completes commands and options in bash', () => {
    const program = `${completionScript('bash')}
      COMP_WORDS=(satchel con); COMP_CWORD=1; _satchel satchel con; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(satchel restore --n); COMP_CWORD=2; _satchel satchel --n; echo "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync('bash', ['-c', program], { encoding: 'utf8' })
    expect(stdout).toBe('confirm-clock\n--not-paused\n')
  })
})
