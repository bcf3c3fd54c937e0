import { expect, test } from 'vitest'
import { commands } from '../../src/bot/registry/commands.ts'
import { type Msats, sats } from '../../src/lib/money/amount.ts'
import type { Recipient } from '../../src/tipping/tipping.ts'
import { NO_OWN_WALLETS } from '../support/no-own-wallets.ts'
import { buttonsOf, startLounge, textOf } from './lounge.ts'

test('/tip pays, announces the tip, and notifies the receiver once', async () => {
  const { alice, bob, channels, done, people, tipping } = await startLounge()

  const tip = alice.run(channels.tips, 'tip', { to: '@bob', amount: '500', note: 'for the *review*\n@everyone' })
  await done(tip)

  expect(tipping.asked).toEqual([
    {
      verb: 'tip',
      command: expect.objectContaining({
        from: people.alice,
        fromName: 'Alice',
        to: [{ id: people.bob, bot: false }],
        amount: '500',
        note: 'for the *review*\n@everyone',
        origin: expect.objectContaining({ interaction: tip.id, channel: channels.tips, locale: 'en-US' }),
      }),
    },
  ])
  const [card, bell, ...more] = bob.conversation(channels.tips)
  expect(more).toEqual([])
  expect(card).toMatchObject({ ephemeral: false, loading: false, usedBy: { command: 'tip' } })
  expect(textOf(card)).toContain(`Alice tipped <@${people.bob}> **500 sats**`)
  expect(textOf(card)).toContain('> for the \\*review\\* @\u200beveryone')
  expect(textOf(card)).toContain('added to their balance')
  // If no dry run has named the people to notify, a line below the answer notifies them.
  expect(bell?.content).toContain(`<@${people.bob}>`)
  expect(bell?.notifies).toEqual({ personIds: [people.bob], roleIds: [], everyone: false })
})

test('/tip with a role and `also` tips each person once, but not bots or the giver', async () => {
  const { alice, channels, done, emulator, people, roles, serverId, tipping } = await startLounge()
  emulator.world.setRoles(serverId, emulator.applicationId, [roles.regulars])

  const values = {
    to: '@Regulars',
    amount: '100',
    also: `<@${people.carol}> and <@!${people.bob}>, thanks`,
    split: true,
  }
  await done(alice.run(channels.tips, 'tip', values))

  const [{ command } = { command: undefined }] = tipping.asked
  expect(command).toMatchObject({ split: true })
  const to = (command as { to: Recipient[] }).to.map(({ id }) => id)
  expect(to.toSorted()).toEqual([people.bob, people.carol].toSorted())
  expect(textOf(alice.conversation(channels.tips)[0])).toMatch(/\*\*100 sats\*\* each[\s\S]*200 sats in all/)
})

test('/tip is refused privately if `also` mentions nobody or a stranger', async () => {
  const { alice, bob, channels, done, emulator, tipping } = await startLounge()
  const stranger = emulator.world.createPerson({ username: 'stranger' })

  const [nobody] = await done(alice.run(channels.tips, 'tip', { to: '@bob', amount: '1', also: 'you know who' }))
  const [outsider] = await done(alice.run(channels.tips, 'tip', { to: '@bob', amount: '1', also: `<@${stranger.id}>` }))

  expect(textOf(nobody)).toContain('I found nobody in “you know who”')
  expect(textOf(outsider)).toContain('is not a member of this server')
  expect(bob.conversation(channels.tips)).toEqual([])
  expect(tipping.asked).toEqual([])
})

test('a newcomer claims a tip’s sats with the button below it', async () => {
  const { alice, channels, done, newcomer, people, tipping } = await startLounge()
  tipping.states.set(people.newcomer, 'parked')
  const [card] = await done(alice.run(channels.tips, 'tip', { to: '@newcomer', amount: '250' }))
  if (card === undefined) throw new Error('no card')
  expect(textOf(card)).toMatch(/not claimed yet, goes back <t:\d+:R>/)
  const [button] = buttonsOf(card)
  expect(button).toMatchObject({ label: 'Claim my sats' })

  const [answer] = await done(newcomer.press(channels.tips, card.id, button?.custom_id ?? ''))

  expect(tipping.asked.at(-1)).toEqual({ verb: 'claim', command: { member: people.newcomer } })
  expect(answer).toMatchObject({ ephemeral: true, visibleTo: people.newcomer })
  expect(textOf(answer)).toContain('250 sats for you')
})

