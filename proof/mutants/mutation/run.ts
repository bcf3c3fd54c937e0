import { spawn } from 'node:child_process'

/** How a program ended. */
export type End =
  | { readonly how: 'well' }
  /** Our own deadline ended it. */
  | { readonly how: 'out of time' }
  | { readonly how: 'badly'; readonly code: number | string; readonly lastWords: string }

export interface Run {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Milliseconds since 1970; no end when not given. */
  readonly deadline?: number | undefined
}

const LAST_WORDS = 2_000
const SPEAKS_ON_MS = 500

/** Runs a program, shows what it says, and ends it at the deadline. Resolves to how it ended; never rejects. */
export function runToEnd({ command, args, cwd, env, deadline }: Run): Promise<End> {
  // In a group of its own: whatever it started ends with it, and does not work on at its side after the deadline.
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let said = ''
  for (const [stream, shown] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    stream.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-LAST_WORDS)
      shown.write(chunk)
    })
  }
  let late = false
  const end = () => {
    late = true
    endGroup()
  }
  const endGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid)
    } catch {
      // It has ended.
    }
  }
  const interrupted = () => {
    endGroup()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted)
  const timer = deadline === undefined ? undefined : setTimeout(end, Math.max(deadline - Date.now(), 1))
  return new Promise((resolve) => {
    const ended = (code: number | string) => {
      clearTimeout(timer)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted)
      if (code === 0) resolve({ how: 'well' })
      else resolve(late ? { how: 'out of time' } : { how: 'badly', code, lastWords: said.trim() })
    }
    child.on('error', (error) => ended(error.message))
    // Whatever it started may hold on to its output and outlive it.
    child.on('exit', () => {
      for (const stream of [child.stdout, child.stderr]) setTimeout(() => stream.destroy(), SPEAKS_ON_MS).unref()
    })
    child.on('close', (code, signal) => ended(code ?? signal ?? 'no code'))
  })
}
