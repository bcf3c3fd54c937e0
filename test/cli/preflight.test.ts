import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SATCHEL_COMMANDS } from '../../src/cli/satchel-commands.ts'

const project = join(import.meta.dirname, '../..')
const text = readFileSync(join(project, 'package.json'), 'utf8')
const { scripts, dependencies, bin } = JSON.parse(text)

/** An installation as far as it is looked at before a command: packages, generated clients, and commands that say what they are. */
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'preflight-'))
  write('package.json', text)
  for (const name of Object.keys(dependencies)) write(`node_modules/${name}/package.json`, '{}')
  for (const side of ['payments-service', 'tipping']) write(`src/${side}/generated/client.ts`, '')
  for (const name of [
    'preflight.mjs',
    'satchel.mjs',
    'satchel.ts',
    'satchel-commands.ts',
    'satchel-completion.ts',
    'satchel-help.ts',
  ])
    cpSync(join(project, 'src/cli', name), join(root, 'src/cli', name))
  for (const { file } of Object.values(SATCHEL_COMMANDS)) write(file, `console.log(${JSON.stringify(file)})`)
})
afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, content: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content)
}

function node(...args: string[]) {
  // The tests' own place for what was compiled would come before the project's.
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
  return { status, stdout, stderr }
}
/** What npm runs, without npm. */
const script = (name: string) => node(...scripts[name].split(' ').slice(1))

const withoutScripts =
  /^Satchel was installed without its install scripts, which make the database clients: run npm ci in \S+, without --ignore-scripts\.\n$/

describe('after npm ci --ignore-scripts', () => {
  it.each(Object.entries(SATCHEL_COMMANDS))('npm run %s says one sentence, and fails', (name, { file }) => {
    expect(script(name)).toEqual({ status: 0, stdout: `${file}\n`, stderr: '' })
    rmSync(join(root, 'src/tipping/generated'), { recursive: true })
    expect(script(name)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(withoutScripts) })
  })

  it('so does satchel', () => {
    expect(node(bin.satchel, 'audit')).toEqual({ status: 0, stdout: 'src/cli/audit.ts\n', stderr: '' })
    rmSync(join(root, 'src/payments-service/generated/client.ts'))
    expect(node(bin.satchel, 'audit')).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(withoutScripts) })
  })
})

describe('before npm ci, and after one that was cut short', () => {
  it.each([
    ['all packages', () => rmSync(join(root, 'node_modules'), { recursive: true })],
    ['one package', () => rmSync(join(root, 'node_modules/zod'), { recursive: true })],
  ])('a command without %s says one sentence, and fails', (_, remove) => {
    remove()
    const said = /^Satchel is not installed, or not in full \(\S+ is missing\): run npm ci in \S+\.\n$/
    for (const ran of [script('start'), node(bin.satchel, 'start')])
      expect(ran).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(said) })
  })
})

it('a Node that runs no TypeScript is told of, where the one that comes along is missing', () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`
  const first = ['--import', `data:text/javascript,${encodeURIComponent(old)}`]
  expect(node(...first, '--import', './src/cli/preflight.mjs', 'src/cli/start.ts')).toEqual({
    ...{ status: 1, stdout: '' },
    stderr: expect.stringMatching(
      /^Node 20\.1\.0 cannot run Satchel, and the Node that comes with it is missing: run npm ci/,
    ),
  })
  expect(existsSync(join(root, 'node_modules/.bin/node'))).toBe(false)
})

describe('what was compiled', () => {
  const cache = () => join(root, 'node_modules/.cache/compiled')

  it('is kept in the project for the next start', () => {
    expect(script('audit')).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(cache())).toBe(true)
  })

  it('is compiled each time where nothing can be kept', () => {
    write('node_modules/.cache', 'no folder')
    expect(script('audit')).toMatchObject({ status: 0, stdout: 'src/cli/audit.ts\n', stderr: '' })
  })
})