test('newcomers who receive the same tip are named in one line', async () => {
  const { alice, channels, done, people, tipping } = await startLounge()
  for (const who of [people.newcomer, people.carol]) tipping.states.set(who, 'parked')
  const [card] = await done(alice.run(channels.tips, 'tip', { to: '@newcomer', amount: '250', also: '@carol @bob' }))
  const lines = textOf(card).split('\n')
  const waiting = lines.filter((line) => line.includes('not claimed yet'))
  expect(waiting).toHaveLength(1)
  for (const who of [people.newcomer, people.carol]) expect(waiting[0]).toContain(`<@${who}>`)
  expect(waiting[0]).not.toContain(`<@${people.bob}>`)
  expect(lines.filter((line) => line.startsWith('👜'))).toEqual([expect.stringContaining(`<@${people.bob}>`)])
})

test('/deposit shows a QR code with its text, and a button shows only the text', async () => {
  const { alice, bob, channels, done } = await startLounge()

  const [card, ...others] = await done(alice.run(channels.general, 'deposit', { amount: '10000' }))

  expect(others).toEqual([])
  expect(card).toMatchObject({ componentsV2: true, ephemeral: true, content: '', embeds: [] })
  expect(textOf(card)).toContain('LNURL1DP68GURN8GHJ7MR')
  expect(textOf(card)).toContain('Deposit 10,000 sats')
  expect(card?.attachments).toMatchObject([{ contentType: 'image/png' }])
  expect(card?.attachments[0]?.width).toBeGreaterThanOrEqual(512)
  expect(card?.attachments[0]?.description).toContain('QR code')
  const copy = buttonsOf(card as NonNullable<typeof card>).find(({ label }) => label === 'Copy the code')
  const [code] = await done(alice.press(channels.general, card?.id ?? '', copy?.custom_id ?? ''))
  expect(code).toMatchObject({ content: 'LNURL1DP68GURN8GHJ7MR', ephemeral: true, embeds: [] })
  expect(bob.conversation(channels.general)).toEqual([])
})

test('a deposit has a button for the member’s offer if the provider supports offers', async () => {
  const { alice, channels, done, tipping } = await startLounge()
  const deposit = async () => (await done(alice.run(channels.general, 'deposit', { amount: '10000' })))[0]
  expect(textOf(await deposit())).not.toContain('BOLT12')
  tipping.offers = { pays: false, names: false, receives: true }
  tipping.ownOffer = 'lno1pg'
  const card = await deposit()
  expect(textOf(card)).toContain('[BOLT12 offer]')
  const [shown] = await done(alice.press(channels.general, card?.id ?? '', 'own-offer:mine'))
  expect(shown).toMatchObject({ content: 'lno1pg', ephemeral: true })
  tipping.ownOffer = undefined
  const [none] = await done(alice.press(channels.general, card?.id ?? '', 'own-offer:mine'))
  expect(textOf(none)).toContain('cannot be reached right now')
})

test('/withdraw and /help mention offers and Bitcoin names only if these are supported', async () => {
  const { alice, channels, done, tipping } = await startLounge()
  const seen = async () => {
    const { modal } = await alice.run(channels.general, 'withdraw', {}).answered()
    const [help] = await done(alice.run(channels.general, 'help', { topic: 'deposits' }))
    return { form: JSON.stringify(modal), help: textOf(help) }
  }
  const without = await seen()
  expect(without.form).toContain('Invoice or Lightning Address')
  expect(without.help).not.toContain('BOLT12')
  tipping.offers = { pays: true, names: false, receives: false }
  const offers = await seen()
  expect(offers.form).toContain('Invoice, Lightning Address or offer')
  expect(offers.help).toContain('also pays a BOLT12 offer')
  expect(offers.help).not.toContain('₿name@domain')
  tipping.offers = { pays: true, names: true, receives: true }
  const all = await seen()
  expect(all.form).toContain('offer or ₿name')
  expect(all.help).toMatch(/anybody can pay, any amount[\s\S]*a Bitcoin name/)
})

