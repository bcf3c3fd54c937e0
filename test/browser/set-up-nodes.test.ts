import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { buildLnd, isBuilt } from '../../proof/nodes/build-lnd.ts'
import { startLndNetwork } from '../../proof/nodes/lnd-network.ts'
import { lightningOf } from '../../proof/nodes/lnd-scene.ts'
import { createOutsidePhone } from '../../proof/nodes/outside-phone.ts'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { startMemberWallets } from '../../src/playground/member-wallets/member-wallets.ts'
import { closeBrowser, phonePage, picture, violations } from './browser.ts'
import { answer, choose, person, start, startEmpty } from './set-up-walk.ts'

afterAll(closeBrowser)

type Person = ReturnType<typeof person>

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'set-up-nodes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Answers the setup's questions up to the one about payments. */
async function begin(page: Page, { link, discord }: Awaited<ReturnType<typeof startEmpty>>): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await answer(page, 'The token', discord.token)
  await choose(page, 'May people install the bot', 'No, servers only')
}

async function operators(page: Page, serverId: string): Promise<void> {
  await answer(page, 'The operators', serverId)
  await answer(page, 'The channel for alerts', '')
  await choose(page, 'How many operators are there?', 'One: me')
}

interface Button {
  readonly custom_id?: string
  readonly label?: string
  readonly url?: string
}

function buttonsOf(message: MessageView): Button[] {
  return [...everyComponent(message.components)] as Button[]
}

const PUBLIC = 'https://tips.example.org'

/** Connects a member's wallet, through the button in Discord and the page behind it. */
async function connect({ port, who }: { port: number; who: Person }, connection: string): Promise<void> {
  const [card] = (await who.runs('wallet')).messages() as [MessageView]
  const button = buttonsOf(card).find(({ label }) => label === 'Connect my wallet')
  const pressed = who.here.press(who.channel, card.id, button?.custom_id ?? '')
  await pressed.answered()
  const links = pressed.messages().flatMap((message) => buttonsOf(message).flatMap(({ url }) => url ?? []))
  const page = await phonePage()
  // The request as a proxy passes it on.
  await page.goto((links[0] ?? '').replace(PUBLIC, `http://127.0.0.1:${port}`))
  await page.getByLabel('Connection').fill(connection)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Your wallet is connected.').waitFor()
}

test('set-up on a phone leads from an empty folder to a tip between members’ wallets', async () => {
  const around = { clock: systemClock, entropy: systemEntropy }
  const wallets = await startMemberWallets(['alice', 'bob'], { folder: temporaryFolder(), ...around })
  onTestFinished(() => wallets.close())
  const satchel = await startEmpty({ OUTGOING_ALLOW_LOOPBACK: 'on' })
  const page = await phonePage()
  await begin(page, satchel)
  await choose(page, 'Payments use the bundled service', 'Members’ own wallets: hold no sats')
  await answer(page, 'The address, like', PUBLIC)
  await answer(page, 'TRUST_PROXY', '')
  await operators(page, satchel.seeded.serverId)
  await page.getByText('Invite the bot to your server').waitFor()
  await picture(page, 'set-up-end-own-wallets')
  expect(await violations(page)).toEqual([])
  await start(page)
  const [alice, bob] = [person(satchel, 'alice'), person(satchel, 'bob')]
  const [first, second] = wallets.list()
  await connect({ ...satchel, who: alice }, first?.connection ?? '')
  await connect({ ...satchel, who: bob }, second?.connection ?? '')
  await alice.runs('tip', { to: satchel.seeded.people.bob, amount: '500' })
  await bob.sees(/paid from wallet to wallet/)
  expect(wallets.list().map(({ balance }) => balance)).toEqual([49_500_000, 50_500_000])
})

const built = await isBuilt()
if (!built) console.log('lnd is not built here (npm run prove -- nodes builds it): set-up on a real node is not tried.')

// Building lnd takes longer than all tests of the pages.
test.skipIf(!built)(
  'set-up on a phone leads from an empty folder to a first tip on the machine’s lnd',
  async () => {
    const network = await startLndNetwork(await buildLnd(console.log))
    onTestFinished(() => network.close())
    const phone = createOutsidePhone(network.outside)
    onTestFinished(() => phone.close())
    const folder = temporaryFolder()
    const { url, macaroon, certificate } = await lightningOf(network)
    writeFileSync(join(folder, 'satchel.macaroon'), Buffer.from(macaroon.reveal(), 'hex'), { mode: 0o600 })
    writeFileSync(join(folder, 'tls.cert'), certificate)
    // The files as a home server's package mounts them.
    const satchel = await startEmpty({
      LND_REST_URL: url,
      LND_MACAROON_FILE: join(folder, 'satchel.macaroon'),
      LND_TLS_CERT_FILE: join(folder, 'tls.cert'),
    })
    const page = await phonePage({ colorScheme: 'dark' })
    await begin(page, satchel)
    await choose(page, 'Payments use the bundled service', 'The lnd of this machine')
    await answer(page, 'The address, like', '')
    await operators(page, satchel.seeded.serverId)
    await answer(page, 'How many sats', '10000')
    await page.getByAltText('The code as a QR picture').waitFor()
    await picture(page, 'set-up-first-deposit', { fullPage: true })
    expect(await violations(page)).toEqual([])
    await phone.pay((await page.locator('code', { hasText: /^lnbcrt/ }).textContent()) ?? '')
    await page.getByText('✓ 10,000 test sats have arrived.').waitFor({ timeout: 60_000 })
    await start(page)

    const [alice, bob] = [person(satchel, 'alice'), person(satchel, 'bob')]
    await alice.runs('deposit', { amount: '1000' })
    await phone.pay(/lnbcrt\w+/.exec(textOf(await alice.sees(/lnbcrt\w+/)))?.[0] ?? '')
    await alice.sees(/1,000 test sats[*]* has arrived/)
    await alice.runs('tip', { to: satchel.seeded.people.bob, amount: '21' })
    await bob.sees(/\*\*21 test sats\*\*/)
  },
  300_000,
)
