import { expect, test } from 'vitest'
import { sats, ZERO } from '../../src/lib/money/amount.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { startLounge, textOf } from './lounge.ts'

test('/status shows everybody the sats owed, the sats held, and the time of the proof', async () => {
  const { alice, bob, channels, done, tipping } = await startLounge()
  tipping.status = {
    proven: {
      at: new Date(Date.UTC(2030, 0, 1)),
      holds: true,
      owed: sats(2_100),
      wallet: sats(2_150),
      expected: sats(2_150),
      mayHaveLeft: ZERO,
      mayHaveArrived: ZERO,
      root: 'ab'.repeat(32),
    },
    inFlight: { count: 2, oldestSince: new Date(Date.UTC(2030, 0, 1)) },
    paused: undefined,
  }
  const [answer] = await done(alice.run(channels.tips, 'status'))
  expect(textOf(answer)).toMatch(/Owed in total: 2,100 sats\n-# (<t:\d+:R>)\nIn the wallet: 2,150 sats\n-# \1/)
  expect(textOf(answer)).toContain('2, the oldest since <t:1893456000:f>')
  expect(textOf(answer)).toContain('ab'.repeat(32))
  expect(bob.conversation(channels.tips)).toHaveLength(1)
})

test('/status answers in the server’s language, not the asker’s', async () => {
  const { alice, channels, done, people, tipping } = await startLounge()
  await tipping.preferences.change({ member: people.alice, change: { language: 'es' } })
  expect(textOf((await done(alice.run(channels.tips, 'status')))[0])).toContain('Where the sats are')
})

test('/status shows that no proof has been made yet, and why payments are paused', async () => {
  const { alice, channels, done, tipping } = await startLounge()
  tipping.status = { ...tipping.status, paused: { source: 'operator', reason: 'the wallet is *short*' } }
  const [answer] = await done(alice.run(channels.tips, 'status'))
  expect(textOf(answer)).toMatch(
    /not been compared with the wallet yet[\s\S]*paused outgoing payments: “the wallet is \\\*short\\\*”/,
  )
})

test('/status shows the Lightning node’s state if the provider reports it', async () => {
  const { alice, channels, done, tipping } = await startLounge()
  const shown = async () => textOf((await done(alice.run(channels.tips, 'status')))[0])
  expect(await shown()).not.toContain('Lightning node')
  for (const [node, words] of [
    ['ready', 'It works.'],
    ['low', 'a large withdrawal may have to wait'],
    ['starting', 'It is starting'],
    ['syncing', 'catching up with the Bitcoin network'],
    ['away', 'It cannot be used right now'],
    ['silent', 'The Lightning service does not answer'],
  ] as const) {
    tipping.node = node
    expect(await shown()).toMatch(new RegExp(`Lightning node: .*${words}`))
  }
})

test('/admin does not exist outside the operators’ server', async () => {
  const { alice, channels } = await startLounge()
  expect(alice.commands(channels.tips).filter(({ path }) => path.startsWith('admin'))).toEqual([])
})

test('/status verify:True is acknowledged and answered privately in any channel', async () => {
  const { alice, bob, people, channels, done, tipping, serverId } = await startLounge()
  const change = { channels: [channels.giveaways] }
  await tipping.preferences.changeServer({ guild: serverId, member: people.mod, change })
  const { promise, resolve } = Promise.withResolvers<void>()
  tipping.before = promise
  const verify = alice.run(channels.tips, 'status', { verify: true })
  await verify.acknowledged()
  expect(verify.messages()).toMatchObject([{ loading: true, ephemeral: true }])
  expect(bob.conversation(channels.tips)).toEqual([])
  resolve()
  const [answer] = await done(verify)
  expect(textOf(answer)).not.toContain('not allowed to answer in this channel')
  expect(tipping.asked.map(({ verb }) => verb)).toEqual(['balance-proof'])
  const [shown] = await done(alice.run(channels.tips, 'status'))
  expect(textOf(shown)).toContain('not allowed to answer in this channel')
})

test('an alert after a restore reaches the channel even if its number was used before', async () => {
  const clock = new ManualClock()
  const { alice, channels, settled, tipping } = await startLounge({ clock, operatorsChannel: 'general' })
  const alert = (text: string) => ({ id: 1, kind: 'cover', text, at: new Date(clock.now()) })
  for (const text of ['before the restore', 'after it']) {
    tipping.alerts.push(alert(text))
    await settled()
    expect(tipping.alerts).toEqual([])
    await clock.advance(1_000)
  }
  const told = alice.conversation(channels.general).map(({ content }) => content)
  expect(told).toEqual(['🚨 before the restore', '🚨 after it'])
})

test('an alert that the book lists twice appears once', async () => {
  const clock = new ManualClock()
  const { alice, channels, settled, tipping } = await startLounge({ clock, operatorsChannel: 'general' })
  const alert = { id: 1, kind: 'cover', text: 'off', at: new Date(clock.now()) }
  for (let times = 0; times < 2; times += 1) {
    tipping.alerts.push(alert)
    await settled()
  }
  expect(alice.conversation(channels.general)).toHaveLength(1)
})
