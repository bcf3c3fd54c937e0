import { expect, test } from 'vitest'
import { playFirstScene } from '../../src/playground/flows/first-scene.ts'
import { Stage, silentTeller } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openStage } from '../e2e/harness.ts'

test('a newcomer finds a conversation, a tip, and a drop with one share left', async () => {
  const { world } = await openStage()
  await playFirstScene(world)
  const stage = new Stage(world, silentTeller, 'general')
  const seen = stage.person('alice').conversation(stage.channel())
  expect(seen.filter(({ author }) => !author.bot).length).toBeGreaterThanOrEqual(8)
  stage.mustSay(seen, /210 .*[\s\S]*for the best guide of the week[\s\S]*claimed/)
  const drop = stage.mustSay(seen, /2 of 3 taken/)
  await stage.press('alice', drop, 'Take a share')
  expect(await stage.holds('bot', 'member', 'alice')).toBe(100)
  expect(textOf(await stage.sees('carol', /All shares are taken/))).toContain('Alice')
})

test('the first scene is not played where people have already talked', async () => {
  const { world } = await openStage()
  await playFirstScene(world)
  const here = world.cast.channels.general
  const count = () => world.emulator.as(world.cast.people.alice ?? '').conversation(here).length
  const before = count()
  await playFirstScene(world)
  expect(count()).toBe(before)
})
