import { describe, expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { fund, openFundedStage, openStage } from './harness.ts'

/** Deposits sats for alice and mod, and posts a message of bob's. */
async function begin(): Promise<{ stage: Stage; said: MessageView }> {
  const stage = await openStage()
  for (const who of ['alice', 'mod']) {
    await fund(stage, who, 1_000)
  }
  await stage.command('bob', 'balance')
  return { stage, said: stage.person('bob').say(stage.channel(), 'I have fixed the heating.') }
}

async function tipMessage(stage: Stage, who: string, message: MessageView, values: Record<string, string>) {
  const person = stage.person(who)
  const menu = person.useOnMessage(message.channelId, message.id, '⚡ Tip this message')
  const { modal } = await menu.acknowledged()
  expect(modal?.title).toBe('Send a tip')
  const handle = person.submit(menu.id, values)
  await handle.answered()
  await stage.world.settled()
  return handle.messages().map(textOf).join('\n')
}

function tipCards(stage: Stage, who = 'carol'): MessageView[] {
  return stage
    .person(who)
    .conversation(stage.channel())
    .filter((message) => /^⚡ \*\*/.test(message.content))
}

describe('tips for a message', () => {
  it('are added up on one card below the message, whose writer is notified', async () => {
    const { stage, said } = await begin()
    expect(await tipMessage(stage, 'alice', said, { preset: '100', note: 'Warm at last' })).toMatch(/Sent to/)
    await tipMessage(stage, 'mod', said, { preset: '100', amount: '2.5k' }).then((answer) =>
      expect(answer).toMatch(/too small to tip Bob .*\*\*2,500/),
    )
    await tipMessage(stage, 'mod', said, { preset: '210' })
    await tipMessage(stage, 'alice', said, { preset: '21', amount: '40' })

    const [card, ...more] = tipCards(stage)
    expect(more).toEqual([])
    expect(must(card).replyTo).toBe(said.id)
    expect(must(card).notifies.personIds).toEqual([stage.id('bob')])
    expect(textOf(must(card))).toMatch(/350 test sats\*\* for .* from 3 tips/)
    expect(textOf(must(card))).toMatch(/210[\s\S]*140[\s\S]*Warm at last/)
    expect(await stage.wealth('bob')).toBe(350)
    expect(await stage.holds('bot', 'member', 'alice')).toBe(860)
  })

  it('have the form’s preselected amount if the form is sent unchanged', async () => {
    const { stage, said } = await begin()
    expect(await tipMessage(stage, 'alice', said, {})).toMatch(/Sent to/)
    expect(await stage.wealth('bob')).toBe(100)
  })

  it('wait for a newcomer, who claims them below the message after a restart', async () => {
    const { stage } = await begin()
    const said = stage.person('carol').say(stage.channel(), 'Hello!')
    await tipMessage(stage, 'alice', said, { preset: '50' })
    await stage.world.bot.kill()
    await stage.world.bot.start()
    await tipMessage(stage, 'mod', said, { preset: '50' })
    const [card, ...more] = tipCards(stage, 'alice')
    expect(more).toEqual([])
    stage.mustSay(await stage.press('carol', must(card), 'Claim my sats'), /100 test sats/)
    expect(await stage.holds('bot', 'member', 'carol')).toBe(100)
  })
})

describe('the menu of a person', () => {
  it('lets a member tip that person with a note', async () => {
    const { stage } = await begin()
    const person = stage.person('alice')
    const menu = person.useOnPerson(stage.channel(), stage.id('bob'), '⚡ Tip')
    await menu.acknowledged()
    const handle = person.submit(menu.id, { preset: '500', note: 'for all' })
    await handle.answered()
    await stage.world.settled()
    expect(handle.messages().map(textOf).join()).toMatch(/500 test sats[\s\S]*for all/)
    expect(await stage.wealth('bob')).toBe(500)
  })
})

describe('⚡ reactions', () => {
  it('give the amount that the reacting member has chosen, once for each message', async () => {
    const { stage, said } = await begin()
    const alice = stage.person('alice')
    alice.react(said.channelId, said.id, '⚡')
    await stage.world.settled()
    expect(tipCards(stage)).toEqual([])

    const [panel] = await stage.command('alice', 'settings')
    await alice.choose(said.channelId, must(panel).id, 'settings-mine:reactionTip', ['50']).acknowledged()
    await stage.world.settled()
    for (const emoji of ['🔥', '⚡', '⚡']) {
      alice.unreact(said.channelId, said.id, emoji)
      alice.react(said.channelId, said.id, emoji)
    }
    await stage.until('bob has it', async () => (await stage.wealth('bob')) === 50)
    await stage.world.settled()
    expect(await stage.holds('bot', 'member', 'alice')).toBe(950)
    expect(textOf(must(tipCards(stage)[0]))).toMatch(/50 test sats\*\* for .* from 1 tip$/m)
  })

  it('ask for a payment privately if the balance cannot cover them', async () => {
    const { stage, said } = await begin()
    const carol = stage.person('carol')
    const [panel] = await stage.command('carol', 'settings')
    await carol.choose(said.channelId, must(panel).id, 'settings-mine:reactionTip', ['100']).acknowledged()
    await stage.world.settled()
    carol.react(said.channelId, said.id, '⚡')
    await stage.sees('carol', /Pay 100 test sats/)
    expect(tipCards(stage)).toEqual([])
  })
})

describe('a server’s emoji for tips', () => {
  it('are chosen by a manager in a form, and tip only for members who allow it', async () => {
    const { stage, said } = await begin()
    const [mod, alice] = [stage.person('mod'), stage.person('alice')]
    const [mine] = await stage.command('mod', 'settings')
    const [server] = await stage.press('mod', must(mine), 'Server settings')
    await mod.choose(said.channelId, must(server).id, 'settings-server:topic', ['emojiTips']).acknowledged()
    await stage.world.settled()
    const fill = async (emoji: string) => {
      const opening = mod.press(said.channelId, must(server).id, 'settings-emoji:here')
      await opening.acknowledged()
      const handle = mod.submit(opening.id, { emoji })
      await handle.answered()
      await stage.world.settled()
      return handle.messages().map(textOf).join('\n')
    }
    expect(await fill('🔥 100\nfire 5')).toMatch(/“fire 5” is not an emoji with an amount/)
    await fill('🔥 100\n💯 7')
    await stage.sees('mod', /Emoji that tip: \*\*🔥 100 test sats · 💯 7 test sats/)

    const [panel] = await stage.command('alice', 'settings')
    expect(textOf(must(panel))).toMatch(/Emoji that tip here: 🔥 100 test sats/)
    alice.react(said.channelId, said.id, '🔥')
    await stage.world.settled()
    expect(tipCards(stage)).toEqual([])
    await alice.choose(said.channelId, must(panel).id, 'settings-mine:emojiCeiling', ['100']).acknowledged()
    await stage.world.settled()
    alice.unreact(said.channelId, said.id, '🔥')
    for (const emoji of ['🔥', '🔥', '💯']) {
      alice.react(said.channelId, said.id, emoji)
      await stage.world.settled()
      alice.unreact(said.channelId, said.id, emoji)
    }
    await stage.until('bob has it', async () => (await stage.wealth('bob')) === 100)
    await stage.sees('alice', /You let servers' emoji give 100 test sats a day/)
    expect(await stage.holds('bot', 'member', 'alice')).toBe(900)
  })
})

describe('receipts of tips', () => {
  it('are sent by direct message to recipients who want them, one for each tip', async () => {
    const { stage, said } = await begin()
    const [panel] = await stage.command('bob', 'settings')
    await stage.press('bob', must(panel), 'DM me about tips')
    await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '70', note: 'soup' })
    await tipMessage(stage, 'alice', said, { preset: '21' })
    const direct = stage
      .person('bob')
      .directMessages()
      .flatMap(({ id }) => stage.person('bob').conversation(id))
    expect(direct.map(textOf)).toEqual([
      expect.stringMatching(/70 test sats\*\* for you[\s\S]*soup/),
      expect.stringMatching(/21 test sats\*\* for you[\s\S]*To the message/),
    ])
  })
})

