import { type DestinationStream, type LogFn, type Logger as PinoLogger, pino } from 'pino'
import type { Clock } from './clock.ts'
import type { RecentLines } from './recent-lines.ts'
import { redact, redactText } from './redaction.ts'
import { RepeatedLines } from './repeated-lines.ts'

/**
 * A writer of structured logs, one line of JSON for each entry. It shows no secrets: it redacts fields by name
 * (`redaction.ts`) and then every finished line by pattern, so messages, stacks and a child's bindings are covered,
 * too.
 */
export type Logger = PinoLogger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface LoggerOptions {
  level: LogLevel
  /** The process's name, shown in every line: `service`, `bot`, … */
  name: string
  /** The destination of the lines. Default: standard output. */
  destination?: DestinationStream
  /**
   * The clock by which repeated warnings and errors are limited (`repeated-lines.ts`). Default: every line is written.
   */
  clock?: Clock
  /** The store of recent lines, for people who cannot see the destination. */
  recent?: Pick<RecentLines, 'add'>
}

/** Creates a logger for one process. Make a child for each request: `logger.child({ request: id })`. */
export function createLogger({ level, name, destination, clock, recent }: LoggerOptions): Logger {
  const options = {
    level,
    name,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => redact(fields) as Record<string, unknown>,
    },
    // By then `redact` has converted the error, with the error's own name as its type. pino would call that an Object.
    serializers: { err: (described: unknown) => described },
    hooks: {
      streamWrite: recent === undefined ? redactText : keeping(recent),
      ...(clock && { logMethod: limited(new RepeatedLines(clock)) }),
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

function keeping(recent: Pick<RecentLines, 'add'>) {
  return (line: string): string => {
    const clean = redactText(line)
    recent.add(clean)
    return clean
  }
}

const WARN = pino.levels.values.warn ?? 40

/**
 * Returns a logging method that limits repeated lines, which are lines with the same level, message and error. Alerts
 * are always written, because each concerns a different matter that needs attention.
 */
function limited(repeated: RepeatedLines) {
  return function (this: PinoLogger, args: Parameters<LogFn>, write: LogFn, level: number): void {
    const [fields, text] = typeof args[0] === 'string' ? [{}, args[0]] : [args[0] as Fields, args[1]]
    const error = fields instanceof Error ? fields : fields?.err
    const line = `${level} ${text} ${error instanceof Error ? error.message : ''}`
    const summarize = (leftOut: number) => write.apply(this, [{ leftOut }, text ?? line])
    const always = level < WARN || fields?.alert !== undefined
    if (always || repeated.mayWrite(line, summarize)) write.apply(this, args)
  }
}

interface Fields {
  readonly alert?: unknown
  readonly err?: unknown
}

/** A logger that writes nothing, for tests that do not concern logs. */
export const silentLogger: Logger = pino({ level: 'silent' })
