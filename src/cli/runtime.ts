import type { Runtime } from '../assembly/runtime.ts'
import type { Config } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { systemEntropy } from '../lib/entropy.ts'
import { createLogger } from '../lib/logger.ts'
import { RecentLines } from '../lib/recent-lines.ts'
import { watchStandstill } from '../lib/standstill.ts'
import { forPeople } from './people-log.ts'

/** Whether the output goes to a terminal, where a person reads it. */
export const atTerminal = process.stdout.isTTY === true

const TERMINAL = {
  destination: {
    write(line: string): void {
      const text = forPeople(line)
      if (text !== undefined) console.log(text)
    },
  },
}

/**
 * Creates a runtime with real time, real randomness, and a log on standard output: as lines of JSON or, if `people` is
 * set, only warnings and errors as text.
 */
export function createRuntime(config: Pick<Config, 'logLevel'>, people = false): Runtime {
  const recent = new RecentLines(systemClock)
  const options = { level: config.logLevel, name: 'satchel', clock: systemClock, recent }
  const logger = createLogger({ ...options, ...(people && TERMINAL) })
  return {
    ...{ clock: systemClock, entropy: systemEntropy, logger, recent },
    standstill: watchStandstill({ clock: systemClock, logger }),
  }
}
