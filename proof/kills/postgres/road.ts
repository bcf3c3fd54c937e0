import { connect, createServer, type Socket } from 'node:net'

/**
 * A fixed local address that can lead to one server after another, in place of an operator's name, floating address or
 * balancer.
 */
export interface Road {
  readonly port: number
  /** Makes the address lead to this port from now on, or nowhere if no port is given. Cuts open connections. */
  leadTo(port?: number): void
  close(): Promise<void>
}

export async function openRoad(): Promise<Road> {
  const sockets = new Set<Socket>()
  let target: number | undefined
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer({ noDelay: true }, (client) => {
    if (target === undefined) return void client.destroy()
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    leadTo(port) {
      target = port
      cutAll()
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      cutAll()
      await closed
    },
  }
}
