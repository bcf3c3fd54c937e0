import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openForOperators } from '../../src/assembly/open-for-operators.ts'
import { inJson, inWords, readOperatorOrder } from '../../src/cli/operator-order.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { TippingRefusal } from '../../src/tipping/tipping.ts'
import { aliceHasSome } from '../tipping/funded-world.ts'
import type { TippingWorld } from '../tipping/world.ts'

const OLGA = '850686812299984896'
const OSCAR = '850686812299984897'

let world: TippingWorld

function environment() {
  const { baseUrl } = world.provider
  return { TIPPING_DATABASE_URL: `file:${world.file}`, PAYMENTS_BASE_URL: baseUrl, PAYMENTS_API_KEY: 'key' }
}

function read(...args: string[]) {
  const order = readOperatorOrder(args, (problem) => new Error(problem))
  if (order === undefined) throw new Error('it is no command for the bot’s book')
  return order
}

/** Types a command beside the running bot. Resolves to the command's output, or to the refusal's text. */
async function typed(...args: string[]): Promise<unknown> {
  const order = read(...args)
  const runtime = { clock: world.clock, entropy: systemEntropy, logger: silentLogger }
  const access = await openForOperators(parseConfig(environment()), 1, runtime)
  try {
    return JSON.parse(inJson(await world.run(order(access))))
  } catch (error) {
    if (!(error instanceof TippingRefusal)) throw error
    return inWords(error, access)
  } finally {
    await world.run(access.close())
  }
}

const alerts = async () => (await world.tipping.administration.untoldAlerts(9)).map(({ text }) => text)
const paused = async () => (await world.tipping.administration.status()).paused

