import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../proof/nodes/lnd-process.ts'
import { COMPILED } from '../../proof/world/processes/compiled.ts'
import { createEmulator, type Emulator } from '../../src/discord-emulator/emulator.ts'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'

const PROGRAMS = join(import.meta.dirname, '../../src/cli')

/** A program of the README in its own folder, as it appears at a terminal. */
export class Program {
  said = ''
  readonly #child: ChildProcess
  readonly ended: Promise<number | null>

  constructor(name: string, folder: string, environment: Readonly<Record<string, string>>) {
    const ports = { SERVICE_PORT: '0', CALLBACK_PORT: '0' }
    const env = { PATH: process.env.PATH ?? '', HOME: folder, ...COMPILED, ...ports, ...environment }
    this.#child = spawn(process.execPath, [join(PROGRAMS, `${name}.ts`)], { cwd: folder, env })
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (data) => (this.said += data))
    this.ended = new Promise((resolve) => this.#child.once('close', resolve))
  }

  /** Resolves when the output matches. Throws with the program's whole output if the program ends first. */
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

/**
 * A walk through “From nothing to the first deposit” in the README, with the folder in which its commands are typed,
 * and Discord.
 */
export class ReadmeWalk {
  readonly folder = mkdtempSync(join(tmpdir(), 'readme-walk-'))
  readonly emulator: Emulator
  readonly seeds: ReturnType<typeof seedWorld>
  bot: Program | undefined

  private constructor(emulator: Emulator) {
    this.emulator = emulator
    this.seeds = seedWorld(emulator, systemClock.now())
  }

  static async begin(): Promise<ReadmeWalk> {
    const options = { clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 }
    return new ReadmeWalk(await createEmulator(options))
  }

  program(name: string): Program {
    return new Program(name, this.folder, { DISCORD_API_URL: this.emulator.restUrl })
  }

  /** Runs `npm run audit`, which must find nothing. Resolves to the audit's output. */
  async audit(): Promise<string> {
    const audit = this.program('audit')
    const code = await audit.ended
    if (code !== 0 || audit.said.includes('✗')) throw new Error(audit.said)
    return audit.said
  }

  async run(command: string, values: Record<string, string>): Promise<void> {
    await this.#alice.run(this.#channel, command, values).answered()
  }

  /** Resolves to the newest message with this text that alice sees. */
  async sees(words: RegExp): Promise<MessageView> {
    const all = () => this.#alice.conversation(this.#channel)
    try {
      return await until(`alice sees ${words}`, async () => all().findLast((one) => words.test(textOf(one))))
    } catch (error) {
      throw new Error(`Alice sees: ${all().map(textOf).join('\n---\n')}`, { cause: error })
    }
  }

  /** Resolves to the newest Lightning code that alice sees, such as `lnbcrt…`, as she would copy it from the card. */
  async code(kind: 'lnbc' | 'lnurl1'): Promise<string> {
    const words = new RegExp(`\\b${kind}\\w+`, 'i')
    return words.exec(textOf(await this.sees(words)))?.[0] ?? ''
  }

  async press(message: MessageView, verb: string): Promise<void> {
    const all = [...everyComponent(message.components)] as { custom_id?: string }[]
    const button = all.find((one) => one.custom_id?.startsWith(`${verb}:`))
    if (button?.custom_id === undefined) throw new Error(`there is no button ${verb}: ${textOf(message)}`)
    await this.#alice.press(this.#channel, message.id, button.custom_id).answered()
  }

  async end(): Promise<void> {
    await this.bot?.stop()
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
