import { descriptionHash } from '../../src/lib/lightning/lnurl-messages.ts'
import { msats } from '../../src/lib/money/amount.ts'
import type { SandboxNetwork } from '../../src/payments-service/backends/sandbox/sandbox-network.ts'
import type { HandedOut } from '../judge/withdrawals.ts'
import type { Reply } from './network.ts'
import type { Server } from './simulated-http.ts'

const METADATA = JSON.stringify([['text/plain', 'somebody out there']])

/**
 * Returns an external Lightning Address provider (LUD-16), all of whose addresses belong to the outside wallet. It
 * records each invoice in `handedOut`.
 */
export function outsideServer(sandbox: SandboxNetwork, handedOut: Map<string, HandedOut>): Server {
  return async ({ url }) => {
    const amount = url.searchParams.get('amount')
    if (amount !== null) {
      const description = { text: METADATA, hash: descriptionHash(METADATA) }
      const { invoice } = sandbox.outside.createInvoice({ amount: msats(BigInt(amount)), description })
      const name = url.pathname.split('/').at(-1)
      handedOut.set(invoice, { address: `${name}@${url.hostname}`, amount: BigInt(amount) })
      return json({ pr: invoice, routes: [] })
    }
    const callback = `${url.origin}${url.pathname}`
    return json({ tag: 'payRequest', callback, minSendable: 1_000, maxSendable: 10 ** 12, metadata: METADATA })
  }
}

function json(body: object): Reply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
