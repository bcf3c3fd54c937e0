import { expect, onTestFinished, test } from 'vitest'
import { createBot } from '../../src/bot/bot.ts'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger, silentLogger } from '../../src/lib/logger.ts'
import { createWebServer, DISCORD_EVENTS_PATH } from '../../src/web/web-server.ts'
import { FakeTipping } from '../support/fake-tipping.ts'
import { textOf } from './lounge.ts'

/** Starts the bot with its web server, which Discord's webhook events reach. */
async function startWorld() {
  const emulator = await createEmulator({ clock: systemClock, entropy: systemEntropy, requestsPerSecond: 100_000 })
  onTestFinished(() => emulator.close())
  const { people } = seedWorld(emulator, systemClock.now())
  const tipping = new FakeTipping()
  const said: string[] = []
  const logger = createLogger({ level: 'info', name: 'bot', destination: { write: (line) => void said.push(line) } })
  const front: { bot?: ReturnType<typeof createBot> } = {}
  const server = await createWebServer({
    tipping,
    discordEvents: { publicKey: emulator.publicKey, told: (event) => front.bot?.told(event) },
    trustProxy: false,
    port: 0,
    host: '127.0.0.1',
    signingSecrets: [],
    clock: systemClock,
    logger: silentLogger,
  })
  onTestFinished(() => server.close())
  const eventsUrl = `${server.address}${DISCORD_EVENTS_PATH}`
  const api = { rest: emulator.restUrl, cdn: emulator.cdnUrl }
  const shared = { clock: systemClock, logger, callsPerSecond: 100_000 }
  const bot = createBot({ token: emulator.token, api, tipping, ...shared, eventsUrl })
  onTestFinished(() => bot.close())
  front.bot = bot
  await bot.ready
  const told = (who: string) => {
    const person = emulator.as(who)
    return person.directMessages().flatMap(({ id }) => person.conversation(id).map(textOf))
  }
  return { emulator, people, told, said, eventsUrl }
}

test('the person who installs the bot or adds it to a server gets a first message', async () => {
  const { emulator, people, told, said } = await startWorld()
  emulator.world.installFor(people.alice)
  await expect.poll(() => told(people.alice)).toHaveLength(1)
  expect(told(people.alice)[0]).toMatch(/Thank you for installing me/)
  emulator.world.createServer({ name: 'Bakers *and* friends', ownerId: people.bob })
  await expect.poll(() => told(people.bob)).toHaveLength(1)
  expect(told(people.bob)[0]).toContain('Thank you for adding me to **Bakers \\*and\\* friends**')
  expect(said.join('')).toMatch(/a person has installed the bot[\s\S]*a server has added the bot/)
})

test('a person’s removal of the bot is logged, and the person gets no message', async () => {
  const { emulator, people, told, said } = await startWorld()
  emulator.world.removeFor(people.carol)
  await expect.poll(() => said.join('')).toMatch(/somebody has removed the bot/)
  expect(told(people.carol)).toEqual([])
})

test('an event with a wrong signature is refused, and a repeated event is ignored', async () => {
  const { emulator, people, told, eventsUrl } = await startWorld()
  const user = { id: people.alice, username: 'alice' }
  const event = { type: 'APPLICATION_AUTHORIZED', timestamp: '2030-01-01', data: { integration_type: 1, user } }
  const { body, headers } = emulator.signInteraction({ version: 1, type: 1, event })
  const post = (more = {}) => fetch(eventsUrl, { method: 'POST', body, headers: { ...headers, ...more } })
  expect((await post({ 'x-signature-ed25519': '00'.repeat(64) })).status).toBe(401)
  expect([(await post()).status, (await post()).status]).toEqual([204, 204])
  await expect.poll(() => told(people.alice)).toHaveLength(1)
  // Other events are also answered, and do nothing.
  const other = emulator.signInteraction({ version: 1, type: 1, event: { type: 'ENTITLEMENT_CREATE', data: null } })
  expect((await fetch(eventsUrl, { method: 'POST', ...other })).status).toBe(204)
  expect(told(people.alice)).toHaveLength(1)
})
