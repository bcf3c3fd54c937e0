import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWorld, type WorldOptions } from '../../src/playground/create-world.ts'
import { createPageServer } from '../../src/playground/page-server.ts'
import { openWarm } from '../support/warm-databases.ts'

/** Opens a playground with the real bot and the real service, in a temporary folder. */
export async function openPlayground(options: Partial<WorldOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-browser-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const world = await createWorld({ ...around, folder, openDatabases: openWarm, ...options })
  onTestFinished(() => world.close())
  const page = await createPageServer({ world, port: 0, ...around })
  onTestFinished(() => page.close())
  return { world, page, url: page.url }
}
