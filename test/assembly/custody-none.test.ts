import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BookCheck } from '../../src/assembly/books/check-books.ts'
import { type RunningAll, sidesOf, startAll } from '../../src/assembly/start-all.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { type MemberWallets, startMemberWallets } from '../../src/playground/member-wallets/member-wallets.ts'
import { hostAddress } from '../tipping/withdrawals/outside.ts'
import { TippingWorld } from '../tipping/world.ts'

/** Tests a bot that holds no sats, as `npm start` runs it with only a token. */

let folder: string
let emulator: Emulator
let people: ReturnType<typeof seedWorld>['people']
let tips: string
let all: RunningAll
let wallets: MemberWallets
const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'no-custody-'))
  emulator = await createEmulator(around)
  const seeds = seedWorld(emulator, Date.now())
  people = seeds.people
  tips = seeds.channels.tips
  wallets = await startMemberWallets(['alice', 'bob', 'team'], { folder, ...around })
  const config = parseConfig({
    ...{ DATA_FOLDER: folder, CUSTODY: 'none', CALLBACK_PORT: '0', OUTGOING_ALLOW_LOOPBACK: 'on' },
    ...{ DISCORD_TOKEN: emulator.token, DISCORD_API_URL: emulator.restUrl },
    HOME_GUILD_ID: seeds.serverId,
  })
  const check = new BookCheck(config, { sides: sidesOf(config), newBook: false, clock: systemClock })
  check.files()
  all = await startAll(config, around, check)
})

afterAll(async () => {
  await all.close()
  await wallets.close()
  await emulator.close()
  rmSync(folder, { recursive: true })
})

async function ask(who: string, command: string, options: Record<string, string> = {}): Promise<string> {
  const handle = emulator.as(who).run(tips, command, options)
  await handle.answered()
  await all.bot.bot.settled()
  await all.bot.tipping.settled()
  await all.bot.bot.settled()
  return handle.messages().map(textOf).join('\n')
}

async function connect(who: 'alice' | 'bob'): Promise<void> {
  const { ownWallets } = all.bot.tipping
  const { token } = await ownWallets.invite({ member: people[who], locale: 'en' })
  const text = wallets.list().find(({ name }) => name === who)?.connection ?? ''
  expect(await ownWallets.connect({ token, text })).toHaveProperty('connected')
}

const balances = () => wallets.list().map(({ balance }) => balance)

