import type { KnownBug } from './known-bug.ts'

const RESOLVER = 'src/payments-service/machines/sending/resolver.ts'
const CONSUMER = 'src/payments-service/receiving/settlement-consumer.ts'

/** What only several services on one book can do wrong: `npm run simulate -- --with-bugs --database postgres`. */
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
]
