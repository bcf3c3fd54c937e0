import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { processorTime } from '../../support/processor-time.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
let world: TippingWorld

/**
 * Opens a world in which the pool has 100,000 sats, moderators have all of it to give, and more than 50,000 need a
 * second moderator.
 */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('giver', 100_000)
  const gift = await world.tipping.pools.ask({ guild, member: 'giver', amount: '100000', origin: world.origin() })
  if ('asked' in gift) await world.tipping.pools.confirm({ asked: gift.asked, member: 'giver', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '100000', period: 'day' })
  await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(50_000) } })
})
const MOD = '900000000000000001'
const SECOND = '900000000000000002'
/** The Discord ids of three people. */
const [ANN, BEN, CAT] = ['100000000000000001', '100000000000000002', '100000000000000003'] as const

function read(file: string | Uint8Array, interaction?: string) {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
  const origin = world.origin(interaction)
  const memberIn = (cell: string) => /^(?:<@!?)?(\d{18})>?$/.exec(cell)?.[1]
  return world.tipping.rewards.readList({ guild, member: MOD, file: bytes, memberIn, reason: 'for the docs', origin })
}

function confirm(asked: string | undefined, { member = MOD, roles = ['mods'] } = {}) {
  const word = { asked: asked ?? '', member, roles, origin: world.origin() }
  return world.run(world.tipping.rewards.confirmList(word))
}

const outcomes = async (reward: string) =>
  (await world.tipping.rewards.listOutcomes(reward)).map(({ line, recipient, amount, reason, state }) => [
    ...[line, recipient, Number(amount / 1_000n), reason],
    state,
  ])
const available = async () => (await world.tipping.pools.view(guild)).available

describe('a payment list', () => {
  it.each([
    ['commas', `${ANN},500,pages\n<@${BEN}>,20,\n<@!${CAT}>,3`],
    ['semicolons and a byte-order mark', `\uFEFF${ANN};500;pages\r\n<@${BEN}>;20;\r\n${CAT};3`],
    ['tabs', `${ANN}\t500\tpages\n${BEN}\t20\n\n${CAT}\t3`],
    ['quotes and headings', `"Member ID","Sats","Reason"\n"'${ANN}","500","pages"\n"${BEN}","20",""\n${CAT},3,`],
    ['columns in another order', `note,amount,user\npages,500,${ANN}\n,20,${BEN}\n,3,${CAT}`],
  ])('is read with %s', async (_what, file) => {
    const preview = await read(file)
    expect(preview).toMatchObject({ people: 3, total: sats(523), wrong: [], paidBefore: 0 })
    const { reward } = await confirm(preview.asked)
    expect((await outcomes(reward)).map(([, ...rest]) => rest)).toEqual([
      [ANN, 500, 'pages', 'parked'],
      [BEN, 20, 'for the docs', 'parked'],
      [CAT, 3, 'for the docs', 'parked'],
    ])
    expect(await available()).toBe(sats(100_000 - 523))
  })

  it('has each wrong line explained, and the others paid', async () => {
    const file = [
      `${ANN},500,pages`,
      'benjamin,20,',
      `${ANN},7,again`,
      `${BEN},1.5,`,
      `${BEN},-3,`,
      `${BEN},0,`,
      `${BEN},lots,`,
      `${BEN},,`,
      `${BEN},"1,5",`,
      `${BEN},99999999999,`,
      `${BEN},all,`,
      '=HYPERLINK("http://a.test"),5,',
      'ann@example,5,',
      `${MOD},5,`,
      `${BEN},5,${'x'.repeat(201)}`,
      '1.00E+17,5,',
      `${CAT},5,=1+1`,
    ].join('\n')
    const preview = await read(file)
    expect(preview.wrong.map(({ line, fault }) => [line, fault])).toEqual([
      [2, 'not-a-member'],
      [3, 'twice'],
      [4, 'amount-fraction'],
      [5, 'amount-negative'],
      [6, 'amount-negative'],
      ...[7, 8].map((line) => [line, 'amount']),
      [9, 'amount-fraction'],
      [10, 'amount-range'],
      [11, 'amount'],
      [12, 'not-a-member'],
      [13, 'address'],
      [14, 'self'],
      [15, 'reason-too-long'],
      [16, 'not-a-member'],
    ])
    expect(preview).toMatchObject({ people: 2, total: sats(505) })
    await confirm(preview.asked)
    expect(await available()).toBe(sats(100_000 - 505))
  })

  it.each<[string, () => string | Uint8Array, object]>([
    ['is empty', () => ' \n\n', { code: 'list-empty' }],
    ['has only headings', () => 'member,sats,reason\n', { code: 'list-empty' }],
    ['has 1,001 lines', () => lines(1_001), { code: 'list-too-long', facts: { lines: 1_001, most: 1_000 } }],
    ['is not text', () => new Uint8Array([0xff, 0xfe, 0x41, 0]), { code: 'list-unreadable' }],
    ['has an unclosed quotation mark', () => `${ANN},5,ok\n"${BEN},5`, { code: 'list-unreadable' }],
    ['is larger than 256 KiB', () => 'x'.repeat(256 * 1_024 + 1), { code: 'list-too-large' }],
  ])('is refused if it %s', async (_what, file, refusal) => {
    await expect(read(file())).rejects.toMatchObject(refusal)
  })

  it('cannot be confirmed if all of its lines are wrong', async () => {
    expect(await read('ann,5')).toMatchObject({ asked: undefined, people: 0 })
  })

  it('is read without the lines already paid if its outcomes are sent as a new list', async () => {
    const again = `line,member,sats,reason,outcome\n1,'${ANN},500,pages,parked\n2,'${BEN},20,,returned\n3,'${CAT},3,,paid`
    expect(await read(again)).toMatchObject({ people: 1, total: sats(20), paidBefore: 2 })
  })
})

