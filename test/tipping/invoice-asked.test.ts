import { describe, expect, it } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'
import type { InvoiceCommand, InvoiceView } from '../../src/tipping/tipping.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

let world: TippingWorld
/** The logged errors. */
let errors: { msg: string; invoice: string; err?: object }[]

async function begin(options: WorldOptions = {}): Promise<void> {
  errors = []
  const destination = { write: (line: string) => void errors.push(JSON.parse(line)) }
  world = await TippingWorld.open({ ...options, logger: createLogger({ level: 'error', name: 'bot', destination }) })
  await world.linked('bob')
}

function invoice(command: Partial<InvoiceCommand> = {}, interaction?: string): Promise<InvoiceView> {
  const origin = world.origin(interaction)
  return world.run(world.tipping.invoices.create({ member: 'bob', amount: '1000', origin, ...command }))
}

const asked = () => world.provider.calls.filter(({ operation }) => operation === 'createGamertagCharge')
const minutes = ({ expiresAt }: InvoiceView) => (expiresAt.getTime() - world.clock.now()) / 60_000

describe('a command for an invoice', () => {
  it('makes the provider create a charge for the member’s gamertag, with the purpose', async () => {
    await begin()
    const open = await invoice({ amount: '1,234', description: 'pizza', expiresInMinutes: 30 })
    expect(asked()).toEqual([
      {
        operation: 'createGamertagCharge',
        key: `invoice-${open.id}`,
        body: {
          ...{ amount: '1234000', gamertag: 'bob-tag', description: 'pizza', expiresIn: 1_800, internalId: open.id },
          callbackUrl: expect.stringMatching(/^http:\/\/callbacks\.test\/.{20}/),
        },
      },
    ])
    expect(open).toMatchObject({ state: 'open', member: 'bob', amount: sats(1_234), description: 'pizza' })
    expect(minutes(open)).toBe(30)
    expect(open).not.toHaveProperty('paidAt')
    expect(await world.tipping.cards.get(open.card)).toMatchObject({
      ...{ kind: 'invoice', record: open.id, audience: { channel: 'channel' }, revision: 1 },
    })
  })

  it('makes exactly one invoice, however often it is delivered', async () => {
    await begin()
    const command = { description: 'pizza', expiresInMinutes: 30 }
    const open = await invoice(command, 'once')
    expect(await invoice(command, 'once')).toEqual(open)
    for (const other of [{ amount: '1001' }, { description: 'pasta' }, { expiresInMinutes: 31 }, { member: 'carol' }]) {
      await expect(invoice({ ...command, ...other }, 'once')).rejects.toMatchObject({ code: 'already-done' })
    }
    expect(asked()).toHaveLength(1)
    const operation = await world.database.read.operation.findFirst({ where: { id: open.id } })
    expect(operation).toMatchObject({ verb: 'invoice', record: open.id, interaction: 'once' })
  })

  it('makes by default an invoice that is valid for 10 minutes and has no purpose', async () => {
    await begin()
    const open = await invoice({}, 'once')
    expect(minutes(open)).toBe(10)
    expect(open.description).toBe('')
    expect(await invoice({ description: '', expiresInMinutes: 10 }, 'once')).toEqual(open)
  })

  it.each([
    [0, 1],
    [-5, 1],
    [2.4, 2],
    [43_200, 43_200],
    [99_999, 43_200],
  ])('turns a requested duration of %d minutes into %d minutes', async (wanted, given) => {
    await begin()
    expect(minutes(await invoice({ expiresInMinutes: wanted }))).toBe(given)
  })

  it('uses the expiry that the provider reports', async () => {
    await begin()
    const end = new Date(world.clock.now() + 90_000)
    world.provider.misbehave('createGamertagCharge', { answer: { invoiceExpiresAt: end.toISOString() } })
    const open = await invoice()
    expect(open.expiresAt).toEqual(end)
  })

  it.each<[string, bigint, string, object | undefined]>([
    ['the smallest amount', 5_000n, '5', undefined],
    ['the largest amount', 5_000n, '100', undefined],
    ['more than the largest', 5_000n, '101', { code: 'amount-too-large', facts: { largest: 100_000n } }],
    ['less than the smallest', 5_000n, '4', { code: 'amount-too-small', facts: { smallest: 5_000n } }],
    ['1 sat if the smallest tip is less', 1n, '1', undefined],
    ['half a sat if the smallest tip is less', 1n, '0.5', { name: 'TippingRefusal' }],
  ])('respects the smallest and the largest amount: %s', async (_, minAmount, amount, refusal) => {
    await begin({ settings: { minAmount: msats(minAmount), maxAmount: sats(100) } })
    if (refusal === undefined) expect(await invoice({ amount })).toMatchObject({ state: 'open' })
    else await expect(invoice({ amount })).rejects.toMatchObject(refusal)
  })

  it('can have a purpose of up to 200 characters', async () => {
    await begin()
    expect((await invoice({ description: 'x'.repeat(200) })).description).toHaveLength(200)
    const tooLong = { code: 'text-too-long', facts: { what: 'description', most: 200 } }
    await expect(invoice({ description: 'x'.repeat(201) })).rejects.toMatchObject(tooLong)
    expect(asked()).toHaveLength(1)
  })

  it('is refused while the member’s gamertag is unknown', async () => {
    await begin()
    world.provider.misbehave('getGamertagByUserId', 'error', 'error', 'error')
    await expect(invoice({}, 'again')).rejects.toMatchObject({ code: 'provider-unreachable' })
    world.provider.misbehave('getGamertagByUserId', { refuse: 404, message: 'There is no such user.' })
    const facts = { message: 'There is no such user.' }
    await expect(invoice({}, 'again')).rejects.toMatchObject({ code: 'provider-refused', facts })
    expect(await invoice({}, 'again')).toMatchObject({ state: 'open' })
  })

  it('makes its caller a user of the bot', async () => {
    await begin()
    await world.database.write.member.deleteMany({ where: { id: 'bob' } })
    await invoice()
    expect(await world.database.read.member.count({ where: { id: 'bob' } })).toBe(1)
  })

  it('shows the bot whether the provider’s sats are test sats', async () => {
    await begin()
    expect(world.tipping.testMoney).toBe(false)
    await invoice()
    expect(world.tipping.testMoney).toBe(true)
  })
})