test('/invoice shows everybody a code that can be copied until the invoice expires', async () => {
  const { bob, carol, channels, done, settled, tipping } = await startLounge()

  await done(bob.run(channels.tips, 'invoice', { amount: '1000', description: 'lunch', expires: 30 }))

  expect(tipping.asked[0]?.command).toMatchObject({ amount: '1000', description: 'lunch', expiresInMinutes: 30 })
  const card = carol.conversation(channels.tips)[0]
  if (card === undefined) throw new Error('no card')
  expect(textOf(card)).toContain('Bob asks for **1,000 sats**')
  expect(textOf(card)).toContain('> lunch')
  expect(card.attachments).toHaveLength(1)
  const { custom_id } = buttonsOf(card).find(({ label }) => label === 'Copy the code') ?? { custom_id: '' }
  const [code] = await done(carol.press(channels.tips, card.id, custom_id))
  expect(code).toMatchObject({ content: 'lnbcrt1invoice', ephemeral: true })

  tipping.change(await tipping.invoices.view('record-1'), { state: 'expired' })
  // Pressed before the button disappears from the picture.
  const [late] = await done(carol.press(channels.tips, card.id, custom_id))
  expect(textOf(late)).toContain('This can no longer be paid')
  await settled()
  expect(textOf(carol.conversation(channels.tips)[0])).toContain('Nobody paid this in time')
  const over = carol.conversation(channels.tips)[0]
  expect(over).toMatchObject({ attachments: [], componentsV2: true })
  expect(buttonsOf(over as NonNullable<typeof over>)).toEqual([])
})

test('/wallet links to the member’s page, or says who can make the page reachable', async () => {
  const { alice, channels, done, tipping } = await startLounge()
  const [card] = await done(alice.run(channels.tips, 'wallet'))
  expect(JSON.stringify(card?.components)).toContain('https://pay.example.org/wallet/sign-in?token=secret')
  for (const page of ['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787']) {
    tipping.walletPage = `${page}/wallet`
    const [refused] = await done(alice.run(channels.tips, 'wallet'))
    expect(refused).toMatchObject({ ephemeral: true, components: [] })
    expect(textOf(refused)).toMatch(/only on the machine that runs me[\s\S]*SERVICE_PUBLIC_URL/)
    expect(textOf(refused)).not.toContain('secret')
  }
})

test('/balance shows all of the member’s own sats, privately', async () => {
  const { alice, channels, done, people, tipping } = await startLounge()
  tipping.testMoney = true
  tipping.linked.set(people.alice, { lightningId: 'id', gamertag: 'alice_ln' })
  tipping.holdings.set(people.alice, {
    available: sats(12_340),
    inFlight: sats(1),
    unclaimed: { amount: sats(250), count: 1, until: new Date(Date.UTC(2030, 0, 1)) },
    sentToGamertag: sats(77),
  })

  const [answer] = await done(alice.run(channels.general, 'balance'))

  expect(answer?.ephemeral).toBe(true)
  const text = textOf(answer)
  expect(text).toContain('12,340 test sats')
  expect(text).toContain('On its way: 1 test sat')
  expect(text).toContain('Waiting for you: 250 test sats\nGoes back <t:1893456000:R>')
  expect(text).toContain('**alice\\_ln**')
  expect(text).toContain('77 test sats went to your own wallet')
  expect(text).toContain('[Claim my sats]')
})

test('/balance says so if a connected wallet does not report its balance', async () => {
  const { alice, channels, done, tipping } = await startLounge()
  const own = { name: 'Phone', pays: true, receives: true, looksUp: true, since: new Date(0) }
  const seen = async (holds: Msats | 'silent' | undefined) => {
    tipping.ownWallets = { ...NO_OWN_WALLETS, mine: async () => own, holds: async () => holds }
    return textOf((await done(alice.run(channels.general, 'balance')))[0])
  }
  expect(await seen('silent')).toContain('**Phone** did not say just now what it holds')
  expect(await seen(sats(0))).toContain('**Phone** holds 0 sats')
  expect(await seen(undefined)).not.toContain('Phone')
})

