import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { textsIn } from '../../src/discord-emulator/rules/components.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWorld, type WorldOptions } from '../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../src/playground/flows/stage.ts'
import { discordContract } from '../support/discord-openapi.ts'
import { must } from '../support/must.ts'
import { openWarm } from '../support/warm-databases.ts'

/**
 * Opens a test's own world: the real discord.js, the emulator, the service and the sandbox network, connected through
 * loopback. At the end, everything that the bot sent must conform to Discord's OpenAPI document (if DISCORD_OPENAPI is
 * set), both books must be proven, and the wallet must cover them.
 */
export async function openStage(options: Partial<WorldOptions> = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-e2e-'))
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const world = await createWorld({
    ...runtime,
    folder,
    discordRequestsPerSecond: 100_000,
    openDatabases: openWarm,
    ...options,
  })
  const stage = new Stage(world, silentTeller)
  onTestFinished(async () => {
    try {
      await mustBeProven(stage)
      mustKeepToDiscord(stage)
    } finally {
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
  return stage
}

/** Opens a test's own world, with this many sats in alice's balance. */
export async function openFundedStage(sats = 10_000, options: Partial<WorldOptions> = {}): Promise<Stage> {
  const stage = await openStage(options)
  await fund(stage, 'alice', sats)
  return stage
}

/** Deposits sats for somebody with an empty balance. */
export async function fund(stage: Stage, who: string, sats: number): Promise<void> {
  const [card] = await stage.command(who, 'deposit', { amount: String(sats) })
  await stage.pay(await stage.scan(must(card), 'deposit'))
  await stage.until(`${who} is funded`, async () => (await balance(stage, who)) === sats)
}

/** Returns somebody's balance in the bot's book, in sats. */
export function balance(stage: Stage, who = 'alice'): Promise<number> {
  return stage.holds('bot', 'member', who)
}

/** Checks that both books are proven, and that the provider's wallet covers the bot's. */
export async function mustBeProven(stage: Stage): Promise<void> {
  await stage.world.settled()
  for (const book of await stage.world.books()) expect(book.faults, `the ${book.side}'s book`).toEqual([])
  if (stage.world.bot.running) {
    const audit = await stage.world.bot.tipping.audit()
    expect(audit.faults).toEqual([])
  }
}

const contract = discordContract()

function mustKeepToDiscord(stage: Stage): void {
  const requests = stage.world.emulator.requests()
  const heard = new Set(requests.filter(({ status }) => status < 300).map(({ path }) => path))
  // A bot that died receives events again that its book does not know, and Discord already has its acknowledgement.
  const toldAgain = ({ path }: { readonly path: string }) => path.endsWith('/callback') && heard.has(path)
  expect(requests.filter((request) => request.status === 400 && !toldAgain(request))).toEqual([])
  expect(idsThatAreSeen(stage)).toEqual([])
  expect(requests.flatMap(({ body }) => namesToPressWhereNoneCan(body))).toEqual([])
  if (contract) expect(requests.flatMap((request) => contract.faults(request))).toEqual([])
}

/** Returns messages that mention somebody whom the reader's client does not know, so that it shows `<@123…>`. */
function idsThatAreSeen({ world: { emulator } }: Stage): string[] {
  const people = emulator.world.people().filter(({ bot }) => !bot)
  return people.flatMap(({ id: reader, username }) => {
    const person = emulator.as(reader)
    const channels = [...person.servers().flatMap((server) => server.channels), ...person.directMessages()]
    const seen = channels.flatMap(({ id }) => person.conversation(id)).filter(({ author }) => author.bot)
    return seen.flatMap(({ content, embeds, components, names }) => {
      const text = [content, ...textsIn(components), ...embeds.map((embed) => JSON.stringify(embed))].join(' ')
      const unknown = [...text.matchAll(/<@(\d+)>/g)].filter(
        ([, id = '']) => id !== reader && names.people[id] === undefined,
      )
      return unknown.length === 0 ? [] : [`${username}: ${text}`]
    })
  })
}

/** The names of fields that Discord shows as plain text, where a clickable command would appear as `</tip:1>`. */
const PLAIN = new Set(['title', 'label', 'placeholder', 'footer', 'filename'])

function namesToPressWhereNoneCan(body: unknown, isPlain = false): string[] {
  if (typeof body === 'string') return isPlain && body.includes('</') ? [body] : []
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => namesToPressWhereNoneCan(value, isPlain || PLAIN.has(name)))
}
