import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SATCHEL_COMMANDS } from '../../src/cli/satchel-commands.ts'

const project = join(import.meta.dirname, '../..')
const text = readFileSync(join(project, 'package.json'), 'utf8')
const { scripts, dependencies, bin } = JSON.parse(text)

/**
 * The folder of an installation with the parts that a command checks first: packages, generated clients, and commands
 * that print their names.
 */
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'preflight-'))
  write('package.json', text)
  for (const name of Object.keys(dependencies)) write(`node_modules/${name}/package.json`, '{}')
  for (const side of ['payments-service', 'tipping']) write(`src/${side}/generated/client.ts`, '')
  for (const name of [
    'node-version.cjs',
    'preflight.cjs',
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
  // The tests' own place for compiled files would take precedence over the project's.
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
  return { status, stdout, stderr }
}
/** Runs the command of an npm script, without npm. */
const script = (name: string) => node(...scripts[name].split(' ').slice(1))

/** Options that every version of Node accepts. */
const KNOWN = ['-r', '--max-semi-space-size']

const withoutScripts =
  /^Satchel was installed without its install scripts, which make the database clients: run npm ci in \S+, without --ignore-scripts\.\n$/

describe('after npm ci --ignore-scripts', () => {
  it.each(Object.entries(SATCHEL_COMMANDS))('npm run %s fails and explains the remedy', (name, { file }) => {
    expect(script(name)).toEqual({ status: 0, stdout: `${file}\n`, stderr: '' })
    rmSync(join(root, 'src/tipping/generated'), { recursive: true })
    expect(script(name)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(withoutScripts) })
  })

  it('satchel audit fails and explains the remedy', () => {
    expect(node(bin.satchel, 'audit')).toEqual({ status: 0, stdout: 'src/cli/audit.ts\n', stderr: '' })
    rmSync(join(root, 'src/payments-service/generated/client.ts'))
    expect(node(bin.satchel, 'audit')).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(withoutScripts) })
  })
})

describe('before npm ci, or after npm ci was interrupted', () => {
  it.each([
    ['all packages are missing', () => rmSync(join(root, 'node_modules'), { recursive: true })],
    ['one package is missing', () => rmSync(join(root, 'node_modules/zod'), { recursive: true })],
  ])('a command fails and explains the remedy if %s', (_, remove) => {
    remove()
    const said = /^Satchel is not installed, or not in full \(\S+ is missing\): run npm ci in \S+\.\n$/
    for (const ran of [script('start'), node(bin.satchel, 'start')])
      expect(ran).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(said) })
  })
})

describe('an outdated Node', () => {
  /**
   * Runs the command of an npm script as if this were another version of Node. The program can still use the JavaScript
   * of this version.
   */
  const asNode = (version: string, name: string) => {
    const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    write('old.cjs', old)
    return node('-r', './old.cjs', ...scripts[name].split(' ').slice(1))
  }

  it.each([
    ['12.22.12', 'start'],
    ['14.21.3', 'setup'],
    ['16.20.2', 'pretest'],
    ['18.20.8', 'prepare'],
    ['19.9.0', 'audit'],
  ])('of version %s makes npm run %s explain the remedy', (version, name) => {
    expect(asNode(version, name)).toEqual({
      ...{ status: 1, stdout: '' },
      stderr: `Node ${version} is too old for Satchel: install Node 24 from https://nodejs.org, then run npm ci in ${root}.\n`,
    })
  })

  it('is reported if it cannot run TypeScript and no Node is bundled', () => {
    expect(asNode('20.1.0', 'start')).toEqual({
      ...{ status: 1, stdout: '' },
      stderr: expect.stringMatching(
        /^Node 20\.1\.0 cannot run Satchel, and the Node that comes with it is missing: run npm ci/,
      ),
    })
    expect(existsSync(join(root, 'node_modules/.bin/node'))).toBe(false)
  })

  it('can parse the check of its version, and is given only options that it knows', () => {
    const read = (file: string) => readFileSync(join(project, 'src/cli', file), 'utf8').replaceAll(/^ *\/\/.*$/gm, '')
    expect(read('node-version.cjs')).not.toMatch(/\b(const|let|class|import|export)\b|=>|`|\?\?|\?\./)
    // Node 12 knows these words, and no newer ones.
    for (const file of ['preflight.cjs', 'satchel.mjs'])
      expect(read(file)).not.toMatch(/\?\?|\?\.|\bawait\b|import\.meta\.d/)
    for (const [name, script] of Object.entries<string>(scripts).filter(([, script]) => script.includes('src/cli/'))) {
      expect({
        name,
        options: (script.match(/(?<= )--?[a-z-]+/g) ?? []).filter((option) => !KNOWN.includes(option)),
      }).toEqual({
        name,
        options: [],
      })
    }
  })
})

describe('compilation', () => {
  const cache = () => join(root, 'node_modules/.cache/compiled')

  it('stores its output in the project for the next start', () => {
    expect(script('audit')).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(cache())).toBe(true)
  })

  it('does not fail if its output cannot be stored', () => {
    write('node_modules/.cache', 'no folder')
    expect(script('audit')).toMatchObject({ status: 0, stdout: 'src/cli/audit.ts\n', stderr: '' })
  })
})
