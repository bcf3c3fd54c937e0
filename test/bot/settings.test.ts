import { expect, test } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { buttonsOf, startLounge, textOf } from './lounge.ts'

function only(messages: readonly MessageView[]): MessageView {
  expect(messages).toHaveLength(1)
  return messages[0] as MessageView
}

test('a member changes settings in one private message that shows the current values', async () => {
  const { alice, people, channels, done, settled, tipping } = await startLounge()
  const panel = only(await done(alice.run(channels.tips, 'settings')))
  expect(panel.ephemeral).toBe(true)
  expect(textOf(panel)).toMatch(/every tip you get: \*\*off/)
  expect(buttonsOf(panel).map(({ label }) => label)).not.toContain('Server settings')

  await done(alice.press(channels.tips, panel.id, 'settings-toggle:receipts/on'))
  await done(alice.choose(channels.tips, panel.id, 'settings-mine:reactionTip', ['21']))
  await done(alice.choose(channels.tips, panel.id, 'settings-mine:language', ['en']))
  await settled()

  const now = only(alice.conversation(channels.tips))
  expect(now.id).toBe(panel.id)
  expect(textOf(now)).toMatch(/every tip you get: \*\*on/)
  expect(textOf(now)).toMatch(/Tip by reaction: \*\*21 sats/)
  expect(await tipping.preferences.of(people.alice)).toEqual({
    receipts: true,
    hidden: false,
    reactionTip: sats(21),
    language: 'en',
  })
})

test('a setting’s name and value together say what happens', async () => {
  const { emulator, alice, people, channels, done, settled, tipping, serverId } = await startLounge()
  const mine = only(await done(alice.run(channels.tips, 'settings')))
  expect(textOf(mine)).toContain('Show me on leaderboards: **on**')
  await done(alice.press(channels.tips, mine.id, 'settings-toggle:hidden/on'))
  await settled()
  expect(textOf(only(alice.conversation(channels.tips)))).toContain('Show me on leaderboards: **off**')

  const mod = emulator.as(people.mod)
  const panel = only(await done(mod.run(channels.mods, 'settings')))
  const server = only(await done(mod.press(channels.mods, panel.id, 'settings-open:server')))
  expect(textOf(server)).toContain('The recap comes: **every week**')
  await done(mod.choose(channels.mods, server.id, 'settings-server:topic', ['recapMonthly']))
  const menu = JSON.stringify(mod.conversation(channels.mods).at(-1)?.components)
  expect(menu).toContain('"every week"')
  await done(mod.choose(channels.mods, server.id, 'settings-server:recapMonthly', ['everyMonth']))
  await settled()
  const now = textOf(mod.conversation(channels.mods).at(-1) as MessageView)
  expect(now).toContain('The recap comes: **every month**')
  expect(tipping.preferences.ofServer(serverId)).toMatchObject({ recapMonthly: true })
})

test('a chosen language applies immediately, even to the settings message', async () => {
  const { alice, channels, done, settled } = await startLounge()
  const panel = only(await done(alice.run(channels.tips, 'settings')))
  await done(alice.choose(channels.tips, panel.id, 'settings-mine:language', ['de']))
  await settled()
  expect(textOf(only(alice.conversation(channels.tips)))).toContain('Deutsch')
  expect(textOf(only(alice.conversation(channels.tips)))).not.toContain('Language')
})

test('a closed menu shows the name of its setting and the chosen value', async () => {
  const { alice, channels, done, settled } = await startLounge()
  const panel = only(await done(alice.run(channels.tips, 'settings')))
  expect(JSON.stringify(panel.components)).toContain('🌍 Language: same as Discord')
  await done(alice.choose(channels.tips, panel.id, 'settings-mine:language', ['de']))
  await settled()
  const now = JSON.stringify(only(alice.conversation(channels.tips)).components)
  expect(now).toContain('🌍 Sprache: Deutsch')
  expect(now).not.toContain('Sprache: English')
})

test('no two menus of the server’s settings show the same text', async () => {
  const { emulator, people, channels, done, settled } = await startLounge()
  const mod = emulator.as(people.mod)
  const panel = only(await done(mod.run(channels.mods, 'settings')))
  const server = only(await done(mod.press(channels.mods, panel.id, 'settings-open:server')))
  const menus = () => {
    const shown = mod.conversation(channels.mods).find(({ id }) => id === server.id)
    return [...everyComponent(shown?.components ?? [])].flatMap((each) =>
      'placeholder' in each ? [each as unknown as Menu] : [],
    )
  }
  for (const { value } of menus()[0]?.options ?? []) {
    await done(mod.choose(channels.mods, server.id, 'settings-server:topic', [value]))
    await settled()
    const texts = menus().map(
      ({ placeholder, options = [] }) => options.find((each) => each.default)?.label ?? placeholder,
    )
    expect(new Set(texts).size, value).toBe(texts.length)
  }
})

