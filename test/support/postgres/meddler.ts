import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy between a client and a PostgreSQL server, which forwards both sides' messages unless told otherwise. */
export interface Meddler {
  readonly port: number
  /**
   * Decides what happens to each of the client's messages: `cut` ends the connection before or after forwarding it, and
   * `hold` holds it until `letGo`.
   */
  onClient: (bytes: Buffer) => 'pass' | 'cut' | 'pass and cut' | 'hold'
  /** Routes new connections to another server. */
  leadTo(url: string): void
  /** The number of bytes of the clients' messages that are held. */
  readonly held: number
  /** Forwards the held messages. */
  letGo(): void
  /** Changes the server's messages. */
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
