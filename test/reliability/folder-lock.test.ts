import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockFolder } from '../../src/lib/folder-lock.ts'
import { Problem } from '../../src/lib/problem.ts'

const root = join(import.meta.dirname, '../..')

/** A program that waits for a word, then takes and keeps the lock, or prints why it cannot. */
const TAKE_IT = `
import { lockFolder } from '${root}/src/lib/folder-lock.ts'
console.log('ready')
process.stdin.once('data', () => {
  try {
    lockFolder(process.argv.at(-1), 'bot', 'service')
    console.log('has it')
  } catch (error) {
    console.log(error.message)
  }
})
`

interface Candidate {
  readonly child: ChildProcess
  says(): Promise<string>
}

let folder: string
let candidates: Candidate[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-lock-'))
  candidates = []
})

afterEach(() => {
  for (const { child } of candidates) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

function candidate(): Candidate {
  const options = ['--input-type=module-typescript', '--eval', TAKE_IT, '--', folder]
  const child = spawn(process.execPath, options, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const made = { child, says: async () => String((await lines.next()).value) }
  candidates.push(made)
  return made
}

const takes = ({ child, says }: Candidate) => {
  child.stdin?.write('now\n')
  return says()
}

it('only one of 40 processes locks the folder, and another can once that one dies', async () => {
  const forty = Array.from({ length: 40 }, candidate)
  for (const { says } of forty) expect(await says()).toBe('ready')
  const said = await Promise.all(forty.map(takes))
  expect(said.filter((words) => words === 'has it')).toHaveLength(1)
  const refused = said.filter((words) => words !== 'has it')
  expect(new Set(refused)).toEqual(
    new Set([
      `The data in ${folder} is in use by another process, here or in another container. Stop that process first, or set DATA_FOLDER to another folder.`,
    ]),
  )
  const winner = forty[said.indexOf('has it')]
  const gone = once(winner?.child ?? process, 'exit')
  winner?.child.kill('SIGKILL')
  await gone
  const next = candidate()
  await next.says()
  expect(await takes(next)).toBe('has it')
})

it('a lock on several names takes all of them or none, and is released completely', () => {
  const unlock = lockFolder(folder, 'service')
  expect(() => lockFolder(folder, 'bot', 'service')).toThrow(Problem)
  const unlockBot = lockFolder(folder, 'bot')
  unlock()
  unlockBot()
  lockFolder(folder, 'bot', 'service')()
})

it('a lock’s error names a folder in which no file can be created', () => {
  const missing = join(folder, 'missing')
  expect(() => lockFolder(missing, 'bot')).toThrow(
    /missing could not be locked: .*or set DATA_FOLDER to another folder\.$/,
  )
})
