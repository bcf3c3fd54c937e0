import { expect, it, onTestFinished } from 'vitest'
import { createEmulator } from '../../src/discord-emulator/emulator.ts'
import { madeAt } from '../../src/discord-emulator/rules/snowflake.ts'
import { seedWorld } from '../../src/discord-emulator/seed-world.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { ManualClock } from '../support/manual-clock.ts'

it('the ids of a new world differ even if they are created in the same millisecond', async () => {
  const clock = new ManualClock()
  const emulator = await createEmulator({ clock, entropy: systemEntropy })
  onTestFinished(() => emulator.close())
  const { people, roles, channels, serverId } = seedWorld(emulator, clock.now())
  const ids = [
    ...[serverId, emulator.applicationId],
    ...[people, roles, channels].flatMap((each) => Object.values(each)),
  ]
  expect(new Set(ids).size).toBe(ids.length)
  expect(madeAt(people.newcomer)).toBe(clock.now())
  const more = Array.from({ length: 3_000 }, (_, index) => [
    emulator.world.createRole(serverId, { name: `role ${index}` }).id,
    ...(index < 500 ? [emulator.world.createPerson({ username: `person${index}`, createdAt: clock.now() }).id] : []),
  ]).flat()
  expect(new Set([...ids, ...more]).size).toBe(ids.length + more.length)
})
