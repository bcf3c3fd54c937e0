import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { COMPILED } from '../../proof/world/processes/compiled.ts'

export const ANY_PORTS = { PLAYGROUND_PORT: '0', SERVICE_PORT: '0', CALLBACK_PORT: '0' }

/** Returns the path of a command's file. */
export const cli = (name: string) => join(import.meta.dirname, `../../src/cli/${name}.ts`)

/** Sets up, for each test of a file, its own folder and programs, which end with the test. */
export function programsInFolder() {
  const here = { folder: '' }
  const children: ChildProcess[] = []
  beforeEach(() => {
    here.folder = mkdtempSync(join(tmpdir(), 'programs-'))
  })
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    rmSync(here.folder, { recursive: true, force: true })
  })

  /** Starts a program in the test's folder with its own environment, and collects its output. */
  function start(program: string, args: string[], environment: Record<string, string> = {}) {
    const env = { ...ANY_PORTS, ...COMPILED, ...environment }
    const child = spawn(program, args, { cwd: here.folder, env })
    children.push(child)
    const heard = { text: '' }
    const listeners = new Set<() => void>()
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        heard.text += chunk
        for (const look of listeners) look()
      })
    }
    // The pipes close when the last process that writes to them has ended.
    const closed = once(child, 'close')
    return {
      child,
      /**
       * Resolves when the output matches, to the first captured group or the match. Rejects if the program ends first.
       */
      said: (pattern: RegExp) =>
        new Promise<string>((resolve, reject) => {
          const look = () => {
            const match = pattern.exec(heard.text)
            if (match) resolve(match[1] ?? match[0])
          }
          listeners.add(look)
          look()
          void closed.then(() => reject(new Error(`it ended without saying ${pattern}: ${heard.text}`)))
        }),
      async ended(): Promise<{ code: number | null; text: string }> {
        await closed
        return { code: child.exitCode, text: heard.text }
      },
    }
  }

  const command = (name: string, environment?: Record<string, string>, ...args: string[]) =>
    start(process.execPath, [cli(name), ...args], environment)

  return { here, start, command }
}
