import type { KnownBug } from './known-bug.ts'

const RESOLVER = 'src/payments-service/machines/sending/resolver.ts'
const BOT_LEASES = 'src/tipping/core/leases.ts'
const SWITCH = 'src/tipping/machines/outgoing/outgoing-payments-switch.ts'
const CONSUMER = 'src/payments-service/receiving/settlement-consumer.ts'

/** What only several services, or several bots, on one book can do wrong: `npm run prove -- simulate --with-bugs --database postgres`. */
export const NEIGHBOUR_BUGS: readonly KnownBug[] = [
  {
    id: 'lease-ignored',
    does: 'takes over open payments of a service that lives',
    places: [
      {
        file: RESOLVER,
        text: 'OR: [{ sender: null }, { sender: { notIn: await leases.livingIn(tx) } }],',
        instead: 'OR: [{ sender: null }, { sender: { not: leases.holder } }],',
      },
    ],
  },
  {
    id: 'cursor-goes-back',
    does: 'moves the cursor of settlements back with every fifth of them',
    places: [
      {
        file: CONSUMER,
        text: '    update: { value: cursor, at },\n',
        instead: "    update: { value: /[05]$/.test(cursor) ? '1' : cursor, at },\n",
      },
    ],
  },
  {
    id: 'bot-lease-ignored',
    does: 'takes over what a bot that lives is about to send',
    places: [
      {
        file: BOT_LEASES,
        text: 'return { OR: [{ process: null }, { process: { notIn: await leases.livingIn(tx) } }] }',
        instead: 'return { OR: [{ process: null }, { process: { not: leases.holder } }] } as never',
      },
    ],
  },
  {
    id: 'pause-remembered',
    does: 'asks whether anything may leave of what this bot remembers, and not of the book',
    places: [
      {
        file: SWITCH,
        text: 'return this.#pending ?? (await tx.outgoingPause.findFirst({ where: { until: null } })) ?? undefined',
        instead: 'return this.paused as { readonly reason: string } | undefined',
      },
    ],
  },
]
