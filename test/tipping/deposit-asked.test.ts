import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { type AddressHost, hostAddress, invoiceFor, RIGHT } from './withdrawals/outside.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

/** Everything that the bot logs. */
let lines: { level: string; msg: string; reason?: string; task?: string; deposit?: string; err?: { message: string } }[]

beforeEach(async () => {
  lines = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  world = await TippingWorld.open({ logger: createLogger({ level: 'info', name: 'bot', destination }) })
})

const ask = (note: string | undefined, interaction?: string) =>
  world.tipping.deposits.open({
    ...{ member: 'alice', amount: '500', origin: world.origin(interaction) },
    ...(note !== undefined && { asking: { note } }),
  })

describe('a deposit request in a channel', () => {
  it('shows its purpose to everybody', async () => {
    const { id, card } = await ask('For the pizza')
    expect(await world.tipping.deposits.view(id)).toMatchObject({ member: 'alice', asking: { note: 'For the pizza' } })
    expect(await world.tipping.cards.get(card)).toMatchObject({ audience: { channel: 'channel' } })
    expect(await world.database.read.deposit.findUnique({ where: { id } })).toMatchObject({ askedIn: 'channel' })
  })

  it('is shown to everybody even if it states no purpose', async () => {
    const { asking, card } = await ask('')
    expect(asking).toEqual({ note: '' })
    expect(await world.tipping.cards.get(card)).toMatchObject({ audience: { channel: 'channel' } })
  })

  it('is refused if its purpose is too long', async () => {
    const longest = 'x'.repeat(200)
    expect(await ask(longest)).toMatchObject({ asking: { note: longest } })
    const refusal = { code: 'text-too-long', facts: { what: 'description', most: 200 } }
    await expect(ask(`${longest}x`)).rejects.toMatchObject(refusal)
    expect(world.provider.count('createStaticCharge')).toBe(1)
  })

  it('is refused if the same command was used with another purpose or audience', async () => {
    await ask('For the pizza', 'once')
    expect(await ask('For the pizza', 'once')).toMatchObject({ asking: { note: 'For the pizza' } })
    await expect(ask('For the cake', 'once')).rejects.toMatchObject({ code: 'already-done' })
    await expect(ask(undefined, 'once')).rejects.toMatchObject({ code: 'already-done' })
  })

  it('is public, while a plain deposit is shown only to its member', async () => {
    const { asking, card } = await ask(undefined)
    expect(asking).toBeUndefined()
    expect(await world.tipping.cards.get(card)).toMatchObject({ audience: { member: 'alice' } })
  })
})

describe('a deposit whose charge cannot be read', () => {
  it('is named in the log', async () => {
    const { id, request } = await ask(undefined)
    world.provider.misbehave('getStaticCharge', { refuse: 403, message: 'No.', code: 'missing_scope' })
    await world.tipping.hint(world.token(world.provider.chargeOf(request).callbackUrl))
    await world.settle()
    const named = lines.filter(({ msg }) => msg === 'a static charge could not be read')
    expect(named).toMatchObject([{ level: 'warn', deposit: id }])
  })
})

describe('a deposit whose invoice cannot be fetched', () => {
  let host: AddressHost

  beforeEach(async () => {
    host = await hostAddress(world)
    world.provider.codeOf = () => encodeLnurl(host.url)
  })

  afterEach(() => host.close())

  it('is logged with the reason, at the level “info”', async () => {
    host.invoice = () => ({ status: 'ERROR', reason: 'not now' })
    expect((await ask(undefined)).invoice).toBeUndefined()
    const msg = 'the code of a deposit gave no invoice, so it is shown alone'
    expect(lines.filter((line) => line.msg === msg)).toMatchObject([
      { level: 'info', reason: expect.stringContaining('not now') },
    ])
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('is logged as an error, with the name of the task, if the fault is in the bot', async () => {
    // The database fails as the invoice is written down.
    host.invoice = () => {
      world.failCommits = 1
      return { pr: invoiceFor(world, 500, RIGHT), routes: [] }
    }
    expect((await ask(undefined)).invoice).toBeUndefined()
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([{ task: 'get an invoice for a deposit' }])
    expect((await ask(undefined)).invoice).toBeUndefined()
  })

  it('is logged as an error if the bot’s own book cannot be read', async () => {
    host.invoice = () => ({ pr: invoiceFor(world, 500, RIGHT), routes: [] })
    const { invoice } = world.database.read
    const { findFirst } = invoice
    invoice.findFirst = (() => Promise.reject(new Error('the book cannot be read'))) as unknown as typeof findFirst
    const deposit = await ask(undefined)
    invoice.findFirst = findFirst
    expect(deposit).toMatchObject({ state: 'open', invoice: undefined })
    const errors = lines.filter(({ level }) => level === 'error')
    expect(errors).toMatchObject([{ err: { message: 'the book cannot be read' } }])
  })
})
