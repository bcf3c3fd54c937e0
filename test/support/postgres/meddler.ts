import { connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between a client and a PostgreSQL server, and passes on what both say as long as it is not told otherwise. */
export interface Meddler {
  readonly port: number
  /** Sees what a client says; cuts the connection after passing it on, or before, if told so; or keeps it until `letGo`. */
  onClient: (bytes: Buffer) => 'pass' | 'cut' | 'pass and cut' | 'hold'
  /** New connections lead to another server. */
  leadTo(url: string): void
  /** How much of what clients said is kept. */
  readonly held: number
  /** Passes on what was kept. */
  letGo(): void
  /** Changes what the server says. */
  onServer: (bytes: Buffer) => Buffer
  close(): Promise<void>
}

export async function meddleWith(url: string): Promise<Meddler> {
  let { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', cut)
    }
    client.on('data', (bytes) => {
      const what = meddler.onClient(bytes)
      if (what === 'cut') return cut()
      if (what === 'hold') return void held.push(() => upstream.write(bytes))
      upstream.write(bytes)
      if (what === 'pass and cut') {
        client.destroy()
        // The server reads what it was sent before it notices that nobody listens.
        upstream.end()
      }
    })
    upstream.on('data', (bytes) => client.write(meddler.onServer(bytes)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const meddler: Meddler = {
    port: (server.address() as { port: number }).port,
    onClient: () => 'pass',
    onServer: (bytes) => bytes,
    get held() {
      return held.length
    },
    leadTo(other) {
      ;({ hostname, port } = new URL(other))
    },
    letGo() {
      for (const pass of held.splice(0)) pass()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return meddler
}
