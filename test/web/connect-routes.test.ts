import { afterEach, beforeEach, expect, it } from 'vitest'
import { CONNECT_PAGE_POLICY } from '../../src/bot/bot.ts'
import { redactText } from '../../src/lib/redaction.ts'
import { connectWalletPath, type WebServer } from '../../src/web/web-server.ts'
import { TippingWorld } from '../tipping/world.ts'
import { serveConnectPages } from './connect-pages-server.ts'

let world: TippingWorld
let web: WebServer
let moderates: boolean

beforeEach(async () => {
  moderates = true
  world = await TippingWorld.open({ ownWallets: true })
  web = await serveConnectPages(world, () => moderates)
})

afterEach(() => web.close())

const PATH = '/wallet/connect'
const token = async (locale = 'en') => (await world.tipping.ownWallets.invite({ member: 'alice', locale })).token
const send = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
  const answer = await fetch(web.address + PATH, { method: 'POST', body: new URLSearchParams(form), headers })
  return { status: answer.status, text: await answer.text() }
}

it('the connect page shows everybody the form, but no account name without the link', async () => {
  const answer = await fetch(web.address + PATH, { headers: { 'accept-language': 'de' } })
  const text = await answer.text()
  expect(answer.headers.get('content-security-policy')).toBe(CONNECT_PAGE_POLICY)
  expect(answer.headers.get('referrer-policy')).toBe('same-origin')
  expect(text).toContain('Wallet verbinden')
  expect(text).toContain('Ist das nicht dein Konto?')
  expect(text).toContain('Satchel · Lightning Lounge')
  expect(text).not.toContain('Alice')
  expect((await fetch(web.address + PATH, { method: 'HEAD' })).status).toBe(405)
})

it('the connect page keeps the language of the link on all of its pages', async () => {
  const english = { 'accept-language': 'en' }
  const link = connectWalletPath(await token('de'), { language: 'de' })
  expect(await (await fetch(web.address + link, { headers: english })).text()).toContain('Ist das nicht dein Konto?')
  const sent = await send({ key: await token('de'), connection: 'no connection' }, english)
  expect(sent.text).toContain('Ist das nicht dein Konto?')
  const over = await send({ key: 'x'.repeat(43), language: 'de', connection: 'no connection' }, english)
  expect(over.text).toContain('Dieser Link')
  const odd = await fetch(`${web.address}${PATH}?language=%3Cscript%3E`, { headers: { 'accept-language': 'de' } })
  expect(await odd.text()).toContain('Ist das nicht dein Konto?')
})

