import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { onPostgres } from '../support/postgres/databases.ts'

const root = join(import.meta.dirname, '../..')

async function trace(seed: string): Promise<string> {
  const args = ['proof/simulation/simulate.ts', '--seed', seed, '--steps', '60', '--trace']
  if (onPostgres()) args.push('--database', 'postgres')
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  // How long it took is not part of the world.
  return stdout.replace(/, \d+ s$/m, '')
}

it('a simulated world repeats exactly with the same seed, and differs with another', async () => {
  const [one, again, other] = await Promise.all([trace('7'), trace('7'), trace('8')])
  expect(one).toContain('Not a msat was lost, doubled or invented.')
  expect(again).toBe(one)
  expect(other).not.toBe(one)
}, 400_000)
