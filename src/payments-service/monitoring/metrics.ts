import { Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../../lib/clock.ts'
import { addStandstill, type Standstill } from '../../lib/standstill.ts'
import type { NodeView } from '../engine/node/node-watch.ts'
import type { Figures } from './figures.ts'

/** Counts the running service's events, and renders figures that are read from the books on request. */
export interface Metrics {
  /** The Content-Type of the text from `render`. */
  readonly contentType: string
  /** Counts a request. `operation` is from a closed set of names, never part of an address that a caller chose. */
  observeRequest(operation: string, status: number, durationMs: number): void
  observeBatch(batch: { readonly changes: number; readonly durationMs: number }): void
  /** Renders the counters and these figures in Prometheus' text format. */
  render(figures: Figures): Promise<string>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates the metrics of this process. `instance` is its name among the processes on the book. */
export function createMetrics(
  clock: Clock,
  { instance, standstill }: { readonly instance?: string; readonly standstill?: Standstill } = {},
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (instance !== undefined) nameInstance(registry, instance)
  addStandstill(registry, standstill)
  const requests = new Histogram({
    name: 'satchel_request_duration_seconds',
    help: 'Time from a request to its whole answer, by operation and class of status.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  })
  const batches = new Histogram({
    name: 'satchel_commit_changes',
    help: 'How many changes shared one database transaction.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const commits = new Histogram({
    name: 'satchel_commit_duration_seconds',
    help: 'Time of one database transaction, until it is durable.',
    buckets: SECONDS,
    registers,
  })
  const show = gaugesOf(registry)

  return {
    contentType: registry.contentType,
    observeRequest: (operation, status, durationMs) =>
      requests.observe({ operation, status: `${Math.floor(status / 100)}xx` }, durationMs / 1_000),
    observeBatch({ changes, durationMs }) {
      batches.observe(changes)
      commits.observe(durationMs / 1_000)
    },
    render(figures) {
      show(figures, clock.monotonic())
      return registry.metrics()
    },
  }
}

/**
 * Names the measuring process, as OpenTelemetry's metrics do in Prometheus. The name is not a label of each metric,
 * because Prometheus adds the label `instance`, the address that it requested. But behind a balancer, all processes
 * have the same address.
 */
function nameInstance(registry: Registry, instance: string): void {
  const help = 'Which process answers: its name is that of INSTANCE_NAME, or of its machine.'
  const labelNames = ['service_name', 'service_instance_id']
  const info = new Gauge({ name: 'target_info', help, labelNames, registers: [registry] })
  info.set({ service_name: 'satchel-payments', service_instance_id: instance }, 1)
}

type MakeGauge = <Label extends string>(name: string, help: string, labelNames?: Label[]) => Gauge<Label>

/**
 * Adds the node's own figures. Omits figures that the node does not report, because alerts on them would be
 * meaningless.
 */
function nodeGauges(gauge: MakeGauge): (node: NodeView, now: number) => void {
  const up = gauge('node_up', 'Whether the Lightning node can be used now: 1 or 0.')
  const age = gauge(
    'node_last_answer_age_seconds',
    'Time since the Lightning node last answered as it should, or since the start.',
  )
  const amounts = gauge(
    'node_msats',
    'What the Lightning node says of its channels, in msats: settled, spendable, receivable, in_flight (going out), arriving.',
    ['amount'],
  )
  return ({ health, balances, answeredAt }, now) => {
    up.set(health.state === 'ready' ? 1 : 0)
    age.set(Math.max(now - answeredAt, 0) / 1_000)
    amounts.reset()
    const { settled, spendable, receivable, inFlight, arriving } = balances ?? {}
    const told = { settled, spendable, receivable, in_flight: inFlight, arriving }
    for (const [amount, value] of Object.entries(told)) if (value !== undefined) amounts.set({ amount }, Number(value))
  }
}

/** Adds the gauges of the present figures. Returns the function that sets them whenever the figures are read. */
function gaugesOf(registry: Registry): (figures: Figures, now: number) => void {
  const gauge: MakeGauge = (name, help, labelNames = []) =>
    new Gauge({ name: `satchel_${name}`, help, labelNames, registers: [registry] })
  const payments = gauge('payments', 'Payments ever accepted, by kind (invoice, keysend, gamertag) and state.', [
    'kind',
    'status',
  ])
  const unknown = gauge('payments_unknown', 'Payments whose outcome nobody knows.')
  const unknownAge = gauge('payments_unknown_oldest_seconds', 'Age of the oldest of them.')
  const waiting = gauge('callbacks_waiting', 'Callbacks that were not delivered yet.')
  const waitingAge = gauge('callbacks_waiting_oldest_seconds', 'Age of the oldest of them.')
  const deadLettered = gauge(
    'callbacks_dead_lettered',
    'Callbacks that were given up; an operator can have them delivered again.',
  )
  const accounts = gauge('accounts_msats', 'The sum of all accounts of a kind, in msats.', ['kind'])
  const fees = gauge(
    'routing_fees_msats',
    'What sending over the node has cost, in msats: charged to payers; absorbed by the operator; untold, the part of what was charged of which no node says how much it took.',
    ['kind'],
  )
  const memory = gauge('resident_memory_bytes', 'Memory that the process occupies.')
  const clockBelieved = gauge(
    'clock_believed',
    'Whether the machine’s clock is believed: 1, or 0 while nothing expires by it.',
  )
  const showNode = nodeGauges(gauge)
  return (figures, now) => {
    showNode(figures.node, now)
    payments.reset()
    for (const { kind, status, count } of figures.payments) payments.set({ kind, status }, count)
    unknown.set(figures.unknown.count)
    unknownAge.set(figures.unknown.oldestMs / 1_000)
    waiting.set(figures.callbacks.waiting)
    waitingAge.set(figures.callbacks.oldestMs / 1_000)
    deadLettered.set(figures.callbacks.deadLettered)
    for (const { kind, total } of figures.routingFees) fees.set({ kind }, Number(total))
    accounts.reset()
    for (const [kind, total] of figures.accounts) accounts.set({ kind }, Number(total))
    clockBelieved.set(Number(figures.clockBelieved))
    memory.set(process.memoryUsage.rss())
  }
}