const whose = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${web.address}${PATH}/whose`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  })
  return { status: answer.status, says: await answer.json() }
}

it('the connect page shows the account and the server before it asks for anything', async () => {
  const link = await token()
  expect(await whose({ key: link })).toEqual({ status: 200, says: { account: 'Alice <b> (@alice)' } })
  const ofServer = await world.tipping.ownWallets.invite({ member: 'bob', guild: 'guild', locale: 'en' })
  expect((await whose({ key: ofServer.token })).says).toEqual({ account: 'أليس (@bob.2)', server: 'Lightning & Co' })
  // Whom Discord does not name, the number names.
  const unnamed = await world.tipping.ownWallets.invite({ member: '850686812299984896', guild: '77', locale: 'en' })
  expect((await whose({ key: unnamed.token })).says).toEqual({ account: '850686812299984896', server: '77' })
  const over = await whose({ key: 'x'.repeat(43) }, { 'accept-language': 'de' })
  expect(over).toMatchObject({ status: 400, says: { problem: expect.stringContaining('Dieser Link') } })
  expect((await whose({ key: '' })).says).toMatchObject({ problem: expect.stringContaining('in another browser') })
  expect((await whose({ key: link }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  // Nothing was used up.
  const wallet = world.wallets.add('phone')
  expect((await send({ key: link, connection: wallet.uri })).status).toBe(200)
})

it('each page that follows the connect page shows the account', async () => {
  const key = await token()
  const wallet = world.wallets.add('phone')
  const pages = [
    (await send({ key, connection: 'nothing' })).text,
    (await begin({ ...HUB, key }, { origin: web.address })).text,
    (await send({ key, connection: wallet.uri })).text,
  ]
  for (const page of pages) expect(page).toContain('Alice &#60;b&#62; (@alice)')
  for (const page of pages) expect(page).toContain('Satchel · Lightning Lounge')
})

it('the connect page connects a pasted wallet, and lists its rights', async () => {
  const wallet = world.wallets.add('phone')
  wallet.methods = ['get_info', 'make_invoice', 'lookup_invoice']
  const { status, text } = await send({ key: await token('fr'), connection: wallet.uri })
  expect(status).toBe(200)
  expect(text).toContain('Ton portefeuille est connecté.')
  expect(text).toContain('Il ne peut pas payer')
  expect(await world.tipping.ownWallets.mine('alice')).toMatchObject({ name: 'phone', pays: false })
})

it('the connect page rejects a faulty text without quoting it, and keeps the link', async () => {
  const key = await token()
  const { status, text } = await send({ key, connection: 'nostr+walletconnect://<script>secret=123' })
  expect(status).toBe(400)
  expect(text).toContain('This is not a wallet connection')
  expect(text).not.toContain('secret=123')
  expect(text).toContain(key)
  const wallet = world.wallets.add('phone')
  expect((await send({ key, connection: wallet.uri })).status).toBe(200)
})

it('the connect page explains an expired link without naming its owner', async () => {
  const wallet = world.wallets.add('phone')
  const { status, text } = await send({ key: 'x'.repeat(43), connection: wallet.uri })
  expect(status).toBe(400)
  expect(text).toContain('This link has already been used')
  // Nothing tells any more whose link it was.
  expect(text).toMatch(/\/wallet for yourself[\s\S]*\/pool balance for your server/)
  expect(text).not.toContain('<textarea')
})

it('the connect page connects a server’s wallet for a moderator of that server', async () => {
  expect(await (await fetch(`${web.address}${PATH}?for=server`)).text()).toContain('no reward can spend more')
  const wallet = world.wallets.add('team')
  const invited = await world.tipping.ownWallets.invite({ member: 'alice', guild: 'guild', locale: 'en' })
  const form = { key: invited.token, connection: wallet.uri }
  moderates = false
  expect(await send(form)).toMatchObject({
    status: 400,
    text: expect.stringContaining('You no longer moderate that server'),
  })
  expect(await world.tipping.ownWallets.ofServer('guild')).toBeUndefined()
  moderates = true
  expect(await send(form)).toMatchObject({ status: 200, text: expect.stringContaining('pays your server') })
  expect(await world.tipping.ownWallets.ofServer('guild')).toMatchObject({ name: 'team' })
  expect(await world.tipping.ownWallets.mine('alice')).toBeUndefined()
})

it('the connect page refuses a form from another site, and one that is too large', async () => {
  const wallet = world.wallets.add('phone')
  const form = { key: await token(), connection: wallet.uri }
  expect((await send(form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await send({ ...form, connection: 'x'.repeat(9_000) })).status).toBe(413)
  expect(await world.tipping.ownWallets.mine('alice')).toBeUndefined()
})

it('a log contains neither the link to the connect page nor the connection', () => {
  const uri = `nostr+walletconnect://${'ab'.repeat(32)}?relay=wss%3A%2F%2Fr.example.com&secret=${'cd'.repeat(32)}`
  expect(redactText(`sent ${uri} and ${encodeURIComponent(uri)}`)).not.toContain('cdcd')
  expect(redactText(`open ${connectWalletPath('x'.repeat(43))}`)).not.toContain('xxxx')
  expect(redactText(`open ${connectWalletPath('x'.repeat(43), { whose: 'server', language: 'de' })}`)).not.toContain(
    'xxxx',
  )
})

const begin = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
  const url = `${web.address}${PATH}/begin`
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  const text = await answer.text()
  const link = new URL(/class="button" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? 'x:')
  return { status: answer.status, text, cookie, link, attributes: answer.headers.get('set-cookie') ?? '' }
}
const HUB = { way: 'hub', hub: 'my.albyhub.com', budget: '500' }
const stateOf = (returnTo: string | null) => new URL(returnTo ?? '').searchParams.get('state') ?? ''

