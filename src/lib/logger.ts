import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'
import { redact, redactText } from './redaction.ts'

/**
 * Structured logs, one line of JSON each. No secret gets through: fields are redacted by name (`redaction.ts`) and
 * every finished line once more by pattern, so that messages, stacks and a child's bindings are covered too.
 */
export type Logger = PinoLogger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface LoggerOptions {
  level: LogLevel
  /** Who speaks: `service`, `bot`, …; shown in every line. */
  name: string
  /** Where lines go; standard output when not given. */
  destination?: DestinationStream
}

/** A logger for one process or building. Make a child for each request: `logger.child({ request: id })`. */
export function createLogger({ level, name, destination }: LoggerOptions): Logger {
  const options = {
    level,
    name,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => redact(fields) as Record<string, unknown>,
    },
    // By then an error is what `redact` has made of it, with its own name as its type; pino would call that an Object.
    serializers: { err: (described: unknown) => described },
    hooks: { streamWrite: redactText },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** Says nothing: for tests of what is not about logs. */
export const silentLogger: Logger = pino({ level: 'silent' })
