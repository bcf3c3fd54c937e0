import { REST } from '@discordjs/rest'
import { expect, test } from 'vitest'
import { makeRequest } from '../../src/bot/transport/make-request.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingRefusal } from '../../src/tipping/tipping.ts'
import { type Lounge, startLounge, textOf } from './lounge.ts'

const tipBob = { to: '@bob', amount: '500' }

test('a command is acknowledged, with its final visibility, before its work begins', async () => {
  const { alice, bob, channels, done, tipping } = await startLounge()
  const { promise, resolve } = Promise.withResolvers<void>()
  tipping.before = promise

  const tip = alice.run(channels.tips, 'tip', tipBob)
  const balance = alice.run(channels.tips, 'balance')
  const [seen, hidden] = await Promise.all([tip.acknowledged(), balance.acknowledged()])

  expect(seen).toMatchObject({ state: 'deferred' })
  expect(hidden).toMatchObject({ state: 'deferred' })
  expect(bob.conversation(channels.tips)).toMatchObject([{ loading: true, usedBy: { command: 'tip' } }])
  expect(balance.messages()).toMatchObject([{ loading: true, ephemeral: true }])
  resolve()
  await done(tip)
  await done(balance)
})

test('a command does nothing if Discord does not accept its acknowledgement', async () => {
  const { alice, channels, emulator, log, settled, tipping } = await startLounge()
  const callback = { method: 'POST', path: /\/callback$/ }

  emulator.faults.failNext(500, { ...callback, times: 4 })
  alice.run(channels.tips, 'tip', tipBob)
  await expect.poll(() => warnings(log)).toHaveLength(1)
  await settled()
  expect(warnings(log)).toEqual(['not acknowledged, so nothing was done'])
  expect(tipping.asked).toEqual([])
})

test('a tip is given once even if Discord’s reply to the acknowledgement is lost', async () => {
  const { alice, bob, channels, done, emulator, tipping } = await startLounge()
  emulator.faults.loseNextAnswer({ method: 'POST', path: /\/callback$/ })
  await done(alice.run(channels.tips, 'tip', tipBob))
  expect(tipping.asked).toHaveLength(1)
  expect(textOf(bob.conversation(channels.tips)[0])).toMatch(/Alice tipped/)
})

test('a tip that an earlier process acknowledged but did not give is given by the next', async () => {
  const { alice, bob, channels, emulator, restart, settled, tipping } = await startLounge()
  const forever = Promise.withResolvers<void>()
  tipping.before = forever.promise
  const tip = alice.run(channels.tips, 'tip', tipBob)
  await tip.acknowledged()
  await restart(() => {
    tipping.before = Promise.resolve()
  })
  tipping.asked.length = 0
  emulator.faults.redeliver(tip.id)
  emulator.faults.redeliver(tip.id)
  await expect.poll(() => tipping.asked.length).toBe(1)
  await settled()
  expect(
    bob
      .conversation(channels.tips)
      .map(textOf)
      .filter((text) => text.includes('Alice tipped')),
  ).toHaveLength(1)
  forever.resolve()
})

test('a malformed interaction is logged, and the bot survives', async () => {
  const { alice, channels, done, emulator, log, people, serverId } = await startLounge()
  const user = { id: people.alice, username: 'alice', discriminator: '0', avatar: null, global_name: null }
  const command = { id: '1', name: 'tip', type: 1, options: [] }
  const whole = {
    ...{ id: '', application_id: emulator.applicationId, token: 'x', version: 1, type: 2, guild_id: serverId },
    ...{ channel_id: channels.tips, channel: { id: channels.tips, type: 0 }, locale: 'en-US', guild_locale: 'en-US' },
    ...{ entitlements: [], authorizing_integration_owners: {}, context: 0, app_permissions: '0', user, data: command },
    attachment_size_limit: 1,
  }
  const wrong: Record<string, unknown>[] = [
    { locale: undefined },
    { channel: null },
    { channel: null, channel_id: null },
    { user: undefined, member: { user, roles: null, permissions: null } },
    { type: 4 },
    { type: 4, data: { ...command, options: null } },
    { type: 3, data: { custom_id: null, component_type: 2 }, message: null },
    { type: 5, data: { custom_id: 'tip-person:1', components: null } },
    { type: 99 },
    { authorizing_integration_owners: null, context: null, app_permissions: null },
    { data: null },
    {},
  ]
  for (const [nth, fields] of wrong.entries())
    emulator.faults.tell('INTERACTION_CREATE', { ...whole, id: `10000000000000000${nth + 10}`, ...fields })
  emulator.faults.tell('INTERACTION_CREATE', {})
  emulator.faults.tell('GUILD_CREATE', { id: null })
  emulator.faults.tell('MESSAGE_REACTION_ADD', {})
  emulator.faults.tell('MESSAGE_CREATE', {})

  const [said] = await done(alice.run(channels.tips, 'balance'))
  expect(textOf(said)).toMatch(/balance/i)
  expect(log.filter(({ level }) => level === 'error').length).toBeGreaterThan(3)
})

test('an interaction that arrives again, simultaneously or later, is handled only once', async () => {
  const { alice, bob, channels, done, emulator, settled, tipping } = await startLounge()

  emulator.faults.duplicateNextInteraction()
  const tip = alice.run(channels.tips, 'tip', tipBob)
  await done(tip)
  emulator.faults.redeliver(tip.id)
  // The later delivery is answered later.
  await done(alice.run(channels.tips, 'balance'))
  await settled()

  expect(tipping.asked.filter(({ verb }) => verb === 'tip')).toHaveLength(1)
  expect(bob.conversation(channels.tips).filter((message) => textOf(message).includes('tipped'))).toHaveLength(1)
})