describe('an invoice', () => {
  const ANOTHER = 'The new invoice is for another amount.'

  it.each([
    ['cannot be read', { invoiceRequest: 'lnbcrt1nonsense' }],
    ['belongs to a charge with another amount', { amount: '999000' }],
  ])('is not shown if it %s', async (_, answer) => {
    await begin()
    const other = await invoice()
    world.provider.misbehave('createGamertagCharge', { answer })
    const refused = { code: 'provider-refused', facts: { message: ANOTHER } }
    await expect(invoice({}, 'once')).rejects.toMatchObject(refused)
    await expect(invoice({}, 'once')).rejects.toMatchObject(refused)
    expect(asked()).toHaveLength(2)
    const [failed] = await world.database.read.invoice.findMany({ where: { id: { not: other.id } } })
    expect(failed).toMatchObject({ state: 'failed', reason: ANOTHER })
    expect((await world.tipping.invoices.view(other.id)).state).toBe('open')
    await expect(world.tipping.invoices.view(failed?.id ?? '')).rejects.toMatchObject(refused)
    expect(await world.tipping.cards.pending(10)).toMatchObject([{ record: other.id }])
  })

  it('is not shown if the provider’s answer was lost, not even later', async () => {
    await begin()
    world.provider.misbehave('createGamertagCharge', 'act-then-error', 'error', 'error')
    await expect(invoice({}, 'once')).rejects.toMatchObject({ code: 'provider-unreachable' })
    await expect(invoice({}, 'once')).rejects.toMatchObject({ code: 'provider-unreachable' })
    await expect(world.tipping.invoices.view('none')).rejects.toMatchObject({ code: 'not-there' })
  })

  it('is not shown if it cannot be stored, and the error is logged', async () => {
    await begin()
    world.provider.misbehave('createGamertagCharge', { refuse: 400, message: 'No.' })
    await expect(invoice()).rejects.toMatchObject({ code: 'provider-refused', facts: { message: 'No.' } })
    expect(errors).toEqual([])
    const before = () => {
      world.failCommits = 1
    }
    world.provider.misbehave('createGamertagCharge', { before })
    await expect(invoice()).rejects.toMatchObject({ code: 'provider-unreachable' })
    const { id } = await world.database.read.invoice.findFirstOrThrow({ where: { state: 'failed', reason: null } })
    expect(errors).toMatchObject([{ msg: 'an invoice could not be made', invoice: id, err: expect.anything() }])
  })

  it('is not shown while another bot creates it', async () => {
    await begin()
    const one = world.tipping
    await world.start()
    const again = () =>
      expect(
        world.tipping.invoices.create({ member: 'bob', amount: '10', origin: world.origin('once') }),
      ).rejects.toMatchObject({
        code: 'provider-unreachable',
      })
    world.provider.misbehave('createGamertagCharge', { before: again })
    const open = await one.invoices.create({ member: 'bob', amount: '10', origin: world.origin('once') })
    expect(await world.tipping.invoices.view(open.id)).toMatchObject({ state: 'open' })
  })
})
