import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const STEPS = join(import.meta.dirname, '../../.ci/steps.sh')
/**
 * A command that leaves two children that keep its output open: the first in the command's process group, the second in
 * its own session.
 */
const LEAVES_CHILDREN = 'sleep 30 & setsid --fork sleep 31; echo'

/**
 * Runs a gate with these lines; resolves to its output and its exit code. Rejects if the gate takes so long that a
 * child must have held it up.
 */
async function gate(...lines: string[]): Promise<{ said: string; code: number }> {
  const script = ['set -uo pipefail', `. '${STEPS}'`, ...lines].join('\n')
  try {
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { timeout: 20_000 })
    return { said: stdout, code: 0 }
  } catch (error) {
    const { stdout, code, killed } = error as { stdout: string; code: number; killed: boolean }
    if (killed) throw error
    return { said: stdout, code }
  }
}

describe.concurrent('the steps of the gate', () => {
  it('end without waiting for child processes that a command leaves behind', async () => {
    const { said, code } = await gate(`step 'children' 20 bash -c '${LEAVES_CHILDREN} done'`)
    expect({ said, code }).toEqual({ said: expect.stringContaining('done\n── children took'), code: 0 })
    expect(said).toContain('1 passed, 0 failed, 0 skipped')
  })

  it('end a command at its time limit even though its children keep running', async () => {
    const { said, code } = await gate(`step 'hung' 1 bash -c '${LEAVES_CHILDREN} begun; wait'`)
    expect(said).toContain('begun\nIt took longer than 1 s, and was ended.')
    expect(said).toContain('hung (exit code 124)')
    expect(code).toBe(1)
  })

  it('add up the results of suites that run in parallel', async () => {
    const { said, code } = await gate(
      `beside 'one' 9 echo '      Tests  1 failed | 2 passed | 3 skipped (6)'`,
      `beside 'two' 9 echo '      Tests  5 passed (5)'`,
      `beside 'none' 9 bash -c 'exit 77'`,
      'wait',
    )
    expect(said).toContain('7 passed, 1 failed, 4 skipped')
    expect(code).toBe(1)
  })
})
