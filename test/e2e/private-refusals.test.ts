import { expect, it } from 'vitest'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openStage } from './harness.ts'

it('a refusal stays private, and no public message appears or is deleted', async () => {
  const stage = await openStage()
  await stage.command('bob', 'balance')
  stage.world.emulator.clearRequests()
  const bob = stage.id('bob')
  const refused: [path: string, values: Record<string, string | number>, says: RegExp][] = [
    ['tip', { to: bob, amount: '500' }, /Your balance is too small to tip .* \*\*500 test sats\*\*/],
    ['tip', { to: stage.id('alice'), amount: '500' }, /You cannot tip yourself/],
    ['rain', { amount: '500' }, /Nobody else was active|You have/],
    ['drop', { amount: '500', shares: 5 }, /You have \*\*0 test sats/],
    ['giveaway start', { prize: '500', winners: 2, duration: 'soon' }, /I could not read “soon” as a length of time/],
    ['giveaway start', { prize: '500', winners: 2, duration: '2h' }, /You have \*\*0 test sats/],
    ['invoice', { amount: '0' }, /greater than zero|above zero/i],
  ]
  for (const [path, values, says] of refused) {
    const [answer, ...more] = await stage.command('alice', path, values as never)
    expect(more).toEqual([])
    expect(answer?.ephemeral).toBe(true)
    expect(answer === undefined ? '' : textOf(answer)).toMatch(says)
  }
  const requests = stage.world.emulator.requests()
  expect(requests.filter(({ method }) => method === 'DELETE')).toEqual([])
  expect(
    stage
      .person('bob')
      .conversation(stage.channel())
      .filter(({ ephemeral }) => !ephemeral),
  ).toEqual([])
})
