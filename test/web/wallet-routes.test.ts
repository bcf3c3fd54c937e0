import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWalletPages, WALLET_PAGE_POLICY } from '../../src/bot/bot.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { redactText } from '../../src/lib/redaction.ts'
import { connectWalletPath, createWebServer, type WebServer } from '../../src/web/web-server.ts'
import { TippingWorld } from '../tipping/world.ts'

let world: TippingWorld
let web: WebServer

beforeEach(async () => {
  world = await TippingWorld.open({ ownWallets: true })
  web = await createWebServer({
    ...{ tipping: world.tipping, port: 0, clock: systemClock, logger: silentLogger },
    walletPages: { pages: createWalletPages(() => world.tipping), policy: WALLET_PAGE_POLICY, publicUrl: undefined },
  })
})

afterEach(async () => {
  await web.close()
  await world.close()
})

const PATH = '/wallet/connect'
const token = async (locale = 'en') => (await world.tipping.ownWallets.invite({ member: 'alice', locale })).token
const send = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
  const answer = await fetch(web.address + PATH, { method: 'POST', body: new URLSearchParams(form), headers })
  return { status: answer.status, text: await answer.text() }
}

it('shows a form to anybody, and who it is for only once it is sent', async () => {
  const answer = await fetch(web.address + PATH, { headers: { 'accept-language': 'de' } })
  const text = await answer.text()
  expect(answer.headers.get('content-security-policy')).toBe(WALLET_PAGE_POLICY)
  expect(answer.headers.get('referrer-policy')).toBe('same-origin')
  expect(text).toContain('Wallet verbinden')
  expect((await fetch(web.address + PATH, { method: 'HEAD' })).status).toBe(405)
})

it('connects the wallet that was pasted, and says in the member’s language what it may do', async () => {
  const wallet = world.wallets.add('phone')
  wallet.methods = ['get_info', 'make_invoice', 'lookup_invoice']
  const { status, text } = await send({ key: await token('fr'), connection: wallet.uri })
  expect(status).toBe(200)
  expect(text).toContain('Ton portefeuille est connecté.')
  expect(text).toContain('Il ne peut pas payer')
  expect(await world.tipping.ownWallets.mine('alice')).toMatchObject({ name: 'phone', pays: false })
})

it('says what is wrong with a text, keeps the link, and repeats nothing of the text', async () => {
  const key = await token()
  const { status, text } = await send({ key, connection: 'nostr+walletconnect://<script>secret=123' })
  expect(status).toBe(400)
  expect(text).toContain('This is no wallet connection')
  expect(text).not.toContain('secret=123')
  expect(text).toContain(key)
  const wallet = world.wallets.add('phone')
  expect((await send({ key, connection: wallet.uri })).status).toBe(200)
})

it('tells of a link that is over, and nothing else', async () => {
  const wallet = world.wallets.add('phone')
  const { status, text } = await send({ key: 'x'.repeat(43), connection: wallet.uri })
  expect(status).toBe(400)
  expect(text).toContain('This link was used already')
  expect(text).not.toContain('<textarea')
})

it('refuses a form that another site sent, and one that is too large', async () => {
  const wallet = world.wallets.add('phone')
  const form = { key: await token(), connection: wallet.uri }
  expect((await send(form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await send({ ...form, connection: 'x'.repeat(9_000) })).status).toBe(413)
  expect(await world.tipping.ownWallets.mine('alice')).toBeUndefined()
})

it('has neither link nor connection in a log', () => {
  const uri = `nostr+walletconnect://${'ab'.repeat(32)}?relay=wss%3A%2F%2Fr.example.com&secret=${'cd'.repeat(32)}`
  expect(redactText(`sent ${uri} and ${encodeURIComponent(uri)}`)).not.toContain('cdcd')
  expect(redactText(`open ${connectWalletPath('x'.repeat(43))}`)).not.toContain('xxxx')
})
