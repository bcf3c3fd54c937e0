import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A host that keeps the first `limit` requests waiting, and drops them all when another request arrives. */
export interface SilentHost {
  /** The host's name with its port. */
  readonly host: string
  /** The number of requests that have arrived. */
  readonly count: number
  /** Drops all waiting requests, and closes. */
  close(): Promise<void>
}

/** Starts a silent host on loopback. */
export async function openSilentHost(limit: number): Promise<SilentHost> {
  const waiting: ServerResponse[] = []
  let count = 0
  const giveUp = () => {
    for (const response of waiting.splice(0)) response.destroy()
  }
  const server = createServer((_request, response) => {
    waiting.push(response)
    count += 1
    if (count > limit) giveUp()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get count() {
      return count
    },
    async close() {
      giveUp()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
