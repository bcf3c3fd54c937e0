import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Variables } from '../../src/assembly/set-up/ask-node.ts'
import { createSettings } from '../../src/assembly/settings/settings.ts'
import type { LiveChecks } from '../../src/assembly/settings/try-change.ts'
import { readEnvFile, Secret } from '../../src/config/config.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { TippingWorld } from '../tipping/world.ts'
import { serveConsole, type Visitor } from './console-world.ts'

export const PAGE = '/console/settings'
export const MINUTE_MS = 60_000
export const DAY_MS = 24 * 60 * MINUTE_MS
export const SERVER = '123456789012345678'
export const CHANNEL = '223456789012345678'

interface Around {
  readonly environment?: Variables
  /** The address of Discord's API. */
  readonly apiUrl?: string
  readonly operators?: 'one'
  readonly believesClock?: () => boolean
  readonly whyNoChannel?: LiveChecks['whyNoChannel']
}

/** A bot whose settings are in a file of its own, and which is in the two servers with these ids. */
export class SettingsWorld {
  readonly world: TippingWorld
  readonly discord: { readonly token: string; readonly restUrl: string }
  readonly folder = mkdtempSync(join(tmpdir(), 'console-settings-'))
  readonly file = join(this.folder, 'settings.env')
  readonly log: string[] = []

  private constructor(world: TippingWorld, discord: SettingsWorld['discord']) {
    this.world = world
    this.discord = discord
    const more = { HOME_GUILD_ID: SERVER, OPERATORS_CHANNEL_ID: CHANNEL, LOG_LEVEL: 'warn' }
    this.write({ DISCORD_TOKEN: discord.token, ...more })
  }

  /** Opens a world with these facts about the bot on Discord. */
  static async open(discord: SettingsWorld['discord']): Promise<SettingsWorld> {
    return new SettingsWorld(await TippingWorld.open(), discord)
  }

  async close(): Promise<void> {
    rmSync(this.folder, { recursive: true })
    await this.world.close()
  }

  write(variables: Record<string, string>): void {
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(this.file, lines.join(''))
  }

  stored() {
    return readEnvFile(this.file)
  }

  async told(): Promise<string[]> {
    return (await this.world.tipping.administration.untoldAlerts(20)).map(({ text }) => text)
  }

  /** Serves the console; returns a browser in which the password has been entered. */
  async serve({
    environment = {},
    apiUrl,
    operators,
    believesClock = () => true,
    whyNoChannel,
  }: Around = {}): Promise<Visitor> {
    const { file, log, discord, world } = this
    const settings = createSettings({
      runtime: { clock: world.clock, entropy: systemEntropy, logger: silentLogger },
      ...{ file, environment, apiUrl: apiUrl ?? discord.restUrl, botToken: new Secret(discord.token) },
      ...{ isAlone: operators === 'one', believesClock, isIn: (server) => [SERVER, CHANNEL].includes(server) },
      whyNoChannel: whyNoChannel ?? (async () => undefined),
      whyNotOurs: async () => undefined,
    })
    const visitor = await serveConsole(world, { settings, log, variables: operators ? { OPERATORS: operators } : {} })
    await visitor.signIn()
    return visitor
  }
}

/** Returns the fields that the page's forms send along. */
export async function open(visitor: Visitor): Promise<Record<string, string>> {
  const { text } = await visitor.look(PAGE)
  const version = /name="version" value="([^"]+)"/.exec(text)?.[1] ?? 'no such form'
  return { version, form: await visitor.token('settings-[a-z]+', PAGE) }
}

/** Sends these fields with one of the page's forms: the form to change settings, or the form to propose changes. */
export async function fill(visitor: Visitor, action: 'change' | 'propose', fields: Record<string, string>) {
  return await visitor.post(`/console/settings-${action}`, { ...(await open(visitor)), ...fields })
}

/** Starts a server that answers in this way; returns its address. */
export async function answering(how: RequestListener): Promise<string> {
  const server = createServer(how)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
