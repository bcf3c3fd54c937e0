import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startService } from '../../src/assembly/start-service.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'

it.each([
  [{ SERVICE_PUBLIC_URL: 'https://pay.example.org' }, 1],
  [{ SERVICE_PUBLIC_URL: 'https://pay.example.org', TRUST_PROXY: 'true' }, 0],
  [{ SERVICE_PUBLIC_URL: 'http://127.0.0.1:8787' }, 0],
  [{}, 0],
])('%j: the log tells of a proxy that is not named %i times', async (environment, times) => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-warning-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const logger = createLogger({ level: 'warn', name: 'test', clock: systemClock, destination: { write } })
  const config = parseConfig({ DATA_FOLDER: folder, SERVICE_PORT: '0', ...environment })
  const service = await startService({ config, clock: systemClock, entropy: systemEntropy, logger })
  await service.close()
  expect(lines.filter((line) => line.includes('Set TRUST_PROXY=true'))).toHaveLength(times)
})
