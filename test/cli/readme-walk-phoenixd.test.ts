import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../../proof/nodes/lnd-process.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { fetchNearby } from '../../src/lib/http/fetch-nearby.ts'
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/http/guarded-fetch.ts'
import { decodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { askToWithdraw, claimWithdrawal } from '../../src/lib/lightning/lnurl-client.ts'
import { sats, ZERO } from '../../src/lib/money/amount.ts'
import { FakePhoenixd } from '../payments-service/backends/phoenixd/fake-phoenixd.ts'
import { ReadmeWalk } from '../support/readme-walk.ts'

// “From nothing to the first deposit” in the README, with phoenixd, by the programs that it names: setup, the bot, a deposit, withdrawals, the
// audit. phoenixd is a fake on mainnet, which has no channel yet; Discord is the emulator. The public address is one that nobody
// on this machine reaches, as behind many a home router; wallets outside do, by a proxy.

const publicUrl = 'https://pay.example.invalid'

let walk: ReadmeWalk
const node = new FakePhoenixd(systemClock, 'bitcoin')
const { side } = node
/** Fetches through the proxy, as a wallet does. */
let fetch: GuardedFetch

beforeAll(async () => {
  await node.http.start()
  node.channel = undefined
  side.balance = ZERO
  walk = await ReadmeWalk.begin()
  writeFileSync(join(walk.folder, 'phoenixd-password'), `${node.password}\n`, { mode: 0o600 })
})
afterAll(async () => {
  await walk.end()
  await fetch.close()
  await node.http.stop()
})

it('npm run setup finds phoenixd’s password and shows an invoice to open a channel', async () => {
  const setup = walk.program('setup')
  await setup.answers(/The token: $/, walk.emulator.token)
  await setup.answers(/leave empty for no\): $/, '')
  await setup.answers(/empty for test sats\): $/, 'phoenixd')
  await setup.answers(/PHOENIXD_URL; empty for .*\): $/, node.http.url)
  await setup.answers(/PHOENIXD_PASSWORD_FILE; empty for .*\): $/, '')
  await setup.answers(/SERVICE_PUBLIC_URL; leave empty for none\): $/, publicUrl)
  await setup.answers(/or false for none\): $/, '')
  await setup.answers(/HOME_GUILD_ID; empty for none\): $/, '')
  await setup.answers(/for example 50000; leave empty to do without\): $/, '50000')
  const [, invoice = ''] = await setup.says(/\n {3}(lnbc\w+)\n/)
  node.channel = 'Normal'
  side.payFromOutside(invoice, undefined, { received: sats(28_400) })
  await setup.says(/50,000 sats have arrived[\s\S]*The node kept 21,600 sats of them[\s\S]*28,400 sats/)
  expect(await setup.ended).toBe(0)
  expect(setup.said).toContain('phoenixd opens its channel with the first payment')
  expect(setup.said).toContain('Invite the bot to your server')
  expect(setup.said).not.toContain('{"level"')
  expect(readFileSync(join(walk.folder, '.env'), 'utf8')).toContain('LIGHTNING_BACKEND=phoenixd')
})

it('after npm start, /deposit 1000 shows an invoice and later reports its payment', async () => {
  walk.bot = walk.program('start')
  const [, localUrl = ''] = await walk.bot.says(/The bot is connected to Discord\. .* listens on (http:\S+?)\. /)
  fetch = fetchNearby(createGuardedFetch({ allowLoopback: true, clock: systemClock }), { publicUrl, localUrl })
  await walk.run('deposit', { amount: '1000' })
  side.payFromOutside(await walk.code('lnbc'))
  await walk.sees(/Your deposit of [*]*1,000 sats[*]* has arrived/)
})

it('/withdraw 500 names the price, then shows a code that an outside wallet claims', async () => {
  await walk.run('withdraw', { amount: '500' })
  await walk.press(await walk.sees(/Sending this costs 6 sats, the fixed price/), 'withdraw-confirm')
  await walk.press(await walk.sees(/works once/), 'withdraw-code')
  const url = decodeLnurl(await walk.code('lnurl1'), { allowLoopbackHttp: false })
  expect(url.origin).toBe(publicUrl)
  const asked = await askToWithdraw(fetch, url)
  const { invoice, paymentHash } = side.outsideInvoice({ amount: sats(500) })
  await claimWithdrawal(fetch, asked, invoice)
  await walk.sees(/Withdrawal of 500[\s\S]*Paid/)
  await until('the sats are outside', async () => side.receivedOutside(paymentHash) === sats(500))
})

it('npm run audit finds that both books match phoenixd after it opened a channel', async () => {
  const said = await walk.audit()
  expect(said).toMatch(/the phoenixd node[\s\S]*by the book the node holds +28,894 sats\n +the node says +28,894 sats/)
  expect(said).not.toMatch(/lacks|withdrawals will be refused/)
  expect(await walk.bot?.stop()).toBe(0)
  await walk.audit()
})
