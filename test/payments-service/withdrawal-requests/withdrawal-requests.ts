import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

export interface Request {
  readonly id: string
  readonly secret: string
}

/** A service with a project of 10,000 sats, which makes withdrawal requests of 1,000 sats with fees of at most 10. */
export class WithdrawalRequests extends SendingWorld {
  declare owner: Project

  static async open(): Promise<WithdrawalRequests> {
    const world = new WithdrawalRequests({ publicRequestsPerSecond: 0 })
    await world.start()
    world.owner = await world.project(sats(10_000))
    return world
  }

  async request(body: object = {}): Promise<Request> {
    const answer = await this.call(this.owner, 'createWithdrawalRequest', {
      body: { amount: '1000000', callbackUrl: 'https://example.com/w', ...body },
    })
    const url = decodeLnurl(answer.body.data.invoice.request, { allowLoopbackHttp: true })
    return { id: answer.body.data.id, secret: url.searchParams.get('secret') ?? '' }
  }

  async claim({ secret }: Pick<Request, 'secret'>, pr: string): Promise<{ status: string; reason?: string }> {
    const { body } = await this.fetch(`/v0/claim-withdrawal-request?${new URLSearchParams({ k1: secret, pr })}`)
    return body as { status: string; reason?: string }
  }

  /** Creates an outside wallet's invoice. */
  invoice(amount: Msats = sats(1_000)) {
    return this.node.foreignInvoice({ amount })
  }

  async stateOf({ id }: Request) {
    return (await this.call(this.owner, 'retrieveWithdrawalRequest', { params: { id } })).body.data
  }

  /** Returns the statuses that the request's callbacks report, in order. */
  async told({ id }: Request): Promise<unknown[]> {
    return (await this.callbacks(`withdrawal-request:${id}`)).map((callback) => callback.status)
  }
}
