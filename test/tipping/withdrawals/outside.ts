import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../../src/lib/clock.ts'
import { encodeInvoice, type InvoiceDraft } from '../../../src/lib/lightning/bolt11.ts'
import { descriptionHash } from '../../../src/lib/lightning/lnurl-messages.ts'
import { sats } from '../../../src/lib/money/amount.ts'

/** A world by whose clock invoices are dated. */
interface Clocked {
  readonly clock: Pick<Clock, 'now'>
}

let made = 0

/** Creates an outsider's invoice, which has no amount if none is given. */
export function invoiceFor(world: Clocked, amount: number | undefined, change: Partial<InvoiceDraft> = {}): string {
  made += 1
  return encodeInvoice({
    network: 'regtest',
    amount: amount === undefined ? undefined : sats(amount),
    ...(change.descriptionHash === undefined ? { description: 'outside' } : {}),
    paymentHash: hash(`hash ${made}`),
    paymentSecret: hash(`secret ${made}`),
    createdAt: new Date(world.clock.now()),
    expiresInSeconds: 3_600,
    privateKey: hash('outside'),
    ...change,
  })
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A Lightning Address elsewhere, with its host. */
export interface AddressHost {
  readonly address: string
  readonly url: string
  /** The paths that were requested from the host. */
  readonly asked: readonly string[]
  /** Returns the address's invoice, or a promise of one; by default it is valid. */
  invoice: (sats: number) => unknown
  /** The amounts that the address accepts, in msats. */
  takes: { minSendable: number; maxSendable: number }
  close(): Promise<void>
}

/** The metadata to which an invoice of this address commits. */
const METADATA = '[["text/plain","for bob"]]'
export const RIGHT = { descriptionHash: descriptionHash(METADATA) }

/** Starts the host of `bob@…`, which accepts from 100 to 1,000 sats. */
export async function hostAddress(world: Clocked): Promise<AddressHost> {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', host.url)
    asked.push(pathname)
    const offer = { tag: 'payRequest', callback: `${origin}/invoice`, metadata: METADATA }
    const answer =
      pathname === '/invoice'
        ? await host.invoice(Number(searchParams.get('amount')) / 1_000)
        : { ...offer, ...host.takes }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const host: AddressHost = {
    address: `bob@${origin.slice('http://'.length)}`,
    url: `${origin}/.well-known/lnurlp/bob`,
    asked,
    takes: { minSendable: 100_000, maxSendable: 1_000_000 },
    invoice: (amount) => ({ pr: invoiceFor(world, amount, RIGHT), routes: [] }),
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return host
}