describe('a bot without custody', () => {
  it('runs without a service, and offers no command that requires a balance', async () => {
    expect(all.serviceUrl).toBeUndefined()
    const paths = emulator
      .as(people.mod)
      .commands(tips)
      .map(({ path }) => path)
    const names = paths.map((path) => path.split(' ')[0])
    expect(names).toContain('tip')
    expect(paths).toContain('drop')
    expect(paths).toContain('rain')
    // These commands then use the server's wallet.
    expect(paths.filter((path) => path.startsWith('pool')).toSorted()).toEqual(['pool balance', 'pool budget'])
    for (const gone of ['deposit', 'withdraw', 'balance', 'voucher', 'faucet', 'admin'])
      expect(names).not.toContain(gone)
    expect(await ask(people.alice, 'help')).toContain('I hold no sats here')
  })

  it('offers its operators the console, but no other /admin command', async () => {
    const paths = emulator
      .as(people.operator)
      .commands(tips)
      .map(({ path }) => path)
    expect(paths.filter((path) => path.startsWith('admin'))).toEqual(['admin page'])
    expect(await ask(people.operator, 'admin page')).toMatch(/link works once[\s\S]*\/operators\/sign-in#/)
  })

  it('asks giver and receiver to connect wallets, and then pays from wallet to wallet', async () => {
    const give = () => ask(people.alice, 'tip', { to: people.bob, amount: '500' })
    expect(await give()).toMatch(/tips go from wallet to wallet. Connect yours first/)
    await connect('alice')
    expect(await give()).toMatch(/Alice promised @Bob[\s\S]*Nothing is paid yet. Once @Bob connects a wallet/)
    await connect('bob')
    // The promise is paid automatically.
    await expect.poll(balances).toEqual([49_500_000, 50_500_000, 50_000_000])
    expect(await give()).toContain('paid from wallet to wallet')
    expect(balances()).toEqual([49_000_000, 51_000_000, 50_000_000])
    expect(await ask(people.alice, 'tip', { to: people.bob, amount: 'all' })).toContain('there is no balance')
  })

  it('shows both members a payment between their wallets, and the giver its proof', async () => {
    const [given, got] = [await ask(people.alice, 'history'), await ask(people.bob, 'history')]
    expect(given).toMatch(/−500 sats.* Tip to Bob.*\n.*from wallet to wallet/)
    expect(got).toMatch(/\+500 sats.* Tip from Alice/)
    expect(given + got).not.toMatch(/balance/i)
    expect(await ask(people.alice, 'receipt')).toMatch(/Tip to Bob[\s\S]*Preimage[\s\S]*[0-9a-f]{64}[\s\S]*lnbcrt/)
    expect(await ask(people.carol, 'history')).toContain('Nothing here yet. Start with')
    expect(await ask(people.carol, 'history')).not.toContain('deposit')
  })

  it('shows a giver without a wallet a code, and announces the tip once it is paid', async () => {
    const handle = emulator.as(people.carol).run(tips, 'tip', { to: people.bob, amount: '300', note: 'for the soup' })
    await handle.answered()
    await all.bot.bot.settled()
    const [asked, ...others] = handle.messages()
    expect([asked?.ephemeral, others]).toEqual([true, []])
    expect(textOf(asked as NonNullable<typeof asked>)).toMatch(/Pay this code from any wallet, and Bob gets/)
    const seen = () =>
      emulator
        .as(people.dave)
        .conversation(tips)
        .map(textOf)
        .filter((text) => text.includes('soup'))
    expect(seen()).toEqual([])
    const invoice = /lnbcrt\w+/.exec(textOf(asked as NonNullable<typeof asked>))?.[0] ?? ''
    await wallets.payFromOutside(invoice)
    await expect.poll(seen, { timeout: 30_000 }).toHaveLength(1)
    expect(seen()[0]).toMatch(/Carol tipped @Bob[\s\S]*paid from wallet to wallet/)
    await expect.poll(() => handle.messages().map(textOf).join()).toMatch(/Paid: Bob has the/)
    expect(balances()).toEqual([49_000_000, 51_300_000, 50_000_000])
  })

  it('mentions no balance, deposit or service in reply to /link, /unlink and /privacy', async () => {
    expect(await ask(people.carol, 'link', { wallet: 'carol' })).toContain('a whole Lightning Address')
    expect(await ask(people.carol, 'unlink')).toContain('You have not linked a Lightning Address here')
    const host = await hostAddress(around)
    try {
      const linked = await ask(people.carol, 'link', { wallet: host.address })
      expect(linked).toContain(`tips go to **${host.address}**`)
      const unlinked = await ask(people.carol, 'unlink')
      expect(unlinked).toContain('connect a wallet with')
      const said = [linked, unlinked, await ask(people.carol, 'privacy')].join('\n')
      expect(said).not.toMatch(/balance|deposit|Lightning service/)
    } finally {
      await host.close()
    }
  })

  it('refuses a drop with codes, and names the option to leave out', async () => {
    const codes = { amount: '100', shares: '2', codes: 'true' }
    expect(await ask(people.alice, 'drop', codes)).toContain('leave `codes` out')
  })

  it('pays rewards from the server’s wallet and names each missing step', async () => {
    const reward = (who: string) => ask(people.mod, 'reward', { to: who, amount: '300', reason: 'Soup' })
    expect(await reward(people.bob)).toContain('No wallet that can pay')
    expect(await ask(people.mod, 'pool balance')).toContain('`CALLBACK_PUBLIC_URL`')
    const { ownWallets } = all.bot.tipping
    const guild = seedWorld(emulator, Date.now()).serverId
    const { token } = await ownWallets.invite({ member: people.mod, guild, locale: 'en' })
    const text = wallets.list().find(({ name }) => name === 'team')?.connection ?? ''
    expect(await ownWallets.connect({ token, text })).toHaveProperty('connected')
    expect(await reward(people.bob)).toContain('None of your roles has a budget')
    await ask(people.owner, 'pool budget', { role: guild, amount: '1000', period: 'day' })
    expect(await reward(people.bob)).toMatch(/rewards[\s\S]*paid from wallet to wallet/)
    expect(await reward(people.carol)).toMatch(/There is no connected wallet for/)
    expect(wallets.list().find(({ name }) => name === 'team')?.balance).toBe(49_700_000)
    expect(await ask(people.mod, 'pool balance')).toMatch(/pays this server's rewards/)
  })

  it('refuses to start with a book in which somebody has sats', async () => {
    const world = await TippingWorld.open({ wallet: 0n })
    await world.fund('alice', 100)
    await expect(world.start({ custody: 'none' })).rejects.toThrow(
      'this book holds 100 sats (accounts with a balance: 1)',
    )
    await world.start()
    await world.close()
  })

  it('refuses to start with a configured provider or node', () => {
    const beside = { CUSTODY: 'none', LIGHTNING_BACKEND: 'sandbox', PAYMENTS_BASE_URL: 'https://pay.example.org' }
    expect(() => parseConfig(beside)).toThrow(/PAYMENTS_BASE_URL is set[\s\S]*LIGHTNING_BACKEND is set/)
  })
})
