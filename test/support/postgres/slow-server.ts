import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A way to a server that is now and then slow. */
export interface SlowServer {
  /** Where it is reached. */
  readonly url: string
  close(): void
}

/**
 * Stands before the server at `url`. So many of a thousand pieces of what both say come late, by `mostMs` milliseconds at most. Their
 * order on one connection stays, and of two connections either may be first: that is how a busy server shows what depends on luck.
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