test('/wallet shows a connected wallet’s balance and remaining budget', async () => {
  const { alice, channels, done, tipping } = await startLounge({ connectPage: 'https://bot.example/connect' })
  const own = { name: 'Phone', pays: true, receives: true, looksUp: true, since: new Date(0) }
  const ownWallets = { ...NO_OWN_WALLETS, offered: true, mine: async () => own, holds: async () => sats(9_000) }
  const seen = async () => textOf((await done(alice.run(channels.tips, 'wallet')))[0])
  tipping.ownWallets = ownWallets
  expect(await seen()).toMatch(/holds 9,000 sats\.(?![\s\S]*still spend)/)
  tipping.ownWallets = { ...ownWallets, budget: async () => ({ total: sats(10_000), left: sats(4_000) }) }
  expect(await seen()).toMatch(/holds 9,000 sats\.\nIt may still spend 4,000 sats of 10,000 sats\./)
})

test('/link, /unlink, /claim and /help answer privately', async () => {
  const { alice, channels, done } = await startLounge()
  const answers: Record<string, string> = {}
  for (const [path, values] of [
    ['link', { wallet: 'alice_ln' }],
    ['unlink', {}],
    ['claim', {}],
    ['help', {}],
    ['help', { topic: 'safety' }],
  ] as const) {
    const [answer, ...more] = await done(alice.run(channels.general, path, values))
    expect(more).toEqual([])
    expect(answer?.ephemeral).toBe(true)
    answers[`${path} ${Object.values(values).join()}`] = textOf(answer)
  }
  expect(answers['link alice_ln']).toContain('your tips go to **alice\\_ln**')
  expect(answers['unlink ']).toContain('no longer go to **alice\\_ln**')
  expect(answers['claim ']).toContain('250 sats for you')
  expect(answers['help ']).toContain('/deposit `1000`')
  expect(answers['help safety']).toContain('every sat has an owner')
})

test('private commands registered everywhere also work in direct messages', async () => {
  const { alice, done, emulator } = await startLounge({ everywhere: true })
  const { id } = alice.openDm(emulator.applicationId)

  const offered = alice.commands(id).map(({ path }) => path)
  for (const { name, where } of commands) {
    // There is no faucet of real sats.
    if (where === 'anywhere') expect(offered.includes(name), name).toBe(name !== 'faucet')
  }
  for (const name of ['rain', 'invoice']) expect(offered).not.toContain(name)
  const [answer] = await done(alice.run(id, 'balance'))
  expect(textOf(answer)).toContain('0 sats')
})

test('/balance shows the pool and the server’s wallet only to moderators', async () => {
  const { emulator, people, alice, channels, done, tipping } = await startLounge()
  const proven = { at: new Date(0), holds: true, owed: sats(1), expected: sats(1), mayHaveLeft: sats(0), root: '' }
  tipping.status = { ...tipping.status, proven: { ...proven, mayHaveArrived: sats(0), wallet: sats(2_150) } }
  const [hers] = await done(alice.run(channels.tips, 'balance'))
  expect(textOf(hers)).not.toContain('The pool')
  const [theirs] = await done(emulator.as(people.mod).run(channels.tips, 'balance'))
  expect(textOf(theirs)).toMatch(/The pool: 77 sats\nIn the wallet: 2,150 sats/)
})

test('a note with a link is refused privately in a server that forbids links', async () => {
  const { alice, channels, done, people, serverId, tipping } = await startLounge()
  const tip = (note: string) => done(alice.run(channels.tips, 'tip', { to: '@bob', amount: '1', note }))
  await tip('see https://evil.example/x')
  expect(tipping.asked).toHaveLength(1)
  await tipping.preferences.changeServer({ guild: serverId, member: people.alice, change: { noLinks: true } })
  for (const link of [
    ...['https://evil.example', 'HTTPS://EVIL.EXAMPLE', 'http://1.2.3.4', 'www.evil.com', 'discord.gg/abc', 'evil.com'],
    ...[
      'evil\u200b.com/x',
      'ｅｖｉｌ.com',
      '(evil.com)',
      'evil.co.uk.',
      'discord://x',
      'mailto:a@b.com',
      '[x](//evil.com)',
    ],
  ]) {
    const [answer] = await tip(`look: ${link}`)
    expect(textOf(answer), link).toContain('This server does not allow links here.')
    expect(answer?.ephemeral, link).toBe(true)
  }
  expect(tipping.asked).toHaveLength(1)
  for (const note of [
    'thanks, bob@getalby.com!',
    'v2.0.1 is 1.5 times as fast, e.g. here',
    'one.two',
    'a/b and c.d.e',
  ]) {
    await tip(note)
  }
  expect(tipping.asked).toHaveLength(5)
})
