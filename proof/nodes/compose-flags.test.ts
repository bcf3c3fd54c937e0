import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildLnd, hasGo } from './build-lnd.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const canBuild = await hasGo()

/** Resolves to the version that lnd prints if it accepts these flags: lnd parses its whole command line first. */
async function reads(flags: readonly string[]): Promise<string> {
  const { lnd } = await buildLnd(console.log)
  const { stdout } = await run(lnd, [...flags, '--version'])
  return stdout
}

// Without Go, lnd cannot be built; lnd.test.ts reports that, and fails in the gate.
describe.skipIf(!canBuild)('lnd’s command lines in the compose files', { timeout: 900_000 }, () => {
  it.each([
    ['compose.yaml', 'lnd'],
    ['compose.regtest.yaml', 'lnd'],
    ['compose.regtest.yaml', 'outside'],
  ])('are accepted by lnd (in %s, for the service %s)', async (file, service) => {
    const { command } = parse(readFileSync(join(root, file), 'utf8')).services[service]
    expect(await reads(command)).toContain('0.21.2')
    await expect(reads([...command, '--no-such-flag'])).rejects.toThrow('unknown flag')
  })
})
