import { decodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { redeemVoucher } from '../../src/payments-service/vouchers/end-voucher.ts'
import type { RawAnswer, ServiceWorld, TestProject } from './harness.ts'
import type { Project, SendingWorld } from './sending-world.ts'

/** Creates a voucher whose payment to a wallet has not ended; returns the voucher's maker and code. */
export async function voucherBeingClaimed(world: SendingWorld): Promise<[Project, string]> {
  world.node.answer = () => Promise.reject(new Error('connection lost'))
  const project = await world.project()
  const { data } = (await world.call(project, 'createVoucher', { body: { amount: '1000000' } })).body
  const url = decodeLnurl(data.withdraw.request, { allowLoopbackHttp: true })
  const pr = world.node.foreignInvoice({ amount: sats(990) }).invoice
  const query = new URLSearchParams({ k1: url.searchParams.get('secret') ?? '', pr })
  await world.fetch(`/v0/claim-voucher?${query}`)
  return [project, data.code]
}

/** Calls of the voucher operations by a project, or by another project given as `by`. */
export class VoucherCalls {
  readonly #world: ServiceWorld
  readonly #project: TestProject

  constructor(world: ServiceWorld, project: TestProject) {
    this.#world = world
    this.#project = project
  }

  create(body: object = { amount: '250000', description: 'a gift' }, headers: Record<string, string> = {}) {
    return this.#world.raw('POST', '/v1/create-voucher', { apiKey: this.#project.apiKey, body, headers })
  }

  batch(body: object, headers: Record<string, string> = {}): Promise<RawAnswer> {
    return this.#world.raw('POST', '/v0/vouchers/batch', { apiKey: this.#project.apiKey, body, headers })
  }

  /** Creates a voucher, and returns its code. */
  async code(amount = '250000'): Promise<string> {
    return (await this.create({ amount })).json.data.code
  }

  retrieve(id: string, by: TestProject = this.#project): Promise<RawAnswer> {
    return this.#world.raw('GET', `/v0/vouchers/${id}`, { apiKey: by.apiKey })
  }

  redeem(code: unknown, by: TestProject = this.#project): Promise<RawAnswer> {
    return this.#world.raw('POST', '/v0/redeem-voucher', { apiKey: by.apiKey, body: { code } })
  }

  revoke(code: unknown, by: TestProject = this.#project): Promise<RawAnswer> {
    return this.#world.raw('POST', '/v0/revoke-voucher', { apiKey: by.apiKey, body: { code } })
  }

  /** Redeems a voucher for a user, as the wallet page does. */
  redeemAsUser(id: string, code: string) {
    const { parts } = this.#world.service
    const by = { redeemer: { kind: 'user', id }, guesser: { user: id }, code } as const
    return redeemVoucher(parts, by, (change) => parts.ledger.commit(change))
  }

  balanceOf({ projectId }: TestProject): Promise<bigint> {
    return this.#world.balance({ kind: 'project', id: projectId })
  }
}
