import type { Runtime } from '../assembly/runtime.ts'
import type { Config } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { systemEntropy } from '../lib/entropy.ts'
import { createLogger } from '../lib/logger.ts'
import { watchStandstill } from '../lib/standstill.ts'

/** Real time, real randomness, and a log on standard output. */
export function createRuntime(config: Pick<Config, 'logLevel'>): Runtime {
  const logger = createLogger({ level: config.logLevel, name: 'satchel', clock: systemClock })
  return {
    ...{ clock: systemClock, entropy: systemEntropy, logger },
    standstill: watchStandstill({ clock: systemClock, logger }),
  }
}
