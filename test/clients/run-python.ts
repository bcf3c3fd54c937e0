import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const CLIENTS = join(import.meta.dirname, '../../clients')

/** Whether this machine has a version of Python that the client supports. */
export const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

/** Runs Python with the client on its path. Resolves to the program's output; rejects if the program fails. */
export async function runPython(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const around = { PATH: process.env.PATH, PYTHONPATH: join(CLIENTS, 'python'), PYTHONDONTWRITEBYTECODE: '1', ...env }
  return (await promisify(execFile)('python3', ['-W', 'error', ...args], { env: around })).stdout
}
