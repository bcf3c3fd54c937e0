import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Registry } from 'prom-client'
import { type MetricsGuard, refuseStranger } from '../lib/http/metrics-guard.ts'
import { addStandstill, type Standstill } from '../lib/standstill.ts'

/** Figures about a bot's calls to Discord. `waiting` and `sent` are by purpose. */
export interface CallFigures {
  readonly permits: number
  readonly inUse: number
  readonly waiting: Readonly<Record<string, number>>
  /** The number of calls since the start, by purpose. */
  readonly sent: Readonly<Record<string, number>>
  /** How often Discord has answered 429 since the start. */
  readonly rateLimited: number
  /** The number of calls that Discord refused (401, 403, 429) in the last ten minutes, of all processes. */
  readonly invalid: number
}

export interface MetricsOptions extends MetricsGuard {
  /** Returns the figures; undefined until the bot has started. */
  readonly calls: () => CallFigures | undefined
  /** Whether the machine's clock is trusted. Default: no such figure. */
  readonly believesClock?: () => boolean
  /** Measures the longest time for which the process stood still. Default: no such figure. */
  readonly standstill?: Standstill | undefined
  /** The name of this process. */
  readonly instance: string | undefined
}

/** Adds `GET /metrics` for Prometheus; strangers may not read it. */
export function addMetrics(app: FastifyInstance, options: MetricsOptions): void {
  const registry = new Registry()
  if (options.instance !== undefined) nameInstance(registry, options.instance)
  const show = figuresOf(registry)
  const { believesClock } = options
  addStandstill(registry, options.standstill)
  if (believesClock !== undefined) showClock(registry, believesClock)
  app.get('/metrics', async (request, reply) => {
    refuseStranger(request, options)
    const calls = options.calls()
    if (calls !== undefined) show(calls)
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

/** Names this process in the metrics (`target_info`), as the payments service does. */
function nameInstance(registry: Registry, instance: string): void {
  const help = 'Which process answers: its name is that of INSTANCE_NAME, or of its machine.'
  const labelNames = ['service_name', 'service_instance_id']
  const info = new Gauge({ name: 'target_info', help, labelNames, registers: [registry] })
  info.set({ service_name: 'satchel-bot', service_instance_id: instance }, 1)
}

function showClock(registry: Registry, believesClock: () => boolean): void {
  new Gauge({
    name: 'satchel_clock_believed',
    help: 'Whether the machine’s clock is believed: 1, or 0 while nothing expires by it.',
    registers: [registry],
    collect() {
      this.set(Number(believesClock()))
    },
  })
}

function figuresOf(registry: Registry): (calls: CallFigures) => void {
  const described = <Label extends string>(name: string, help: string, labelNames: Label[] = []) => ({
    ...{ name: `satchel_discord_${name}`, help, labelNames },
    registers: [registry],
  })
  const permits = new Gauge(described('permits', 'How many calls to Discord this process may have under way at once.'))
  const inUse = new Gauge(described('permits_in_use', 'How many of them are in use: until a second after the answer.'))
  const waiting = new Gauge(described('calls_waiting', 'Calls that wait for a permit, by purpose.', ['urgency']))
  const sent = new Counter(described('calls_total', 'Calls that were sent, by purpose.', ['urgency']))
  const limited = new Counter(described('rate_limited_total', 'How often Discord has answered 429.'))
  const invalid = new Gauge(
    described(
      'invalid_calls',
      'Calls that Discord refused (401, 403, 429) in ten minutes, of all processes. It bans at 10,000.',
    ),
  )
  return (calls) => {
    permits.set(calls.permits)
    inUse.set(calls.inUse)
    for (const [urgency, count] of Object.entries(calls.waiting)) waiting.set({ urgency }, count)
    sent.reset()
    for (const [urgency, count] of Object.entries(calls.sent)) sent.inc({ urgency }, count)
    limited.reset()
    limited.inc(calls.rateLimited)
    invalid.set(calls.invalid)
  }
}
