import { beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../../../src/lib/logger.ts'
import { allPolledSinceRestore, forgetWalletClaims, markRestored } from '../../../src/tipping/audit/restored.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { TippingWorld } from '../world.ts'

const DAY_MS = 24 * 3_600_000

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
})
/** Starts the bot on its book as if the book came from a backup, with or without a pause by operators. */
async function restored(paused = false): Promise<void> {
  await world.tipping.close()
  const now = new Date(world.clock.now())
  await markRestored(world.database, { madeAt: now.toISOString(), now, paused })
  await world.clock.advance(1_000)
  await world.start()
  await world.settle()
}

async function paused(): Promise<string | undefined> {
  await world.run(world.tipping.audit())
  await world.settle()
  return (await world.tipping.administration.status()).paused?.source
}

const openDeposit = (amount: string) => world.tipping.deposits.open({ member: 'alice', amount, origin: world.origin() })

it('a restored bot resumes no session, since Discord would repeat commands', async () => {
  const session = { id: 'a', resumeUrl: 'wss://gateway.example', sequence: 7, intents: 1 }
  await world.tipping.shards.take(1)
  await world.tipping.shards.save(new Map([[0, session]]))
  await world.restart()
  expect((await world.tipping.shards.take(1)).own.get(0)).toEqual(session)
  await restored()
  expect([...(await world.tipping.shards.take(1)).own]).toEqual([[0, undefined]])
})