describe('while the bot runs, an operator at the terminal', () => {
  beforeEach(async () => {
    world = await aliceHasSome({ replays: false, settings: { noticeEveryMs: 5_000 } })
  })
  afterEach(() => world.close())

  it('pauses payments, and the bot’s alert states the operator’s id and reason', async () => {
    expect(await typed('pause', '--reason', 'node upgrade', '--by', OLGA)).toEqual({
      paused: true,
      reason: 'node upgrade',
    })
    await world.pass(5_000)
    expect(await paused()).toEqual({ source: 'operator', reason: 'node upgrade' })
    const out = world.tipping.withdrawals.ask({
      member: 'alice',
      to: 'bob@example.org',
      amount: '10',
      origin: world.origin(),
    })
    await expect(out).rejects.toMatchObject({ code: 'outgoing-paused-by-operator' })
    expect(await alerts()).toEqual([expect.stringMatching(new RegExp(`${OLGA}.*node upgrade`))])
  })

  it('ends a pause that another operator began on Discord', async () => {
    await world.tipping.administration.pause({ operator: OLGA, reason: 'restored' })
    expect(await typed('resume', '--by', OSCAR)).toEqual({ paused: false })
    await world.pass(5_000)
    expect(await paused()).toBeUndefined()
    expect(await alerts()).toEqual([expect.any(String), expect.stringContaining(OSCAR)])
  })

  it('learns why payments stay paused and how the pause ends', async () => {
    world.provider.wallet -= 5_000n
    await world.run(world.tipping.administration.audit())
    expect(await typed('resume', '--by', OSCAR)).toEqual({
      paused: true,
      reason: expect.stringContaining('5 sats less'),
      next: 'It ends by itself when an audit finds everything right.',
    })
    world.provider.wallet += 5_000n
  })

  it('books a top-up once another operator confirms it on Discord', async () => {
    world.provider.wallet += 20_000n
    const words = ['book', 'top-up', '20', '--reason', 'seen in the history', '--by', OLGA]
    expect(await typed(...words)).toMatchObject({ state: 'proposed', amount: '20000' })
    expect(await typed(...words)).toBe("You've already proposed this booking. Another operator has to confirm it.")
    const command = { what: 'top-up', amount: '20', reason: 'so it is' } as const
    await expect(world.tipping.administration.book({ ...command, operator: OLGA })).rejects.toMatchObject({
      code: 'booking-needs-another',
    })
    expect(await world.tipping.administration.book({ ...command, operator: OSCAR })).toMatchObject({ state: 'done' })
    expect(await world.tipping.audit()).toMatchObject({ holds: true, operator: 120_000n })
  })

  it('lists proposals and cancels one of them', async () => {
    world.provider.wallet += 20_000n
    await typed('book', 'top-up', '20', '--reason', 'seen in the history', '--by', OLGA)
    const [said] = (await typed('proposals')) as { about: string; booking: { id: string; amount: string } }[]
    expect(said).toMatchObject({ about: 'booking', booking: { amount: '20000' } })
    const id = said?.booking.id ?? ''
    expect(await typed('cancel', id, '--by', OSCAR)).toEqual({ proposal: id, cancelled: true })
    expect(await typed('proposals')).toEqual([])
    world.provider.wallet -= 20_000n
  })

  it('cannot book more than the wallet’s surplus or the sats in suspense', async () => {
    expect(await typed('book', 'top-up', '20', '--reason', 'I paid', '--by', OLGA)).toContain(
      'First pay the sats into the wallet',
    )
    expect(await typed('book', 'suspense', '20', '--reason', 'hers', '--member', OSCAR)).toContain(
      'Nothing is in suspense',
    )
  })

  it('decides a payment’s unknown outcome together with another operator on Discord', async () => {
    await world.linked('bob')
    world.provider.misbehave('payToGamertag', 'act-then-error')
    await world.tip('alice', 'bob', '100')
    const [payment] = (await typed('unknown')) as { id: string; amount: string }[]
    expect(payment).toMatchObject({ amount: '100000' })
    const id = payment?.id ?? ''
    const said = ['decide', id, 'paid', '--reason', 'in the history', '--by', OLGA]
    expect(await typed(...said)).toMatchObject({ state: 'proposed', proposedBy: OLGA })
    const second = { payment: id, outcome: 'paid', reason: 'I see it', operator: OSCAR } as const
    expect(await world.tipping.administration.decide(second)).toMatchObject({ state: 'done' })
  })

  it('acts under the name of the system user by default, and gets one line of JSON', async () => {
    const script = join(import.meta.dirname, '../../src/cli/admin.ts')
    const env = { ...process.env, ...environment(), USER: 'root' }
    const { out, err } = await new Promise<{ out: string; err: string }>((done) => {
      execFile(process.execPath, [script, 'pause', '--reason', 'night'], { env }, (_error, out, err) =>
        done({ out, err }),
      )
    })
    expect({ out, err }).toEqual({ out: '{"paused":true,"reason":"night"}\n', err: '' })
    expect(await alerts()).toEqual([expect.stringMatching(/terminal:\S+.*night/)])
  })

  it('gets an error instead of a new book if TIPPING_DATABASE_URL names no book', async () => {
    const config = parseConfig({ ...environment(), TIPPING_DATABASE_URL: `file:${world.file}.typo` })
    const runtime = { clock: world.clock, entropy: systemEntropy, logger: silentLogger }
    await expect(openForOperators(config, 1, runtime)).rejects.toThrow(
      /The bot's book is not at .*typo, and no book was created/,
    )
  })
})

it.each([
  [['pause'], '"pause" needs --reason "WHY"'],
  [['pause', '--reason', '  '], '"pause" needs --reason "WHY"'],
  [['pause', 'now', '--reason', 'x'], '"pause" takes no words'],
  [['resume', '--reason', 'x'], "Unknown option '--reason'"],
  [['decide', 'id', '--reason', 'x'], '"decide" takes PAYMENTID paid|failed'],
  [['decide', 'id', 'gone', '--reason', 'x'], '"decide" takes paid or failed, not "gone"'],
  [['book', 'gift', '5', '--reason', 'x'], '"book" takes top-up or take-out or suspense, not "gift"'],
  [['book', 'top-up', '5', '--reason', 'x', '--member', OLGA], '--member is for "book suspense"'],
  [['book', 'suspense', '5', '--reason', 'x', '--member', 'bob'], '--member takes a Discord id'],
  [['resume', '--by', ' '], '--by takes a name'],
])('the operator command %j is refused with an explanation', (args, problem) => {
  expect(() => read(...args)).toThrow(problem)
})

it.each([['project', 'list'], ['payment', 'list'], ['constructor'], [], ['pause', '--help']])(
  'no command for the bot’s book is read from these words: %s %s',
  (...args) => {
    const words = args.filter((word) => typeof word === 'string')
    expect(readOperatorOrder(words, (problem) => new Error(problem))).toBeUndefined()
  },
)
