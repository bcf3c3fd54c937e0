import { onTestFinished } from 'vitest'
import { type Bot, createBot } from '../../src/bot/bot.ts'
import { NO_LINKS } from '../../src/bot/pay-pages/links.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import type { InteractionHandle } from '../../src/discord-emulator/people/interaction-handle.ts'
import { everyComponent, textsIn } from '../../src/discord-emulator/rules/components.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { FakeTipping } from '../support/fake-tipping.ts'

/** Starts the bot on Discord's emulator, with fake tipping. Returns the people, what they see, and the log. */
export async function startLounge({
  clock = systemClock,
  everywhere = false,
  operatorsChannel,
  connectPage,
}: {
  clock?: Clock
  everywhere?: boolean
  /** The channel where operators get alerts; none if omitted. */
  operatorsChannel?: 'general' | 'mods'
  /** The page where members connect a wallet; none if omitted. */
  connectPage?: string
} = {}) {
  const emulator = await createEmulator({ clock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const { people, channels, roles, serverId } = seedWorld(emulator, clock.now())
  const tipping = new FakeTipping()
  const log: Record<string, unknown>[] = []
  const logger = createLogger({
    level: 'info',
    name: 'bot',
    destination: { write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>) },
  })

  async function startBot(): Promise<Bot> {
    const api = { rest: emulator.restUrl, cdn: emulator.cdnUrl }
    const guildId = everywhere ? undefined : serverId
    const operators = operatorsChannel && { operatorsChannelId: channels[operatorsChannel] }
    const more = { links: { ...NO_LINKS, connectWallet: () => connectPage }, callsPerSecond: 100_000, ...operators }
    const bot = createBot({ token: emulator.token, api, tipping, clock, logger, guildId, ...more })
    onTestFinished(() => bot.close())
    await bot.ready
    return bot
  }

  let bot = await startBot()
  return {
    emulator,
    /** Closes the bot, if it is still running, and starts another, as a restart of the process would. */
    async restart(meanwhile: () => Promise<void> | void = () => {}): Promise<void> {
      await bot.close()
      await meanwhile()
      bot = await startBot()
    },
    /** Resolves when an interaction is answered and nothing remains to be shown. */
    async done(handle: InteractionHandle): Promise<MessageView[]> {
      await handle.answered()
      await bot.settled()
      return handle.messages()
    },
    settled: () => bot.settled(),
    close: () => bot.close(),
    serverId,
    people,
    channels,
    roles,
    tipping,
    log,
    alice: emulator.as(people.alice),
    bob: emulator.as(people.bob),
    carol: emulator.as(people.carol),
    newcomer: emulator.as(people.newcomer),
  }
}

export type Lounge = Awaited<ReturnType<typeof startLounge>>

/**
 * Returns all readable text of a message: its content, and the texts of its embeds and buttons. A clickable command is
 * replaced by its name.
 */
export function textOf(message: MessageView | undefined): string {
  if (message === undefined) return ''
  const embeds = message.embeds.map((embed) => {
    const { title = '', description = '', fields = [], footer } = embed as Embed
    return [title, description, ...fields.map(({ name, value }) => `${name}: ${value}`), footer?.text ?? ''].join('\n')
  })
  const text = [
    message.content,
    ...textsIn(message.components),
    ...embeds,
    ...buttonsOf(message).map(({ label }) => `[${label}]`),
  ].join('\n')
  return text.replaceAll(/<(\/[^:>]+):\d+>/g, '$1')
}

interface Embed {
  readonly title?: string
  readonly description?: string
  readonly fields?: readonly { readonly name: string; readonly value: string }[]
  readonly footer?: { readonly text: string }
}

export interface ButtonSeen {
  readonly label: string
  readonly custom_id: string
}

export function buttonsOf(message: MessageView): ButtonSeen[] {
  return ([...everyComponent(message.components)] as unknown as ButtonSeen[]).filter(({ label }) => label !== undefined)
}