describe('the pause after a restore', () => {
  it('ends by itself if the wallet matches the book and all open operations were read', async () => {
    await openDeposit('500')
    await restored()
    expect(await paused()).toBeUndefined()
  })

  it.each<[string, Fault]>([
    ['fails', 'error'],
    ['is refused for the moment', { refuse: 429, message: 'Too many requests.' }],
    ['is refused to this key', { refuse: 403, message: 'This key may not.' }],
    ['cannot be understood', 'html'],
  ])('lasts while the reading of an open operation %s, and ends once it succeeds', async (_, fault) => {
    const charges = world.provider.charges.size
    await openDeposit('500')
    expect(world.provider.charges.size).toBe(charges + 1)
    // Any number of attempts: the wallet can be asked all the while.
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(40).fill(fault))
    await restored()
    expect(await paused()).toBe('restore')
    expect(await paused()).toBe('restore')
    world.provider.stopMisbehaving('getStaticCharge')
    // The audit that still finds it unread has it read at once, however seldom it is looked at else.
    expect(await paused()).toBe('restore')
    expect(await paused()).toBeUndefined()
  })

  it('lasts at most a day if open operations cannot be read', async () => {
    await openDeposit('500')
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(4_000).fill('error'))
    await restored()
    expect(await paused()).toBe('restore')
    await world.pass(24 * 3_600_000 - 60_000)
    expect(await paused()).toBe('restore')
    await world.pass(60_000)
    expect(await paused()).toBeUndefined()
  })

  it('has unread operations logged and polled sooner for at most a day', async () => {
    for (const amount of ['500', '600']) await openDeposit(amount)
    const job = async (amount: bigint) => (await world.database.read.deposit.findFirstOrThrow({ where: { amount } })).id
    const [id, ended] = [await job(500_000n), await job(1_000_000n)]
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    await world.tipping.close()
    const { database, clock } = world
    const { pollJob } = database.write
    const log: object[] = []
    const logger = createLogger({
      ...{ level: 'warn', name: 'bot' },
      destination: { write: (line: string) => void log.push(JSON.parse(line)) },
    })
    let woken = 0
    const context = {
      ...{ database, clock, logger },
      commit: ({ write }: { write: (tx: typeof database.write) => unknown }) => write(database.write),
      poller: { wake: () => (woken += 1) },
    } as unknown as Parameters<typeof allPolledSinceRestore>[0]
    expect(await allPolledSinceRestore(context)).toBe(true)

    const mark = () =>
      markRestored(database, { madeAt: '2030-01-01T12:00:00.000Z', now: new Date(clock.now()), paused: false })
    await mark()
    await clock.advance(DAY_MS)
    // The day begins with the last one.
    await mark()
    const later = new Date(clock.now() + DAY_MS)
    await pollJob.updateMany({ data: { nextAt: later, polls: 1 } })
    await pollJob.update({ where: { id }, data: { polls: 0 } })
    await pollJob.update({ where: { id: ended }, data: { polls: 0, nextAt: null } })
    const due = async () =>
      (await pollJob.findMany({ where: { nextAt: { lt: later } } })).map((each) => [each.id, each.nextAt])

    await clock.advance(DAY_MS - 1)
    expect(await allPolledSinceRestore(context)).toBe(false)
    expect(await due()).toEqual([[id, new Date(clock.now())]])
    expect(woken).toBe(1)
    const msg = 'the pause after the restore goes on: not all that was open could be read'
    expect(log).toMatchObject([{ msg, unread: [{ kind: 'deposit', id }] }])
    await clock.advance(1)
    expect(await allPolledSinceRestore(context)).toBe(true)
    expect(log).toHaveLength(1)
    await world.start()
    expect(await paused()).toBe('operator')
    expect(await world.database.read.outgoingPause.count({ where: { until: null } })).toBe(1)
  })

  it('ends even if the provider does not know a charge', async () => {
    const { request } = await openDeposit('500')
    world.provider.charges.delete(world.provider.chargeOf(request).id)
    await restored()
    expect(await paused()).toBeUndefined()
  })

  it('ends even if operations that began later are unread', async () => {
    world.provider.misbehave('getWallet', ...Array<Fault>(3).fill('error'))
    await restored()
    expect((await world.tipping.administration.status()).paused?.source).toBe('restore')
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(40).fill('error'))
    await openDeposit('500')
    expect(await paused()).toBeUndefined()
    world.provider.stopMisbehaving('getStaticCharge')
  })

  it('gives way to a pause for missing sats if the wallet holds too little', async () => {
    world.provider.wallet -= 1n
    await restored()
    expect(await paused()).toBe('cover')
    world.provider.wallet += 1n
    expect(await paused()).toBeUndefined()
  })

  it('lasts until an unexplained surplus has gone to suspense', async () => {
    world.provider.wallet += 1n
    await restored()
    expect(await paused()).toBe('restore')
    world.excused = /0\.001 sats more/
    await world.pass(300_000)
    await paused()
    expect(await paused()).toBeUndefined()
    world.excused = undefined
  })
})

