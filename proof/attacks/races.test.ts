import { describe, expect } from 'vitest'
import { decodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { attack, installed } from './installation.ts'

/** Many simultaneous requests ask for the same sats. */
const world = installed({ PUBLIC_REQUESTS_PER_SECOND: '1000' })

const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

describe('simultaneous requests', () => {
  attack('sixty payments out of a wallet that holds ten of them', 'ten go out, the rest is refused', async () => {
    await world().administration.createUser('receiver')
    const project = await world().project(10_000n as never)
    const body = { gamertag: 'receiver', amount: '1000', description: 'x' }
    const answers = await times(60, () => world().ask('/v0/gamertag/send-payment', { apiKey: project.apiKey, body }))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
    expect(await world().balance(project)).toBe(0n)
  })

  attack('one Idempotency-Key forty times', 'it is carried out once', async () => {
    const project = await world().project(10_000n as never)
    const request = { apiKey: project.apiKey, headers: { 'idempotency-key': 'the-same' } }
    const body = { gamertag: 'receiver', amount: '1000', description: 'x' }
    const answers = await times(40, () => world().ask('/v0/gamertag/send-payment', { ...request, body }))
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await world().balance(project)).toBe(9_000n)
  })

  attack('one voucher forty times, by two projects', 'one of them has it', async () => {
    const [maker, one, other] = await times(3, () => world().project())
    if (!maker || !one || !other) throw new Error('there are three')
    const body = { amount: '5000', description: 'x' }
    const { code } = (await world().ask('/v1/create-voucher', { apiKey: maker.apiKey, body })).json.data
    const before = (await world().balance(one)) + (await world().balance(other))
    const answers = await times(40, (n) =>
      world().ask('/v0/redeem-voucher', { apiKey: (n % 2 === 0 ? one : other).apiKey, body: { code } }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    expect((await world().balance(one)) + (await world().balance(other)) - before).toBe(5_000n)
  })

  attack('one withdrawal code claimed sixty times, with as many invoices', 'one is paid, none is a bug', async () => {
    const project = await world().project()
    // The node pays out the sats that it received.
    const fixed = { minAmount: '20000', maxAmount: '20000', description: 'x' }
    const charge = await world().ask('/v0/static-charges', { apiKey: project.apiKey, body: fixed })
    await world().phone.pay(charge.json.data.invoice.request)
    const body = { amount: '5000' }
    const { invoice } = (await world().ask('/v0/withdrawal-requests', { apiKey: project.apiKey, body })).json.data
    const { href } = decodeLnurl(invoice.request, { allowLoopbackHttp: true })
    const { callback, k1 } = (await world().ask(href)).json
    const invoices = await times(60, () => world().phone.invoice(5_000n))
    const before = (await world().phone.wallet()).balance
    const answers = await times(60, (n) => world().ask(`${callback}?k1=${k1}&pr=${invoices[n]?.invoice}`))
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(
      answers.filter(({ json }) => json?.status === 'OK'),
      answers[0]?.text,
    ).toHaveLength(1)
    await expect.poll(async () => (await world().phone.wallet()).balance - before).toBe(5_000n)
    await expect.poll(async () => (await world().phone.wallet()).balance - before).toBe(5_000n)
  })

  attack(
    'one voucher claimed by sixty wallets, redeemed and revoked at once',
    'it is worth its sats once',
    async () => {
      const [maker, redeemer] = await times(2, () => world().project())
      if (maker === undefined || redeemer === undefined) throw new Error('there are no projects')
      const fixed = { minAmount: '60000', maxAmount: '60000', description: 'x' }
      const charge = await world().ask('/v0/static-charges', { apiKey: maker.apiKey, body: fixed })
      await world().phone.pay(charge.json.data.invoice.request)
      const made = await world().ask('/v1/create-voucher', { apiKey: maker.apiKey, body: { amount: '30000' } })
      const { code, withdraw } = made.json.data
      const { href } = decodeLnurl(withdraw.request, { allowLoopbackHttp: true })
      const { callback, k1 } = (await world().ask(href)).json
      const invoices = await times(60, () => world().phone.invoice(BigInt(withdraw.amount)))
      const before = (await world().phone.wallet()).balance
      const by = (operation: string, { apiKey }: { apiKey: string }) =>
        world().ask(`/v0/${operation}-voucher`, { apiKey, body: { code } })
      const [claims, redeemed, revoked] = await Promise.all([
        times(60, (n) => world().ask(`${callback}?k1=${k1}&pr=${invoices[n]?.invoice}`)),
        by('redeem', redeemer),
        by('revoke', maker),
      ])
      expect([...claims, redeemed, revoked].filter(({ status }) => status >= 500)).toEqual([])
      const paid = claims.filter(({ json }) => json?.status === 'OK').length
      const ended = [redeemed, revoked].filter(({ status }) => status === 200).length
      expect(paid + ended).toBe(1)
      await expect
        .poll(async () => (await world().phone.wallet()).balance - before)
        .toBe(BigInt(withdraw.amount) * BigInt(paid))
    },
  )

  attack('one name forty times, by two projects', 'one static charge has it', async () => {
    const projects = await times(2, () => world().project())
    const body = { minAmount: '1000', maxAmount: '2000', description: 'x', identifier: 'coffee' }
    const answers = await times(40, (n) =>
      world().ask('/v0/static-charges', { apiKey: projects[n % 2]?.apiKey ?? '', body }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })
})