interface Menu {
  readonly placeholder: string
  readonly options?: readonly { readonly value: string; readonly label: string; readonly default?: boolean }[]
}

test('a server’s manager chooses channels, roles and an approval limit from menus', async () => {
  const { emulator, people, roles, channels, done, tipping, serverId } = await startLounge()
  const mod = emulator.as(people.mod)
  const panel = only(await done(mod.run(channels.mods, 'settings')))
  const server = only(await done(mod.press(channels.mods, panel.id, 'settings-open:server')))
  expect(server.ephemeral).toBe(true)
  expect(textOf(server)).toContain('Ask before paying more than: **10,000 sats (default)**')
  expect(textOf(server)).toContain('Pause between two gifts of one person: **none (default)**')
  await done(mod.choose(channels.mods, server.id, 'settings-server:topic', ['channels']))
  await done(mod.choose(channels.mods, server.id, 'settings-server:channels', [channels.tips]))
  await done(mod.choose(channels.mods, server.id, 'settings-server:topic', ['moderatorRoles']))
  await done(mod.choose(channels.mods, server.id, 'settings-server:moderatorRoles', [roles.regulars]))
  await done(mod.choose(channels.mods, server.id, 'settings-server:topic', ['approvalAbove']))
  await done(mod.choose(channels.mods, server.id, 'settings-server:approvalAbove', ['1000']))
  expect(tipping.preferences.ofServer(serverId)).toMatchObject({
    channels: [channels.tips],
    moderatorRoles: [roles.regulars],
    approvalAbove: sats(1_000),
  })
})

test('a tip in a channel that the server has not chosen is refused privately', async () => {
  const { alice, bob, people, channels, done, tipping, serverId } = await startLounge()
  await tipping.preferences.changeServer({
    guild: serverId,
    member: people.mod,
    change: { channels: [channels.giveaways] },
  })
  const said = await done(alice.run(channels.tips, 'tip', { to: '@bob', amount: '5' }))
  expect(textOf(only(said))).toContain(`<#${channels.giveaways}>`)
  expect(tipping.asked).toEqual([])
  expect(bob.conversation(channels.tips)).toEqual([])
  await done(alice.run(channels.giveaways, 'tip', { to: '@bob', amount: '5' }))
  expect(tipping.asked).toHaveLength(1)
})

test('a change of moderator roles made through another bot takes effect immediately', async () => {
  const { alice, roles, people, channels, done, tipping, serverId } = await startLounge()
  const change = { moderatorRoles: [roles.regulars], channels: [channels.giveaways] }
  await tipping.preferences.changeServer({ guild: serverId, member: people.mod, change })
  const tip = async () => textOf((await done(alice.run(channels.tips, 'tip', { to: '@bob', amount: '5' })))[0])
  const balance = async () => textOf(only(await done(alice.run(channels.tips, 'balance'))))
  expect(await balance()).toContain('The pool')
  expect(await tip()).toMatch(/tipped/)
  tipping.preferences.changedElsewhere(serverId, { moderatorRoles: [] })
  expect(await balance()).not.toContain('The pool')
  expect(await tip()).toContain(`<#${channels.giveaways}>`)
  tipping.preferences.changedElsewhere(serverId, { moderatorRoles: [roles.regulars] })
  expect(await tip()).toMatch(/tipped/)
})

test('a command does nothing while the server’s settings cannot be read', async () => {
  const { alice, people, roles, channels, done, tipping, serverId } = await startLounge()
  const change = { channels: [channels.giveaways], moderatorRoles: [roles.regulars] }
  await tipping.preferences.changeServer({ guild: serverId, member: people.mod, change })
  tipping.preferences.inForce = () => Promise.reject(new Error('the database is away'))
  const answer = only(await done(alice.run(channels.tips, 'tip', { to: '@bob', amount: '5' })))
  expect(answer.ephemeral).toBe(true)
  expect(textOf(answer)).toMatch(/Something went wrong on my side/)
  expect(tipping.asked).toEqual([])
})

test('a member cannot use the server settings menus that a manager opened', async () => {
  const { alice, people, emulator, channels, done, tipping, serverId } = await startLounge()
  const mod = emulator.as(people.mod)
  const panel = only(await done(mod.run(channels.tips, 'settings')))
  const server = only(await done(mod.press(channels.tips, panel.id, 'settings-open:server')))
  expect(() => alice.choose(channels.tips, server.id, 'settings-server:topic', ['channels'])).toThrow()
  expect(tipping.preferences.ofServer(serverId).channels).toEqual([])
})
