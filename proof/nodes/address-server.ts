import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AddressServer {
  /** The Lightning Address, `tips@127.0.0.1:PORT`. */
  readonly address: string
  close(): Promise<void>
}

const NAME = 'tips'
const SMALLEST = 1_000
const LARGEST = 100_000_000

/**
 * Serves a Lightning Address (LUD-16), whose invoices are made by `makeInvoice` for an amount in msats and a
 * description hash.
 */
export async function serveAddress(
  makeInvoice: (amount: bigint, descriptionHash: string) => Promise<string>,
): Promise<AddressServer> {
  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '/', `http://${request.headers.host}`), response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const metadata = JSON.stringify([
    ['text/plain', `Sats for ${NAME}`],
    ['text/identifier', `${NAME}@${host}`],
  ])

  async function answer(url: URL, response: ServerResponse): Promise<void> {
    response.setHeader('content-type', 'application/json')
    if (url.pathname === `/.well-known/lnurlp/${NAME}`) {
      const offer = { tag: 'payRequest', minSendable: SMALLEST, maxSendable: LARGEST, metadata }
      return void response.end(JSON.stringify({ ...offer, callback: `http://${host}/invoice` }))
    }
    const hash = createHash('sha256').update(metadata).digest('hex')
    const pr = await makeInvoice(BigInt(url.searchParams.get('amount') ?? '0'), hash)
    response.end(JSON.stringify({ pr, routes: [] }))
  }

  return {
    address: `${NAME}@${host}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
