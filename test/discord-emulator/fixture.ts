import { REST } from '@discordjs/rest'
import { Client, type ClientOptions, GatewayIntentBits, Partials } from 'discord.js'
import { onTestFinished } from 'vitest'
import { makeRequest } from '../../src/bot/transport/make-request.ts'
import { createEmulator, type EmulatorOptions } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'

/** Starts a seeded emulator that closes with the test. */
export async function startWorld(options: Partial<EmulatorOptions> = {}) {
  const clock = options.clock ?? systemClock
  const emulator = await createEmulator({ clock, entropy: systemEntropy, requestsPerSecond: 100_000, ...options })
  onTestFinished(() => emulator.close())
  const seeds = seedWorld(emulator, clock.now())
  return {
    emulator,
    ...seeds,
    alice: emulator.as(seeds.people.alice),
    bob: emulator.as(seeds.people.bob),
    mod: emulator.as(seeds.people.mod),
  }
}

export type StartedWorld = Awaited<ReturnType<typeof startWorld>>
type WithEmulator = Pick<StartedWorld, 'emulator'>

const everything = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.GuildMessageReactions,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.DirectMessageReactions,
  GatewayIntentBits.MessageContent,
]

/** Starts an unmodified discord.js client. Resolves when it is ready. */
export async function startBot(
  { emulator }: WithEmulator,
  options: Partial<ClientOptions> = {},
): Promise<Client<true>> {
  const client = new Client({
    intents: everything,
    partials: [Partials.Message, Partials.Channel, Partials.Reaction, Partials.User],
    rest: { api: emulator.restUrl, cdn: emulator.cdnUrl, retries: 0, makeRequest },
    ...options,
  })
  onTestFinished(() => client.destroy())
  const ready = new Promise<Client<true>>((resolve) => client.once('clientReady', resolve))
  await client.login(emulator.token)
  return await ready
}

/** Returns a REST client without a gateway connection. */
export function restOf({ emulator }: WithEmulator): REST {
  return new REST({ api: emulator.restUrl, cdn: emulator.cdnUrl, retries: 0, makeRequest }).setToken(emulator.token)
}

/** Registers global commands, which exist everywhere. */
export async function register(world: WithEmulator, commands: readonly unknown[]): Promise<void> {
  await restOf(world).put(`/applications/${world.emulator.applicationId}/commands`, { body: commands })
}

export interface Refused {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly rawError: { readonly code: number; readonly message: string; readonly errors?: Record<string, unknown> }
}

/** Resolves to the error of a promise, which must reject. */
export async function refusal(promise: Promise<unknown>): Promise<Refused> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error as Refused,
  )
  if (outcome === undefined) throw new Error('it was accepted')
  return outcome
}

/** Returns the code of the first fault at a path, such as `embeds.0.title`; undefined if there is none. */
export function faultAt(refused: Refused, path: string): string | undefined {
  let node: unknown = refused.rawError.errors
  for (const step of path.split('.')) node = (node as Record<string, unknown> | undefined)?.[step]
  return (node as { readonly _errors?: readonly { readonly code: string }[] } | undefined)?._errors?.[0]?.code
}
