import type pg from 'pg'

/**
 * Ensures that all connections of a process to a book lead to one server. After a failover the address leads to another
 * server, while old connections may still lead to the replaced server, if it is unaware of the failover, and its flush
 * would not cover the new server's writes. When a connection leads to another server, all connections to the earlier
 * one are ended.
 */
export class OneServer {
  #identity: string | undefined
  readonly #clients = new Set<pg.Client>()
  #changes = 0

  /** How often the server was replaced by another one. */
  get changes(): number {
    return this.#changes
  }

  /** Admits a new connection before its first query. If it leads to another server, ends the earlier connections. */
  async admit(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ identity: string }>('SELECT pg_postmaster_start_time()::text AS "identity"')
    const identity = rows[0]?.identity
    if (identity !== this.#identity) {
      this.#identity = identity
      this.#changes += 1
      const others = [...this.#clients]
      this.#clients.clear()
      for (const other of others) other.end().catch(() => {})
    }
    this.#clients.add(client)
    client.once('end', () => this.#clients.delete(client))
  }
}