it('a connection through a hub can be finished only in the browser that began it', async () => {
  const wallet = world.wallets.add('hub')
  const { status, link, cookie, attributes } = await begin({ ...HUB, key: await token() }, { origin: web.address })
  expect(status).toBe(200)
  expect(attributes).toMatch(/HttpOnly.*SameSite=Strict/)
  expect(link.host).toBe('my.albyhub.com')
  expect(link.searchParams.get('max_amount')).toBe('500000')
  const returnTo = link.searchParams.get('return_to')
  expect(returnTo).toContain(`${web.address}${PATH}?state=`)
  wallet.agreed.add(link.searchParams.get('pubkey') ?? '')
  const back = { state: stateOf(returnTo), wallet: wallet.connection.walletPubkey, relay: 'wss://relay.example.com' }
  const elsewhere = await send(back)
  expect(elsewhere.status).toBe(400)
  expect(elsewhere.text).toContain('in another browser')
  expect((await send({ ...back, state: 'x'.repeat(43) }, { cookie })).text).toContain('in another browser')
  expect(await world.tipping.ownWallets.mine('alice')).toBeUndefined()
  wallet.isAway = true
  const away = await send(back, { cookie })
  expect(away.text).toContain('Your wallet does not answer')
  expect(away.text).toContain(back.wallet)
  wallet.isAway = false
  const { status: done, text } = await send(back, { cookie })
  expect(done).toBe(200)
  expect(text).toContain('Your wallet is connected')
  expect(await world.tipping.ownWallets.mine('alice')).toMatchObject({ name: 'hub', pays: true })
})

it('a server’s hub connection is refused to a non-moderator, whatever link they use', async () => {
  const wallet = world.wallets.add('team')
  const { token: ofServer } = await world.tipping.ownWallets.invite({ member: 'bob', guild: 'guild', locale: 'en' })
  const { link, cookie } = await begin({ ...HUB, key: ofServer })
  wallet.agreed.add(link.searchParams.get('pubkey') ?? '')
  const state = stateOf(link.searchParams.get('return_to'))
  const back = { state, wallet: wallet.connection.walletPubkey, relay: 'wss://relay.example.com' }
  moderates = false
  expect(await send({ ...back, key: await token() }, { cookie })).toMatchObject({
    status: 400,
    text: expect.stringContaining('You no longer moderate that server'),
  })
  expect(await world.tipping.ownWallets.ofServer('guild')).toBeUndefined()
})

it('a wallet app’s connection can be finished only in the browser that began it', async () => {
  const wallet = world.wallets.add('phone')
  const { text, cookie } = await begin({ way: 'app', key: await token() }, { origin: web.address })
  const asked = new URLSearchParams(/href="nostrnwc:\/\/connect\?([^"]+)"/.exec(text)?.[1]?.replaceAll('&#38;', '&'))
  expect(asked.get('appname')).toBe('Satchel')
  expect((await fetch(asked.get('appicon') ?? '')).headers.get('content-type')).toBe('image/svg+xml')
  const state = stateOf(asked.get('callback'))
  expect((await send({ state, connection: wallet.uri })).text).toContain('in another browser')
  expect((await send({ state: '', connection: wallet.uri }, { cookie })).text).toContain('in another browser')
  expect(await world.tipping.ownWallets.mine('alice')).toBeUndefined()
  expect((await send({ state, connection: wallet.uri }, { cookie })).text).toContain('Your wallet is connected')
})

it('an invalid hub address is explained, and old links and other origins are refused', async () => {
  const key = await token()
  const wrong = await begin({ ...HUB, key, hub: 'http://hub.example.org' })
  expect(wrong.status).toBe(400)
  expect(wrong.text).toContain('This is not the address of a hub')
  expect(wrong.text).toContain('value="http://hub.example.org"')
  expect((await begin({ ...HUB, key, budget: 'much' })).text).toContain('The budget must be a whole number')
  expect((await begin({ ...HUB, key: 'x'.repeat(43) })).text).toContain('This link has already been used')
  expect((await begin({ ...HUB, key }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const unnamed = await begin({ ...HUB, key }, { 'sec-fetch-site': 'same-origin', origin: 'null' })
  expect(unnamed.link.searchParams.get('return_to')).toContain(web.address)
  expect((await begin({ ...HUB, key })).status).toBe(200)
})

it('the connect page serves the code reader that its camera needs', async () => {
  const answer = await fetch(`${web.address}${PATH}/reader.js`)
  expect(answer.headers.get('content-type')).toContain('text/javascript')
  expect(await answer.text()).toContain('jsQR')
})