describe('a large tip', () => {
  it('must be confirmed privately by its giver before it appears in public', async () => {
    const stage = await openFundedStage(50_000)
    await stage.command('bob', 'balance')
    await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '20k' })
    const question = await stage.sees('alice', /Send \*\*20,000 test sats\*\* to/)
    expect(question.ephemeral).toBe(true)
    expect(await stage.wealth('bob')).toBe(0)
    await stage.world.bot.kill()
    await stage.world.bot.start()
    await stage.press('alice', question, 'Send it')
    await stage.sees('carol', /20,000 test sats/)
    expect(await stage.wealth('bob')).toBe(20_000)
    const shown = stage
      .person('alice')
      .conversation(stage.channel())
      .find(({ id }) => id === question.id)
    expect(shown?.components).toEqual([])
  })

  it('to a role reaches only people who still have the role when it is confirmed', async () => {
    const stage = await openFundedStage(50_000)
    const { world } = stage.world.emulator
    const [server] = world.servers()
    const regulars = server?.roles.find(({ name }) => name === 'Regulars')?.id ?? ''
    const setRoles = (who: string, roles: string[]) => world.setRoles(server?.id ?? '', stage.id(who), roles)
    for (const who of ['bob', 'carol']) {
      setRoles(who, [regulars])
      await stage.command(who, 'balance')
    }
    await stage.command('alice', 'tip', { to: regulars, amount: '10k' })
    const question = await stage.sees('alice', /Send \*\*20,000 test sats\*\* to/)
    setRoles('carol', [])
    await stage.press('alice', question, 'Send it')
    await stage.sees('dave', /10,000 test sats/)
    expect([await stage.wealth('bob'), await stage.wealth('carol')]).toEqual([10_000, 0])
    expect(await stage.holds('bot', 'member', 'alice')).toBe(40_000)
  })
})
