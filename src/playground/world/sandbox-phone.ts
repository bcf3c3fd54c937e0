import { z } from 'zod'
import type { Phone } from '../world.ts'

const wallet = z.object({ balance: z.string(), pubkey: z.string() })
const paid = z.object({ preimage: z.string(), paymentHash: z.string(), successAction: z.unknown().optional() })
const claimed = z.object({ invoice: z.string(), paymentHash: z.string(), amount: z.string() })
const invoice = z.object({ invoice: z.string(), paymentHash: z.string() })
const line = z.object({
  direction: z.enum(['sent', 'received']),
  kind: z.enum(['invoice', 'keysend']),
  amount: z.string(),
  preimage: z.string(),
  paymentHash: z.string(),
  description: z.string(),
  at: z.string(),
})

/** The address of the sandbox's control routes, and their token. */
export interface SandboxApi {
  readonly url: () => string
  readonly token: string
}

/** A payment from a wallet. `from` is the name of the member whose wallet pays; without it, the outside wallet pays. */
interface SandboxPayment {
  readonly request: string
  readonly amount?: string | undefined
  readonly comment?: string | undefined
  readonly from?: string
}

/** Pays from the outside wallet, or from a member's. Rejects with an Error whose message is a sentence for a person. */
export function payFromSandbox(api: SandboxApi, payment: SandboxPayment): Promise<z.infer<typeof paid>> {
  return call(api, paid, 'pay', payment)
}

/** Creates the outside wallet, which calls the sandbox's control routes with their token. */
export function createSandboxPhone(api: SandboxApi, loseCallbacks: (count: number) => void): Phone {
  return {
    async wallet() {
      const { balance, pubkey } = await call(api, wallet, 'wallet')
      return { balance: BigInt(balance), pubkey }
    },
    async pay(request, amount, comment) {
      const { preimage, paymentHash, successAction } = await payFromSandbox(api, {
        request,
        amount: amount?.toString(),
        comment,
      })
      const message = z.object({ message: z.string() }).safeParse(successAction)
      return { preimage, paymentHash, ...(message.success ? { message: message.data.message } : {}) }
    },
    async claim(request) {
      const answer = await call(api, claimed, 'claim', { request })
      return { ...answer, amount: BigInt(answer.amount) }
    },
    invoice: (amount, description) => call(api, invoice, 'invoice', { amount: amount?.toString(), description }),
    async history() {
      const { payments } = await call(api, z.object({ payments: z.array(line) }), 'history')
      return payments.map((each) => ({
        ...each,
        direction: each.direction === 'sent' ? 'out' : 'in',
        amount: BigInt(each.amount),
      }))
    },
    async misbehave(next, options = {}) {
      await call(api, z.unknown(), 'faults', { next, ...options })
    },
    async release(outcome) {
      const { released } = await call(api, z.object({ released: z.int() }), 'release', { outcome })
      return released
    },
    loseCallbacks,
  }
}

async function call<Shape extends z.ZodType>(
  { url, token }: SandboxApi,
  shape: Shape,
  path: string,
  body?: unknown,
): Promise<z.infer<Shape>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const request: RequestInit =
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${url()}/sandbox/${path}`, request).catch((cause) => {
    const message =
      'The payments service is not running, so the wallet cannot reach its node. Start the payments service again.'
    throw new Error(message, { cause })
  })
  const said: unknown = await answer.json()
  if (!answer.ok) throw new Error(z.object({ message: z.string() }).parse(said).message)
  return shape.parse(said)
}
