import { beforeEach, describe, expect, it } from 'vitest'
import { InsufficientFunds } from '../../../src/ledger/ledger.ts'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import { voucherEscrow } from '../../../src/payments-service/core/chart-of-accounts.ts'
import type { ServiceParts } from '../../../src/payments-service/engine/service-parts.ts'
import { claimVoucher, findClaimableVoucher } from '../../../src/payments-service/vouchers/claim-voucher.ts'
import { isOver, redeemVoucher } from '../../../src/payments-service/vouchers/end-voucher.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld({ publicRequestsPerSecond: 0 }).start()
  project = await world.project(sats(10_000))
})

/** Creates a voucher of 1,000 sats, of which 990 arrive in an outside wallet. */
async function create() {
  const { data } = (await world.call(project, 'createVoucher', { body: { amount: '1000000' } })).body
  const url = decodeLnurl(data.withdraw.request, { allowLoopbackHttp: true })
  return { id: data.id as string, code: data.code as string, secret: url.searchParams.get('secret') ?? '' }
}
type Made = Awaited<ReturnType<typeof create>>

const invoice = (amount: Msats = sats(990)) => world.node.foreignInvoice({ amount }).invoice
const claim = ({ secret }: Made, pr: string) =>
  claimVoucher(world.service.parts, { secret, address: '203.0.113.1' }, pr)
const redeem = ({ code }: Made) => world.call(project, 'redeemVoucher', { body: { code } })
const escrow = ({ id }: Made) => world.service.parts.ledger.balance(voucherEscrow(id))
const stepsOf = async ({ id }: Made) => {
  const where = { operation: `voucher:${id}` }
  const entries = await world.service.parts.database.read.entry.findMany({ where, orderBy: { id: 'asc' } })
  return entries.map(({ step }) => step)
}

/** Runs the given function just before the next change is written. */
function beforeTheNextChange(happens: () => Promise<unknown>): void {
  const { ledger } = world.service.parts
  const commit = ledger.commit
  ledger.commit = (async (change) => {
    ledger.commit = commit
    await happens()
    return commit.call(ledger, change)
  }) as typeof commit
}

describe('a claim of a voucher', () => {
  it('is refused, whatever its amount, if the voucher is already redeemed or claimed', async () => {
    const [redeemed, claimed] = [await create(), await create()]
    await redeem(redeemed)
    await expect(claim(redeemed, invoice(sats(1)))).rejects.toMatchObject({ code: 'voucher_redeemed' })
    world.node.answer = () => Promise.reject(new Error('connection lost'))
    world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
    await claim(claimed, invoice())
    await expect(claim(claimed, invoice(sats(1)))).rejects.toMatchObject({ code: 'voucher_being_claimed' })
  })

  it('returns the payment of an earlier claim with the same invoice', async () => {
    const voucher = await create()
    const pr = invoice()
    let first: { id: string } | undefined
    beforeTheNextChange(async () => {
      first = await claim(voucher, pr)
    })
    expect((await claim(voucher, pr)).id).toBe(first?.id)
    expect(world.node.calls).toHaveLength(1)
  })

  it('is refused if a redemption of the voucher is written first', async () => {
    const voucher = await create()
    beforeTheNextChange(() => redeem(voucher))
    await expect(claim(voucher, invoice())).rejects.toMatchObject({ code: 'voucher_redeemed' })
    expect(world.node.calls).toEqual([])
  })

  it('fails with the database’s error, not a refusal, if it cannot be written', async () => {
    const voucher = await create()
    beforeTheNextChange(() => Promise.reject(new Error('disk full')))
    await expect(claim(voucher, invoice())).rejects.toThrow('disk full')
    expect(await escrow(voucher)).toBe(sats(1_000))
  })

  it('is recorded as the payment of an invoice', async () => {
    const { id } = await claim(await create(), invoice())
    const { read } = world.service.parts.database
    expect(await read.payment.findUniqueOrThrow({ where: { id } })).toMatchObject({
      kind: 'invoice',
      status: 'completed',
    })
  })

  it('is refused and sends nothing while the service is stopping', async () => {
    const voucher = await create()
    await world.service.parts.sender.close()
    await expect(claim(voucher, invoice())).rejects.toMatchObject({ code: 'nothing_sent' })
    expect(await escrow(voucher)).toBe(sats(1_000))
    expect(world.node.calls).toEqual([])
  })

  it('is refused if it has no invoice, two invoices or two secrets', async () => {
    const { secret } = await create()
    const ask = async (query: string) => (await world.fetch(`/v0/claim-voucher?${query}`)).body
    const refused = { status: 'ERROR', reason: expect.stringMatching(/^[A-Z].*\.$/) }
    const two = `pr=${invoice()}&pr=${invoice()}`
    const [none, both] = [await ask(`k1=${secret}`), await ask(`k1=${secret}&${two}`)]
    expect([none, both]).toEqual([refused, refused])
    expect([none, both]).toEqual(Array(2).fill(await ask(`k1=${secret}&pr=`)))
    const unknown = { status: 'ERROR', reason: expect.stringMatching(/not known here/) }
    expect(await ask(`k1=${secret}&k1=${secret}&pr=${invoice()}`)).toEqual(unknown)
    expect(world.node.calls).toEqual([])
  })
})

describe('a secret sent to claim a voucher', () => {
  it('is refused without a database query if its form is impossible', async () => {
    const noDatabase = new Proxy({}, { get: () => expect.unreachable('the database was asked') })
    const parts = {
      database: { read: noDatabase },
      wrongCodes: { refuse: async () => undefined, count: async () => undefined },
    } as unknown as ServiceParts
    const like = 'x'.repeat(20)
    for (const secret of [`\0${like}`, `${like}\0`, 'x'.repeat(19), 'x'.repeat(101)]) {
      await expect(findClaimableVoucher(parts, { secret, address: '203.0.113.1' })).rejects.toMatchObject({
        code: 'voucher_not_found',
      })
    }
  })

  it('is refused, if wrong, after 300 wrong secrets from the same IP address', async () => {
    const { parts } = world.service
    const guess = (address: string) => findClaimableVoucher(parts, { secret: 'wrong', address })
    for (let wrong = 0; wrong < 300; wrong += 1) await parts.wrongCodes.count({ address: '203.0.113.1' })
    await expect(guess('203.0.113.1')).rejects.toMatchObject({ code: 'too_many_wrong_codes' })
    await expect(guess('203.0.113.2')).rejects.toMatchObject({ code: 'voucher_not_found' })
  })
})

describe('the end of a voucher', () => {
  it('is the second step of the voucher’s own operation in the journal', async () => {
    const [redeemed, revoked] = [await create(), await create()]
    await redeem(redeemed)
    await world.call(project, 'revokeVoucher', { body: { code: revoked.code } })
    expect([await stepsOf(redeemed), await stepsOf(revoked)]).toEqual([
      ['reserve', 'post'],
      ['reserve', 'void'],
    ])
  })

  it('is not given as the reason if the redemption failed because the disk was full', async () => {
    const { code } = await create()
    const by = { redeemer: project.holder, guesser: { address: '203.0.113.1' }, code }
    const failing = () => Promise.reject(new Error('disk full'))
    await expect(redeemVoucher(world.service.parts, by, failing)).rejects.toThrow('disk full')
    const short = (account: ReturnType<typeof voucherEscrow>) => new InsufficientFunds(account, 0n, 1n)
    expect([short(voucherEscrow('one')), short({ ...voucherEscrow('one'), kind: 'wallet' })].map(isOver)).toEqual([
      true,
      false,
    ])
  })
})
