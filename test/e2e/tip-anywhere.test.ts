import { expect, it } from 'vitest'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openFundedStage } from './harness.ts'

/** Opens a stage on which alice has 5,000 sats and has installed the bot for herself. */
async function begin(): Promise<Stage> {
  const stage = await openFundedStage(5_000)
  stage.world.emulator.world.installFor(stage.id('alice'))
  return stage
}

/** Returns a channel of a server that has not invited the bot; `owner` owns the server, and bob is a member. */
function strangers(stage: Stage, owner: string): string {
  const builder = stage.world.emulator.world
  const { id: server } = builder.createServer({ name: 'Elsewhere', ownerId: owner, application: 'none' })
  builder.addMember(server, stage.id('bob'))
  return builder.createChannel(server, { name: 'talk' }).id
}

async function run(stage: Stage, who: string, channel: string, path: string, values = {}): Promise<string> {
  const handle = stage.person(who).run(channel, path, values)
  await handle.answered()
  await stage.world.settled()
  return handle.messages().map(textOf).join('\n')
}

it('somebody who installed the bot can tip a friend in their direct conversation', async () => {
  const stage = await begin()
  const { id: channel } = stage.person('alice').openDm(stage.id('carol'))
  expect(await run(stage, 'alice', channel, 'tip', { to: stage.id('carol'), amount: '500' })).toMatch(/tipped/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(4_500)
  // Carol has installed nothing, and presses a visible button.
  const [card] = stage.person('carol').conversation(channel)
  await stage.press('carol', card as NonNullable<typeof card>, 'Claim my sats')
  expect(await stage.holds('bot', 'member', 'carol')).toBe(500)
})

it('in a server without the bot, only one person at a time can be tipped', async () => {
  const stage = await begin()
  const channel = strangers(stage, stage.id('alice'))
  expect(await run(stage, 'alice', channel, 'tip', { to: stage.id('bob'), amount: '300' })).toMatch(/tipped/)
  const also = `<@${stage.id('carol')}>`
  const refused = await run(stage, 'alice', channel, 'tip', { to: stage.id('bob'), amount: '300', also })
  expect(refused).toMatch(/only in servers that I am a member of/)
  // The server's owner manages no server of the bot's: the balance shows no pool and no wallet.
  expect(await run(stage, 'alice', channel, 'balance')).not.toMatch(/pool/i)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(4_700)
})

it('only people who installed the bot are offered its commands in a conversation', async () => {
  const stage = await begin()
  const { id: channel } = stage.person('alice').openDm(stage.id('bob'))
  const names = (who: string) =>
    new Set(
      stage
        .person(who)
        .commands(channel)
        .map(({ path }) => path),
    )
  expect(names('bob')).toEqual(new Set())
  expect([...names('alice')].toSorted()).toEqual(
    ['balance', 'claim', 'deposit', 'tip', 'wallet', 'withdraw', '⚡ Tip', '⚡ Tip this message'].toSorted(),
  )
})

it('a tip can be sent from a message’s menu in a conversation without the bot', async () => {
  const stage = await begin()
  const alice = stage.person('alice')
  const { id: channel } = alice.openDm(stage.id('bob'))
  const said = stage.person('bob').say(channel, 'Here is the recipe.')
  const menu = alice.useOnMessage(channel, said.id, '⚡ Tip this message')
  await menu.answered()
  const tipped = alice.submit(menu.id, { preset: '100', amount: '250', note: '' })
  await tipped.answered()
  await stage.world.settled()
  expect(tipped.messages().map(textOf).join('')).toMatch(/tipped/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(4_750)
})