const lines = (count: number, each = 10) =>
  Array.from({ length: count }, (_, n) => `${200_000_000_000_000_000n + BigInt(n)},${each},`).join('\n')

describe('a payment by list', () => {
  it('can be confirmed for 15 minutes, only by its moderator and within the budget', async () => {
    const { asked } = await read(`${ANN},500`)
    await expect(confirm(asked, { member: SECOND })).rejects.toMatchObject({ code: 'not-yours' })
    await expect(confirm(asked, { roles: [] })).rejects.toMatchObject({ code: 'budget-none' })
    await world.clock.advance(15 * 60_000 + 1)
    await expect(confirm(asked)).rejects.toMatchObject({ code: 'not-there' })
    await expect(confirm('none')).rejects.toMatchObject({ code: 'not-there' })
    expect(await available()).toBe(sats(100_000))
  })

  it('pays each line once even if it is delivered and confirmed twice', async () => {
    const previews = [await read(`${ANN},500`, 'list'), await read(`${ANN},500`, 'list')]
    const given = await Promise.all(previews.map(({ asked }) => confirm(asked)))
    expect(new Set(given.map(({ reward }) => reward)).size).toBe(1)
    expect(await available()).toBe(sats(99_500))
  })

  it.each(['before', 'after'] as const)(
    'is made once if it is confirmed again after the bot died %s storing it',
    async (moment) => {
      const { asked } = await read(`${ANN},500\n${BEN},20`)
      const died = world.dieAtCommit(1, moment)
      void confirm(asked).catch(() => undefined)
      await world.run(died)
      await world.reborn()
      const { reward } = await confirm(asked)
      expect(await available()).toBe(sats(99_480))
      expect(await outcomes(reward)).toHaveLength(2)
    },
  )

  it('waits as a whole for one approval by a moderator who is not on the list', async () => {
    await world.tipping.balances.view(SECOND)
    const { asked } = await read(`${ANN},30000\n${BEN},30000\n${SECOND},10`)
    const { reward, card } = await confirm(asked)
    const before = await world.tipping.rewards.view(reward)
    expect(before).toMatchObject({ kind: 'list', state: 'asked', amount: sats(60_010), card })
    expect(new Set(before.lines?.map(({ state }) => state))).toEqual(new Set(['waiting']))
    const approve = (member: string) => world.run(world.tipping.rewards.approve({ reward, member }))
    await expect(approve(SECOND)).rejects.toMatchObject({ code: 'reward-needs-another' })
    expect(await approve('third')).toMatchObject({ state: 'paid', card })
    expect((await outcomes(reward)).map((each) => each.at(-1))).toEqual(['parked', 'parked', 'credited'])
    expect(await available()).toBe(sats(39_990))
  })

  it('returns its sats to the pool when it is denied', async () => {
    const { reward } = await confirm((await read(`${ANN},60000`)).asked)
    await world.run(world.tipping.rewards.deny({ reward, member: SECOND }))
    expect((await outcomes(reward)).map((each) => each.at(-1))).toEqual(['denied'])
    expect(await available()).toBe(sats(100_000))
  })

  it('sends each line separately, and a refused line does not stop the others', async () => {
    const [ann, ben] = [await world.linked(ANN), await world.linked(BEN)]
    world.provider.misbehave('payToGamertag', { refuse: 400, message: 'no' })
    const { reward } = await confirm((await read(`${ANN},500\n${BEN},20\n${CAT},3`)).asked)
    await world.settle()
    const states = (await outcomes(reward)).map((each) => each.at(-1))
    expect(states.toSorted()).toEqual(['kept', 'paid', 'parked'])
    expect(world.received(ann) + world.received(ben)).toBeGreaterThan(0n)
  })

  it('pays 1,000 people within a minute of processor time', async () => {
    const spent = processorTime()
    const preview = await read(lines(1_000))
    const { reward } = await confirm(preview.asked)
    expect(await outcomes(reward)).toHaveLength(1_000)
    expect([await available(), spent() < 60_000]).toEqual([sats(90_000), true])
  })
})
