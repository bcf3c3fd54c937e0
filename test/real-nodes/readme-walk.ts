import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LndNetwork } from '../../scripts/real-nodes/lnd-network.ts'
import { until } from '../../scripts/real-nodes/lnd-process.ts'
import { lightningOf } from '../../scripts/real-nodes/lnd-scene.ts'
import { createOutsidePhone, type OutsidePhone } from '../../scripts/real-nodes/outside-phone.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { textOf } from '../../src/playground/tour/text-of.ts'

const PROGRAMS = join(import.meta.dirname, '../../src/cli')

/** A program of the README in a folder of its own, as somebody at a terminal sees it. */
class Program {
  said = ''
  readonly #child: ChildProcess
  readonly ended: Promise<number | null>

  constructor(name: string, folder: string, environment: Readonly<Record<string, string>>) {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, SERVICE_PORT: '0', CALLBACK_PORT: '0', ...environment }
    this.#child = spawn(process.execPath, [join(PROGRAMS, `${name}.ts`)], { cwd: folder, env })
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (data) => (this.said += data))
    this.ended = new Promise((resolve) => this.#child.once('close', resolve))
  }

  /** Resolves when it has said this. Throws with all that it said when it ends before. */
  async says(words: RegExp): Promise<RegExpExecArray> {
    const found = until(`it says ${words}`, async () => words.exec(this.said) ?? undefined)
    const last = found.catch((error) => {
      throw new Error(`${error} It has said: ${this.said}`)
    })
    last.catch(() => undefined)
    const early = this.ended.then((code) => {
      const atTheEnd = words.exec(this.said)
      if (atTheEnd !== null) return atTheEnd
      throw new Error(`It ended with ${code} and had said: ${this.said}`)
    })
    return await Promise.race([last, early])
  }

  async answers(question: RegExp, text: string): Promise<void> {
    await this.says(question)
    this.#child.stdin?.write(`${text}\n`)
  }

  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM')
    return await this.ended
  }
}

/** Discord, the wallet outside, and the folder in which the README's commands are typed. */
class Walk {
  readonly folder = mkdtempSync(join(tmpdir(), 'readme-walk-'))
  readonly #network: LndNetwork
  readonly phone: OutsidePhone
  readonly emulator: Emulator
  readonly seeds: ReturnType<typeof seedWorld>
  bot: Program | undefined

  private constructor(network: LndNetwork, emulator: Emulator) {
    this.#network = network
    this.phone = createOutsidePhone(network.outside)
    this.emulator = emulator
    this.seeds = seedWorld(emulator, systemClock.now())
  }

  /** Where the README leaves the files: the macaroon and the certificate beside Satchel. */
  static async begin(network: LndNetwork): Promise<Walk> {
    const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
    const walk = new Walk(network, emulator)
    const { macaroon, certificate } = await lightningOf(network)
    writeFileSync(join(walk.folder, 'satchel.macaroon'), Buffer.from(macaroon.reveal(), 'hex'), { mode: 0o600 })
    writeFileSync(join(walk.folder, 'tls.cert'), certificate)
    return walk
  }

  get nodeUrl(): string {
    return this.#network.ours.url
  }

  program(name: string): Program {
    return new Program(name, this.folder, { DISCORD_API_URL: this.emulator.restUrl })
  }

  async run(command: string, values: Record<string, string>): Promise<void> {
    await this.#alice.run(this.#channel, command, values).answered()
  }

  /** The newest message of these words that alice sees. */
  async sees(words: RegExp): Promise<MessageView> {
    const all = () => this.#alice.conversation(this.#channel)
    try {
      return await until(`alice sees ${words}`, async () => all().findLast((one) => words.test(textOf(one))))
    } catch (error) {
      throw new Error(`Alice sees: ${all().map(textOf).join('\n---\n')}`, { cause: error })
    }
  }