describe('an operators’ pause after a restore', () => {
  const pauses = async () => {
    const rows = await world.database.read.outgoingPause.findMany({ where: { until: null }, orderBy: { id: 'asc' } })
    return rows.map(({ source, reason }) => [source, reason])
  }
  const since = (words: string) =>
    expect.stringMatching(new RegExp(`^the books were restored from a backup of .* UTC${words}$`))
  const unproven = ['restore', since(' and are not proven yet')]
  const looking = ['operator', since(', and what was paid since is being looked for')]

  it('is reported with the backup’s time, and lasts even if the wallet matches', async () => {
    await restored(true)
    expect(await paused()).toBe('operator')
    expect(await pauses()).toEqual([looking])
    expect(await world.tipping.administration.audit()).toMatchObject({ paused: [{ source: 'operator' }] })
    expect(await world.tipping.administration.untoldAlerts(9)).toMatchObject([
      {
        kind: 'restored',
        text: expect.stringMatching(/restored from a backup of .* UTC\. .*\/admin resume.*\/admin audit\.$/),
      },
    ])
    expect(await world.tipping.administration.resume({ operator: 'olga' })).toBeUndefined()
  })

  it('is listed only once after two restores, beside the pause that waits for a proof', async () => {
    await world.tipping.close()
    const madeAt = new Date(world.clock.now()).toISOString()
    const mark = () => markRestored(world.database, { madeAt, now: new Date(world.clock.now()), paused: true })
    await mark()
    expect(await pauses()).toEqual([unproven, looking])
    await world.clock.advance(1_000)
    await mark()
    expect(await pauses()).toEqual([looking, unproven])
    const ended = await world.database.read.outgoingPause.findMany({ where: { until: { not: null } } })
    expect(ended).toMatchObject([{ source: 'restore', until: new Date(world.clock.now()) }])
    await world.start()
    expect(await paused()).toBe('operator')
  })

  it('keeps the reason of a pause that was already in force', async () => {
    const { pause, resume } = world.tipping.administration
    await pause({ operator: 'olga', reason: 'over' })
    await resume({ operator: 'olga' })
    await restored(true)
    expect(await pauses()).toEqual([looking])
    await world.tipping.administration.pause({ operator: 'olga', reason: 'a look' })
    await restored(true)
    expect(await pauses()).toEqual([['operator', 'a look']])
  })

  it('exists only on request, and a pause for missing sats stays in force', async () => {
    world.provider.wallet -= 1n
    await paused()
    await world.tipping.close()
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    expect((await pauses()).map(([source]) => source)).toEqual(['cover', 'restore'])
    await world.start()
    world.provider.wallet += 1n
    expect(await paused()).toBeUndefined()
  })
})

describe('a restored book', () => {
  it('has all open operations, but no ended ones, polled immediately', async () => {
    const over = await world.database.read.deposit.findFirstOrThrow()
    const { request } = await openDeposit('500')
    const { id } = await world.database.read.deposit.findFirstOrThrow({ where: { state: 'open' } })
    await world.pass(3_600_000)
    expect(world.provider.chargeOf(request).slots).toBe(0)
    await world.database.write.pollJob.update({ where: { id: over.id }, data: { nextAt: null } })
    const jobs = () => world.database.read.pollJob.findMany({ orderBy: { bornAt: 'asc' } })
    const ended = (await jobs()).filter((job) => job.nextAt === null)
    expect(ended).toMatchObject([{ id: over.id }])
    const before = await world.database.read.pollJob.findUniqueOrThrow({ where: { id } })
    expect(before.polls).toBeGreaterThan(0)
    await world.tipping.close()
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    expect(await world.database.read.pollJob.findUniqueOrThrow({ where: { id } })).toMatchObject({
      nextAt: now,
      polls: 0,
    })
    expect((await jobs()).filter((job) => job.nextAt === null)).toEqual(ended)
    await world.start()
    await world.settle()
    expect(await paused()).toBeUndefined()
  })

  it('contains no replay keys or operators’ sign-ins, which may be invalid by now', async () => {
    const { signIns } = world.tipping.administration
    const signedIn = await signIns.signIn(await signIns.invite({ id: '1', name: 'Olga' }))
    await world.database.write.replayKey.create({ data: { provider: 'https://here.test#key', key: 'a key' } })
    await restored()
    expect(await world.database.read.replayKey.count()).toBe(0)
    expect(await world.tipping.administration.signIns.find(signedIn?.session)).toBeUndefined()
  })

  it('contains no wallet code of a voucher, since the service may no longer know it', async () => {
    world.provider.wallet += 100_000n
    world.provider.vouchers.toWallets = 9_000n
    const made = await world.tipping.vouchers.create({ member: 'alice', amount: '10', origin: world.origin() })
    expect(made.anyWallet).toBeDefined()
    await forgetWalletClaims(world.database)
    expect(await world.tipping.vouchers.view(made.id)).toMatchObject({ state: 'live', anyWallet: undefined })
    expect(await world.database.read.voucher.findFirst()).toMatchObject({ walletRequest: null, walletAmount: null })
    world.provider.wallet -= 100_000n
  })
})
