import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A route to a server, on which messages are sometimes slow. */
export interface SlowServer {
  /** The address of the route. */
  readonly url: string
  close(): void
}

/**
 * Delays messages to and from the server at `url`. In both directions, `perThousand` in a thousand messages are up to
 * `mostMs` milliseconds late. Their order within one connection stays, but of two connections' messages either can be
 * first: this shows what depends on luck on a busy server.
 */
export async function slowDown(url: string, perThousand: number, mostMs: number): Promise<SlowServer> {
  const { hostname, port } = new URL(url)
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    passOn(client, upstream)
    passOn(upstream, client)
  })
  const late = () => (randomInt(1_000) < perThousand ? randomInt(mostMs) : 0)

  function passOn(from: Socket, to: Socket): void {
    from.setNoDelay(true)
    let last = Promise.resolve()
    const then = (act: () => void, ms = 0) => {
      last = last.then(() => (ms > 0 ? pause(ms) : undefined)).then(() => (to.destroyed ? undefined : act()))
    }
    from.on('data', (bytes) => then(() => void to.write(bytes), late()))
    from.on('end', () => then(() => void to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => then(() => void to.destroy()))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const slow = new URL(url)
  slow.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: slow.href, close: () => void server.close() }
}