  async press(message: MessageView, verb: string): Promise<void> {
    const rows = message.components as readonly { components?: readonly { custom_id?: string }[] }[]
    const button = rows.flatMap((row) => row.components ?? []).find((one) => one.custom_id?.startsWith(`${verb}:`))
    if (button?.custom_id === undefined) throw new Error(`there is no button ${verb}: ${textOf(message)}`)
    await this.#alice.press(this.#channel, message.id, button.custom_id).answered()
  }

  async outsideHas(): Promise<bigint> {
    return (await this.phone.wallet()).balance
  }

  async end(): Promise<void> {
    await this.bot?.stop()
    await this.phone.close()
    await this.emulator.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  get #alice() {
    return this.emulator.as(this.seeds.people.alice)
  }

  get #channel() {
    return this.seeds.channels.general
  }
}

/** “The first deposit” of the README on real lnd, with its own programs: setup, the bot, a deposit, withdrawals, the audit. */
export function describeReadmeWalk(network: () => LndNetwork): void {
  let walk: Walk
  beforeAll(async () => {
    walk = await Walk.begin(network())
  })
  afterAll(() => walk.end())

  it('npm run setup takes the files where the README puts them, and the float by its invoice', () => setUp(walk))

  it('npm start, then /deposit 1000: the code that it shows is paid over real channels', async () => {
    walk.bot = walk.program('start')
    await walk.bot.says(/The bot is connected to Discord/)
    await walk.run('deposit', { amount: '1000' })
    const code = await walk.sees(/^\s*lnbcrt\w+\s*$/)
    await walk.phone.pay(code.content)
    await walk.sees(/Your deposit of [*]*1,000 test sats[*]* has arrived/)
  })

  it('/withdraw 500 shows a code, which a wallet outside claims; to an invoice, its last press pays', async () => {
    const before = await walk.outsideHas()
    await walk.run('withdraw', { amount: '500' })
    await walk.press(await walk.sees(/Withdrawal of 500/), 'withdraw-confirm')
    await walk.press(await walk.sees(/works once/), 'withdraw-code')
    const code = await walk.sees(/^\s*LNURL1\w+\s*$/i)
    await walk.phone.claim(code.content)
    await walk.sees(/Withdrawal of 500[\s\S]*Paid/)
    const { invoice } = await walk.phone.invoice(200_000n)
    await walk.run('withdraw', { to: invoice })
    await walk.press(await walk.sees(/Withdrawal of 200/), 'withdraw-confirm')
    await walk.sees(/Withdrawal of 200[\s\S]*Paid/)
    await until('the sats are outside', async () => (await walk.outsideHas()) - before === 700_000n)
  })

  it('npm run audit proves both books against the node, while the bot runs and after it has stopped', async () => {
    const audit = async () => {
      const one = walk.program('audit')
      expect([await one.ended, one.said]).toEqual([0, expect.stringMatching(/lnd/)])
      expect(one.said).not.toContain('✗')
    }
    await audit()
    expect(await walk.bot?.stop()).toBe(0)
    await audit()
  })
}

async function setUp(walk: Walk): Promise<void> {
  const setup = walk.program('setup')
  await setup.answers(/The token: $/, walk.emulator.token)
  await setup.answers(/empty for everywhere\): $/, walk.seeds.serverId)
  await setup.answers(/empty for test sats\): $/, 'lnd')
  await setup.answers(/LND_REST_URL; empty for .*\): $/, walk.nodeUrl)
  await setup.answers(/LND_MACAROON_FILE; empty for .*\): $/, '')
  await setup.answers(/LND_TLS_CERT_FILE; empty for .*\): $/, '')
  await setup.answers(/SERVICE_PUBLIC_URL; leave empty for none\): $/, '')
  await setup.answers(/leave empty to do without\): $/, '10000')
  const [, invoice = ''] = await setup.says(/\n {3}(lnbcrt\w+)\n/)
  await walk.phone.pay(invoice)
  await setup.says(/10,000 test sats have arrived/)
  expect(await setup.ended).toBe(0)
  expect(setup.said).toContain('Every right that Satchel needs is there')
  expect(readFileSync(join(walk.folder, '.env'), 'utf8')).toContain('LIGHTNING_BACKEND=lnd')
}
