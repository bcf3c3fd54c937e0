import { describe, expect, it } from 'vitest'
import type { Card } from '../../../src/tipping/tipping.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld } from '../world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats, and the operator 100. */
async function begin(): Promise<TippingWorld> {
  world = await aliceHasSome()
  return world
}

function create(amount: string) {
  return world.tipping.vouchers.create({ member: 'alice', amount, origin: world.origin() })
}

function redeem(member: string, code: string, interaction?: string) {
  return world.run(world.tipping.vouchers.redeem({ member, code, origin: world.origin(interaction) }))
}

/** Returns the pending cards of a record, with their audiences. */
async function told(record: string): Promise<Pick<Card, 'kind' | 'audience'>[]> {
  const cards = await world.tipping.cards.pending(1_000)
  return cards.filter((card) => card.record === record).map(({ kind, audience }) => ({ kind, audience }))
}

async function revisionOf(card: string): Promise<number | undefined> {
  return (await world.tipping.cards.get(card))?.revision
}

describe('a redemption', () => {
  it('credits the provider’s value of a code, however the code is spaced', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    // As a chat may show it: with spaces and line breaks around it and in it.
    const typed = code.toLowerCase()
    const redemption = await redeem('bob', `\n ${typed.slice(0, 4)} \u00a0${typed.slice(4, 6)}\r\n${typed.slice(6)} `)
    expect(redemption).toMatchObject({ state: 'redeemed', amount: 70_000n })
    expect(await told(redemption.id)).toEqual([{ kind: 'redemption', audience: { member: 'bob' } }])
    expect(await world.available('bob')).toBe(70_000n)
  })

  it('is refused, without a request to the provider, for a text that cannot be a code', async () => {
    await begin()
    for (const code of ['SHORT', 'ABCDEFGHJ', 'ABCD-FGH', 'ÄBCDEFGH']) {
      await expect(redeem('bob', code)).rejects.toMatchObject({ code: 'voucher-code-malformed' })
    }
    expect(world.provider.count('redeemVoucher')).toBe(0)
  })

  it('shows the reason if a code cannot be credited', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    const away = { refuse: 429, message: 'Too many.', code: 'rate_limited' }
    const answers: [Fault, object][] = [
      [{ refuse: 404, message: 'No.', code: 'voucher_not_found' }, { code: 'voucher-code-wrong' }],
      [
        { refuse: 409, message: 'No.', code: 'voucher_redeemed' },
        { code: 'voucher-code-over', facts: { voucher: code } },
      ],
      [{ refuse: 409, message: 'No.', code: 'voucher_revoked' }, { code: 'voucher-code-over' }],
      [
        { refuse: 400, message: 'Not for you.' },
        { code: 'provider-refused', facts: { message: 'Not for you.' } },
      ],
      ['nothing-sent', { code: 'provider-unreachable' }],
      [away, { code: 'provider-unreachable' }],
    ]
    for (const [index, [answer, refused]] of answers.entries()) {
      world.provider.misbehave('redeemVoucher', answer, answer, answer)
      await expect(redeem(`member-${index}`, code)).rejects.toMatchObject(refused)
      world.provider.stopMisbehaving('redeemVoucher')
    }
    await world.provider.down()
    await expect(redeem('bob', code)).rejects.toMatchObject({ code: 'provider-unreachable' })
    await world.provider.up()
    expect((await world.tipping.cards.pending(100)).filter(({ kind }) => kind === 'redemption')).toEqual([])
    expect(await redeem('bob', code)).toMatchObject({ amount: 70_000n })
  })

  it.each(['through the bot', 'elsewhere'])(
    'shows immediately that a code from this bot was redeemed %s',
    async (where) => {
      await begin()
      const { id, code = '' } = await create('500')
      await world.pass(3_600_000)
      if (where === 'elsewhere') world.provider.vouchers.redeem(code)
      await redeem('bob', code).catch(() => undefined)
      await world.pass(1_000)
      expect(await world.tipping.vouchers.view(id)).toMatchObject({ state: 'redeemed' })
      expect(await world.available('bob')).toBe(where === 'elsewhere' ? 0n : 500_000n)
    },
  )

  it.each<Fault>(['act-then-reset', 'act-then-error', 'html'])(
    'credits once if the answer is lost (%s), however often the request is repeated',
    async (fault) => {
      await begin()
      const { code } = world.provider.vouchers.foreign(70_000n)
      world.provider.misbehave('redeemVoucher', fault, fault, fault)
      const redemption = await redeem('bob', code)
      expect(redemption).toMatchObject({ state: 'checking', amount: undefined })
      expect(await told(redemption.id)).toHaveLength(1)
      await world.pass(120_000)
      expect(await revisionOf(redemption.card)).toBe(3)
      expect(await world.available('bob')).toBe(70_000n)
    },
  )

  it('credits once if its command is delivered twice (fault 22)', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    const [first, second] = await Promise.all([redeem('bob', code, 'the-same'), redeem('bob', code, 'the-same')])
    expect(second).toEqual(first)
    expect(await redeem('bob', code, 'the-same')).toEqual(first)
    expect(await world.available('bob')).toBe(70_000n)
    await expect(redeem('bob', 'AAAAAAAA', 'the-same')).rejects.toMatchObject({ code: 'already-done' })
    await expect(redeem('carol', code, 'the-same')).rejects.toMatchObject({ code: 'already-done' })
  })

  it('credits only one of two people who redeem a code at the same time', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    const tried = await Promise.allSettled([redeem('bob', code), redeem('carol', code)])
    expect(tried.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await world.available('bob')) + (await world.available('carol'))).toBe(70_000n)
  })

  it('allows three wrong codes in 10 minutes, together or one after another', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    const tried = await Promise.allSettled(
      ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC', 'DDDDDDDD'].map((wrong) => redeem('bob', wrong)),
    )
    expect(tried.map((one) => (one.status === 'rejected' ? one.reason.code : 'done')).toSorted()).toEqual([
      'voucher-code-locked',
      ...Array(3).fill('voucher-code-wrong'),
    ])
    await expect(redeem('bob', code)).rejects.toMatchObject({ code: 'voucher-code-locked' })
    expect(world.provider.count('redeemVoucher')).toBe(3)
    await world.pass(10 * 60_000)
    expect(await redeem('bob', code)).toMatchObject({ amount: 70_000n })
  })

  it('counts a member’s wrong and unknown codes, and shows when to try again', async () => {
    await begin()
    const { code } = world.provider.vouchers.foreign(70_000n)
    await expect(redeem('bob', 'AAAAAAAA')).rejects.toMatchObject({ code: 'voucher-code-wrong' })
    const first = await world.database.read.redemption.findFirstOrThrow()
    await world.pass(60_000)
    await expect(redeem('bob', 'BBBBBBBB')).rejects.toMatchObject({ code: 'voucher-code-wrong' })
    world.provider.misbehave('redeemVoucher', 'html')
    expect(await redeem('bob', 'CCCCCCCC')).toMatchObject({ state: 'checking' })
    const until = new Date(first.createdAt.getTime() + 10 * 60_000)
    await expect(redeem('bob', code)).rejects.toMatchObject({ code: 'voucher-code-locked', facts: { until } })
    for (let right = 0; right < 4; right += 1) {
      expect(await redeem('carol', world.provider.vouchers.foreign(1_000n).code)).toMatchObject({ state: 'redeemed' })
    }
  })

  it('allows 150 codes in 10 minutes to all new accounts combined, but more to others', async () => {
    await begin()
    const ask = async (member: string, ageDays: number) => {
      const accountSince = new Date(world.clock.now() - ageDays * 24 * 3_600_000)
      const { code } = world.provider.vouchers.foreign(1_000n)
      const command = { member, code, accountSince, origin: world.origin() }
      return await world.run(world.tipping.vouchers.redeem(command)).then(
        ({ state }) => state as string,
        (refusal) => String(refusal.code),
      )
    }
    const young = await Promise.all(Array.from({ length: 160 }, (_, index) => ask(`young-${index}`, 6.9)))
    expect(young.filter((one) => one === 'redeemed')).toHaveLength(150)
    expect(young.filter((one) => one === 'voucher-code-locked')).toHaveLength(10)
    expect(await ask('old', 7)).toBe('redeemed')
    await world.pass(60_000)
    expect(await ask('younger', 1)).toBe('redeemed')
  })

  it('does not make new accounts wait longer if the clock was set back', async () => {
    await begin()
    const until = new Date(world.clock.now() + 365 * 24 * 3_600_000)
    await world.database.write.coolDown.create({ data: { key: 'redeem:new-accounts', until } })
    const accountSince = new Date(world.clock.now())
    const redeem = () => {
      const { code } = world.provider.vouchers.foreign(1_000n)
      return world.tipping.vouchers.redeem({ member: 'young', code, accountSince, origin: world.origin() })
    }
    const facts = { until: new Date(world.clock.now() + 4_000) }
    await expect(world.run(redeem())).rejects.toMatchObject({ code: 'voucher-code-locked', facts })
  })
})
