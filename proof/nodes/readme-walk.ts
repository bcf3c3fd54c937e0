import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ReadmeWalk } from '../../test/support/readme-walk.ts'
import type { LndNetwork } from './lnd-network.ts'
import { until } from './lnd-process.ts'
import { lightningOf } from './lnd-scene.ts'
import { createOutsidePhone, type OutsidePhone } from './outside-phone.ts'

/**
 * Declares the tests of the README's “From nothing to the first deposit” on real lnd, with its own programs: setup, the
 * bot, a deposit, withdrawals, the audit.
 */
export function describeReadmeWalk(network: () => LndNetwork): void {
  let walk: ReadmeWalk
  let phone: OutsidePhone
  const outsideHas = async () => (await phone.wallet()).balance
  beforeAll(async () => {
    walk = await ReadmeWalk.begin()
    phone = createOutsidePhone(network().outside)
    const { macaroon, certificate } = await lightningOf(network())
    // The README puts the files here: beside Satchel.
    writeFileSync(join(walk.folder, 'satchel.macaroon'), Buffer.from(macaroon.reveal(), 'hex'), { mode: 0o600 })
    writeFileSync(join(walk.folder, 'tls.cert'), certificate)
  })
  afterAll(async () => {
    await walk.end()
    await phone.close()
  })

  it('npm run setup finds the files named in the README, and a payment fills the float', () =>
    setUp(walk, phone, network().ours.url))

  it('after npm start, /deposit 1000 credits a payment made over real channels', async () => {
    walk.bot = walk.program('start')
    await walk.bot.says(/The bot is connected to Discord/)
    await walk.run('deposit', { amount: '1000' })
    await phone.pay(await walk.code('lnbc'))
    await walk.sees(/Your deposit of [*]*1,000 test sats[*]* has arrived/)
  })

  it('/withdraw pays an outside wallet by code and by invoice', async () => {
    const before = await outsideHas()
    await walk.run('withdraw', { amount: '500' })
    await walk.press(await walk.sees(/Withdrawal of 500/), 'withdraw-confirm')
    await walk.press(await walk.sees(/works once/), 'withdraw-code')
    await phone.claim(await walk.code('lnurl1'))
    await walk.sees(/Withdrawal of 500[\s\S]*Paid/)
    const { invoice } = await phone.invoice(200_000n)
    await walk.run('withdraw', { to: invoice })
    await walk.press(await walk.sees(/Withdrawal of 200/), 'withdraw-confirm')
    await walk.sees(/Withdrawal of 200[\s\S]*Paid/)
    await until('the sats are outside', async () => (await outsideHas()) - before === 700_000n)
  })

  it('npm run audit proves both books while the bot runs and after it stops', async () => {
    expect(await walk.audit()).toContain('lnd')
    expect(await walk.bot?.stop()).toBe(0)
    expect(await walk.audit()).toContain('lnd')
  })
}

async function setUp(walk: ReadmeWalk, phone: OutsidePhone, nodeUrl: string): Promise<void> {
  const setup = walk.program('setup')
  await setup.answers(/The token: $/, walk.emulator.token)
  await setup.answers(/leave empty for no\): $/, '')
  await setup.answers(/empty for test sats\): $/, 'lnd')
  await setup.answers(/LND_REST_URL; empty for .*\): $/, nodeUrl)
  await setup.answers(/LND_MACAROON_FILE; empty for .*\): $/, '')
  await setup.answers(/LND_TLS_CERT_FILE; empty for .*\): $/, '')
  await setup.answers(/SERVICE_PUBLIC_URL; leave empty for none\): $/, '')
  await setup.answers(/HOME_GUILD_ID; empty for none\): $/, '')
  await setup.answers(/leave empty to do without\): $/, '10000')
  const [, invoice = ''] = await setup.says(/\n {3}(lnbcrt\w+)\n/)
  await phone.pay(invoice)
  await setup.says(/10,000 test sats have arrived/)
  expect(await setup.ended).toBe(0)
  expect(setup.said).toContain('Every right that Satchel needs is there')
  expect(readFileSync(join(walk.folder, '.env'), 'utf8')).toContain('LIGHTNING_BACKEND=lnd')
}