test('a refusal of a public command is shown only to its caller', async () => {
  const { alice, bob, channels, done, tipping } = await startLounge()
  tipping.failure = new TippingRefusal('insufficient-funds', {
    balance: sats(340),
    needed: sats(500),
    missing: sats(160),
  })

  const [answer, ...more] = await done(alice.run(channels.tips, 'tip', tipBob))

  expect(more).toEqual([])
  expect(answer).toMatchObject({ ephemeral: true, visibleTo: alice.id })
  expect(textOf(answer)).toContain('You have **340 sats**, but this needs **500 sats**. /deposit `160` adds the rest.')
  expect(bob.conversation(channels.tips)).toEqual([])
})

test('an invoice that answers a public command is shown only to its caller', async () => {
  const { alice, bob, channels, done, tipping } = await startLounge()
  tipping.invoicedTips.ask = async ({ from, to, origin }) => {
    const { id: deposit, card } = await tipping.deposits.open({ member: from, amount: '500', origin })
    const about = { from, to: to.map(({ id }) => id), total: sats(500), missing: sats(500), because: undefined }
    return { ...about, deposit, card, state: 'waiting', until: new Date(0), withoutWallet: [] }
  }
  const said = await done(alice.run(channels.tips, 'tip', tipBob))
  expect(said).toMatchObject([{ ephemeral: true, visibleTo: alice.id }])
  expect(textOf(said[0])).toContain('Deposit 500 sats')
  expect(bob.conversation(channels.tips)).toEqual([])
})

test('an unexpected error is answered privately with a log reference and no detail', async () => {
  const { alice, bob, channels, done, log, tipping } = await startLounge()
  for (const [path, values] of [
    ['tip', tipBob],
    ['balance', {}],
  ] as const) {
    tipping.failure = new Error('disk I/O error at page 7')
    const [answer] = await done(alice.run(channels.tips, path, values))
    const text = textOf(answer)
    expect(answer?.ephemeral).toBe(true)
    expect(text).not.toContain('disk')
    const reference = /`([A-Z0-9]{7})`/.exec(text)?.[1]
    const known = log.filter((line) => line.level === 'error').at(-1)
    expect(known).toMatchObject({ reference, command: path, msg: 'a command failed' })
    expect(JSON.stringify(known)).toContain('disk I/O error')
  }
  expect(bob.conversation(channels.tips)).toEqual([])
})

test('an answer that cannot be delivered does not stop the bot', async () => {
  const { alice, channels, done, emulator, log, tipping } = await startLounge()
  tipping.failure = new TippingRefusal('no-recipients', {})
  emulator.faults.failNext(404, { path: /@original/, times: 1 })

  alice.run(channels.tips, 'balance')
  await expect.poll(() => warnings(log)).toEqual(['the answer could not be given'])

  const [answer] = await done(alice.run(channels.tips, 'balance'))
  expect(textOf(answer)).toContain('Your balance')
})

test('a press of a button whose record is gone is answered privately', async () => {
  const { alice, channels, done, emulator, log } = await startLounge()
  const rest = new REST({ api: emulator.restUrl, makeRequest }).setToken(emulator.token)
  const lost = { type: 2, style: 2, label: 'Copy', custom_id: 'invoice-code:of-another-database' }
  await rest.post(`/channels/${channels.tips}/messages`, { body: { components: [{ type: 1, components: [lost] }] } })

  const [message] = alice.conversation(channels.tips)
  const [pressed] = await done(alice.press(channels.tips, message?.id ?? '', lost.custom_id))

  expect(pressed).toMatchObject({ ephemeral: true })
  expect(textOf(pressed)).toContain('This button no longer works')
  expect(log.filter(({ level }) => level === 'error')).toEqual([])
})

test('the use of a button or command from a former version is answered privately', async () => {
  const { alice, channels, done, emulator, serverId, tipping } = await startLounge()
  const rest = new REST({ api: emulator.restUrl, makeRequest }).setToken(emulator.token)
  const old = { type: 2, style: 2, label: 'Old', custom_id: 'ancient:button:7' }
  await rest.post(`/channels/${channels.tips}/messages`, { body: { components: [{ type: 1, components: [old] }] } })
  const command = { name: 'ancient', description: 'of a former version' }
  await rest.put(`/applications/${emulator.applicationId}/guilds/${serverId}/commands`, { body: [command] })
  const [message] = alice.conversation(channels.tips)

  const [pressed] = await done(alice.press(channels.tips, message?.id ?? '', old.custom_id))
  const [run] = await done(alice.run(channels.tips, 'ancient'))

  expect(pressed).toMatchObject({ ephemeral: true })
  expect(textOf(pressed)).toContain('This button no longer works')
  expect(run).toMatchObject({ ephemeral: true })
  expect(textOf(run)).toContain('I no longer know this command')
  expect(tipping.asked).toEqual([])
})

test('the bot reconnects by itself after the gateway cuts the connection', async () => {
  const { alice, channels, done, emulator, log } = await startLounge()

  emulator.faults.dropGateway()
  await expect.poll(() => log.some(({ msg }) => msg === 'reconnected to Discord')).toBe(true)

  const [answer] = await done(alice.run(channels.general, 'help'))
  expect(textOf(answer)).toContain('Tips in bitcoin, with Satchel')
})

function warnings(log: Lounge['log']): unknown[] {
  return log.filter(({ level }) => level === 'warn').map(({ msg }) => msg)
}
