import type { FastifyInstance } from 'fastify'
import type { PageWorld } from './page-world.ts'

/**
 * Serves both sets of books, the bot's pending work, people's own wallets, and the last exchanges between bot and
 * service. Amounts are in msats, as text.
 */
export function serveBooks(app: FastifyInstance, world: PageWorld): void {
  app.get('/api/books', async () => ({
    books: written(await world.books()),
    waiting: await world.waiting(),
    ownWallets: written(await world.ownWallets()),
  }))
  app.get('/api/wire', async () => written(world.wire.recent()))
}

/** Converts amounts to decimal text, because JSON has no bigint. */
export function written<Value>(value: Value): unknown {
  return JSON.parse(JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? each.toString() : each)))
}
