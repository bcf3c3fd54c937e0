import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startAll } from '../../src/assembly/start-all.ts'
import { startService } from '../../src/assembly/start-service.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'

/** Returns a new folder, a logger, and readers of the logged lines. */
function quietRun() {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-warning-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const logger = createLogger({ level: 'warn', name: 'test', clock: systemClock, destination: { write } })
  const told = (of = 'Set TRUST_PROXY=true') => lines.filter((line) => line.includes(of))
  return { folder, told, runtime: { clock: systemClock, entropy: systemEntropy, logger } }
}

it.each([
  [{ SERVICE_PUBLIC_URL: 'https://pay.example.org' }, 1],
  [{ SERVICE_PUBLIC_URL: 'https://pay.example.org', TRUST_PROXY: 'true' }, 0],
  [{ SERVICE_PUBLIC_URL: 'http://127.0.0.1:8787' }, 0],
  [{}, 0],
])('with %j, the service logs this many warnings about an unset TRUST_PROXY: %i', async (environment, times) => {
  const { folder, told, runtime } = quietRun()
  const config = parseConfig({ DATA_FOLDER: folder, SERVICE_PORT: '0', ...environment })
  const service = await startService({ config, ...runtime })
  await service.close()
  expect(told()).toHaveLength(times)
})

it.each([
  [{ CALLBACK_PUBLIC_URL: 'https://tips.example.org' }, 1],
  [{ CALLBACK_PUBLIC_URL: 'https://tips.example.org', TRUST_PROXY: 'true' }, 0],
])('with %j, a bot logs this many warnings about an unset TRUST_PROXY: %i', async (environment, times) => {
  const { folder, told, runtime } = quietRun()
  const discord = { DISCORD_TOKEN: 'abc', DISCORD_API_URL: 'http://127.0.0.1:9/api' }
  const ports = { DATA_FOLDER: folder, SERVICE_PORT: '0', CALLBACK_PORT: '0' }
  await expect(startAll(parseConfig({ ...discord, ...ports, ...environment }), runtime)).rejects.toThrow('Discord')
  expect(told()).toHaveLength(times)
  for (const line of told()) expect(line).toContain('CALLBACK_PUBLIC_URL')
})

it.each([
  [{}, 1],
  [{ SERVICE_PUBLIC_URL: 'http://localhost:8787' }, 1],
  [{ SERVICE_PUBLIC_URL: 'https://pay.example.org' }, 0],
  [{ PAYMENTS_BASE_URL: 'http://127.0.0.1:9', PAYMENTS_API_KEY: 'abc' }, 0],
])('with %j, a bot logs this many warnings that /wallet gives members no link: %i', async (environment, times) => {
  const { folder, told, runtime } = quietRun()
  const discord = { DISCORD_TOKEN: 'abc', DISCORD_API_URL: 'http://127.0.0.1:9/api' }
  const ports = { DATA_FOLDER: folder, SERVICE_PORT: '0', CALLBACK_PORT: '0' }
  await expect(startAll(parseConfig({ ...discord, ...ports, ...environment }), runtime)).rejects.toThrow()
  expect(told('/wallet gives them no link')).toHaveLength(times)
})
