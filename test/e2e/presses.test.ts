import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buttons } from '../../src/bot/registry/buttons.ts'
import type { OptionValues } from '../../src/discord-emulator/people/option-values.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { everyonesPermissions, permission } from '../../src/discord-emulator/world/permissions.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../src/playground/flows/stage.ts'
import { must } from '../support/must.ts'
import { ShiftedClock } from '../support/shifted-clock.ts'
import { openWarm } from '../support/warm-databases.ts'
import { fund, mustBeProven } from './harness.ts'
import { MOVES, OF_WALLETS, REROLL } from './moves-of-presses.ts'
import { buttonOf, differences, fail, showing } from './shown-buttons.ts'

/** A stage with every button on its own card, all older than the running bot. Each button is pressed twice at once. */
let stage: Stage
const clock = new ShiftedClock()
let cards: ReadonlyMap<string, Shown>

interface Shown {
  readonly message: MessageView
  /** The person who presses the button. */
  readonly who: string
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-presses-'))
  const runtime = { clock, entropy: systemEntropy, logger: silentLogger }
  const world = await createWorld({
    ...runtime,
    folder,
    discordRequestsPerSecond: 100_000,
    openDatabases: openWarm,
  })
  stage = new Stage(world, silentTeller)
  await fundEverybody()
  cards = await deal()
  await world.bot.kill()
  await world.bot.start()
  return async () => {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)

afterAll(() => mustBeProven(stage))

async function fundEverybody(): Promise<void> {
  for (const who of ['alice', 'bob']) {
    await fund(stage, who, 20_000)
  }
  const { preferences, pools } = stage.world.bot.tipping
  const [guild, member] = [stage.world.cast.server, stage.id('mod')]
  await pools.give({ guild, member: stage.id('alice'), amount: '5000', origin: { ...origin(), interaction: 'pool' } })
  await preferences.changeServer({ guild, member, change: { confirmAbove: sats(1_000), approvalAbove: sats(10) } })
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '1000', period: 'day' })
  await stage.command('bob', 'link', { wallet: 'bob' })
  for (const who of ['dave', 'mod']) await stage.command(who, 'balance')
}

function origin() {
  return { guild: stage.world.cast.server, channel: stage.channel(), reply: '', locale: 'en' }
}

/** Creates a card for each verb. Only alice and bob have sats. */
async function deal(): Promise<Map<string, Shown>> {
  const dealt = new Map<string, Shown>()
  const deal = async (verbs: string, who: string, by: string, path: string, values: OptionValues = {}) => {
    const messages = await stage.command(by, path, values)
    for (const verb of verbs.split(' ')) dealt.set(verb, { message: showing(messages, verb), who })
  }
  await deal('claim', 'carol', 'alice', 'tip', { to: stage.id('carol'), amount: '70' })
  await deal('tip-confirm', 'alice', 'alice', 'tip', { to: stage.id('dave'), amount: '1500' })
  await deal('drop-confirm', 'alice', 'alice', 'voucher drop', { amount: '1100', shares: 2 })
  await deal('giveaway-confirm', 'alice', 'alice', 'giveaway start', { prize: '600', winners: 2, duration: '1h' })
  await deal('tip-cancel', 'alice', 'alice', 'tip', { to: stage.id('dave'), amount: '1600' })
  await deal('invoice-code pay', 'alice', 'bob', 'invoice', { amount: '300' })
  await deal('withdraw-confirm', 'alice', 'alice', 'withdraw', { amount: '200' })
  await deal('withdraw-cancel', 'alice', 'alice', 'withdraw', { amount: '210' })
  const asked = await stage.command('alice', 'withdraw', { amount: '220' })
  await stage.press('alice', showing(asked, 'withdraw-confirm'), 'Show the code')
  const offered = stage.person('alice').conversation(stage.channel())
  const ending = await stage.command('alice', 'withdraw', { amount: '230' })
  await stage.press('alice', showing(ending, 'withdraw-confirm'), 'Show the code')
  const ends = stage.person('alice').conversation(stage.channel())
  dealt.set('withdraw-end', { message: showing(ends.toReversed(), 'withdraw-end'), who: 'alice' })
  dealt.set('withdraw-code', { message: showing(offered, 'withdraw-code'), who: 'alice' })
  await deal('voucher-wallet', 'alice', 'alice', 'voucher create', { amount: '310' })
  const made = dealt.get('voucher-wallet')?.message
  const [shown] = await stage.press('alice', must(made), 'Redeem with any wallet')
  dealt.set('voucher-lnurl', { message: must(shown), who: 'alice' })
  await deal('drop-take', 'dave', 'alice', 'voucher drop', { amount: '100', shares: 2 })
  await deal('drop-solve', 'dave', 'alice', 'voucher drop', { amount: '100', shares: 2, puzzle: 'sum' })
  await deal('drop-close', 'alice', 'alice', 'voucher drop', { amount: '400', shares: 2 })
  await deal('giveaway-enter giveaway-verify', 'dave', 'alice', 'giveaway start', {
    prize: '50',
    winners: 1,
    duration: '1h',
  })
  await deal('fundraiser-give fundraiser-code', 'alice', 'mod', 'pool fundraiser', { amount: '30', goal: '300' })
  const large = await stage.command('mod', 'pool fundraiser', { amount: '1300', goal: '2600' })
  const question = await stage.press('alice', showing(large, 'fundraiser-give'), 'Give 1,300 test sats')
  dealt.set('pool-confirm', { message: showing(question, 'pool-confirm'), who: 'alice' })
  await deal('fundraiser-close', 'mod', 'mod', 'pool fundraiser', { amount: '30', goal: '300' })
  await deal('reward-approve', 'lounge-owner', 'mod', 'reward', { to: stage.id('dave'), amount: '90', reason: 'Soup' })
  await deal('reward-deny', 'lounge-owner', 'mod', 'reward', { to: stage.id('dave'), amount: '91', reason: 'Soup' })
  for (const more of [dealList, dealBatches]) await more(dealt)
  await deal('pool-fill', 'mod', 'mod', 'pool balance')
  await deal('keep', 'bob', 'bob', 'balance')
  await deal('wallet-link', 'lounge-owner', 'lounge-owner', 'wallet')
  await deal('wallet-open', 'dave', 'dave', 'help')
  for (const more of [dealSettings, dealEntrants, dealReroll, dealCancel, dealAsks]) await more(dealt)
  await deal('history-page history-file', 'alice', 'alice', 'history')
  const { invoice } = await stage.world.phone.invoice(25_000n)
  const withdrawal = await stage.command('alice', 'withdraw', { to: invoice })
  await stage.press('alice', showing(withdrawal, 'withdraw-confirm'), 'Send it')
  dealt.set('receipt', { message: await stage.sees('alice', /Withdrawal of 25[\s\S]*Paid/), who: 'alice' })
  await stage.world.bot.tipping.linkedRoles.connect({ member: stage.id('operator'), tokens: '{}' })
  await deal('privacy-file privacy-forget', 'operator', 'operator', 'privacy')
  await deal('privacy-roles', 'operator', 'operator', 'privacy')
  for (const verb of ['privacy-delete', 'privacy-cancel']) {
    const mine = await stage.command('operator', 'privacy')
    await stage.press('operator', showing(mine, 'privacy-forget'), 'Delete my data …')
    dealt.set(verb, { message: await stage.sees('operator', /Delete your data\?/), who: 'operator' })
  }
  const deposit = await stage.command('dave', 'deposit', { amount: '900' })
  dealt.set('deposit-code', { message: showing(deposit, 'deposit-code'), who: 'dave' })
  await dealForged(dealt)
  const unclaimed = await stage.command('alice', 'tip', { to: stage.id('newcomer'), amount: '80' })
  const taken = await stage.press('newcomer', showing(unclaimed, 'claim'), 'Claim my sats')
  dealt.set('cash-out', { message: showing(taken, 'cash-out'), who: 'newcomer' })
  return dealt
}

/** The verb of the button below an unpaid gift's invoice, which `by-hand.test.ts` presses. */
const OF_UNPAID_GIFTS = ['by-hand-code']

/**
 * Creates buttons that no message shows here: the sandbox pays no offers, and nobody has their own wallet or chooses
 * emoji.
 */
async function dealForged(dealt: Map<string, Shown>): Promise<void> {
  for (const verb of ['own-offer', 'settings-emoji', ...OF_WALLETS]) {
    const forged = await forge(stage.channel(), `${verb}:mine`)
    const seen = stage.person('alice').conversation(stage.channel())
    dealt.set(verb, { message: must(seen.find(({ id }) => id === forged)), who: 'alice' })
  }
}

/** Opens the settings of a member and of the server. */
async function dealSettings(dealt: Map<string, Shown>): Promise<void> {
  const own = await stage.command('dave', 'settings')
  dealt.set('settings-toggle', { message: showing(own, 'settings-toggle'), who: 'dave' })
  const mine = await stage.command('mod', 'settings')
  dealt.set('settings-open', { message: showing(mine, 'settings-open'), who: 'mod' })
  const servers = await stage.press('mod', showing(mine, 'settings-open'), 'Server settings')
  for (const verb of ['settings-changes', 'settings-anonymous'])
    dealt.set(verb, { message: showing(servers, verb), who: 'mod' })
}

/**
 * Creates four batches of vouchers, for the buttons that show the codes, end the batch, confirm its end and keep it.
 */
async function dealBatches(dealt: Map<string, Shown>): Promise<void> {
  for (const verbs of [['batch-csv', 'batch-print'], ['batch-end'], ['batch-end-sure'], ['batch-keep']]) {
    const made = await stage.command('alice', 'voucher batch', { amount: '20', count: 3 })
    const card = showing(made, 'batch-end')
    const isAsked = verbs.some((verb) => ['batch-end-sure', 'batch-keep'].includes(verb))
    if (isAsked) await stage.press('alice', card, 'Take back the rest')
    const seen = stage.person('alice').conversation(stage.channel())
    const message = isAsked ? must(seen.find(({ id }) => id === card.id)) : card
    for (const verb of verbs) dealt.set(verb, { message, who: 'alice' })
  }
}

/** Creates a payment list that has been paid, and one that waits for confirmation. */
async function dealList(dealt: Map<string, Shown>): Promise<void> {
  const list = (sats: number) => {
    const csv = Buffer.from(`${stage.id('dave')},${sats}`).toString('base64')
    return { file: `data:text/csv;name=list.csv;base64,${csv}`, reason: 'Soup' }
  }
  await stage.press('mod', must((await stage.command('mod', 'pool pay', list(3)))[0]), 'Pay')
  dealt.set('list-file', { message: await stage.sees('mod', /pays .* from the pool/), who: 'mod' })
  const asked = await stage.command('mod', 'pool pay', list(5))
  dealt.set('list-confirm', { message: showing(asked, 'list-confirm'), who: 'mod' })
}

/** Creates a giveaway with entrants on two pages, a tip that others can join, and forms that were refused. */
async function dealEntrants(dealt: Map<string, Shown>): Promise<void> {
  const started = await stage.command('alice', 'giveaway start', { prize: '60', winners: 1, duration: '1h' })
  const giveaway = buttonOf(showing(started, 'giveaway-verify'), 'giveaway-verify')?.split(':')[1] ?? ''
  for (let nth = 0; nth < 21; nth += 1) {
    const member = `1000000000000000${nth + 10}`
    const press = { giveaway, member, entrant: { accountSince: new Date(0), roles: [] }, interaction: member }
    await stage.world.bot.tipping.giveaways.enter(press)
  }
  await stage.world.settled()
  const card = await stage.sees('dave', /\*\*21\*\* people have entered/)
  dealt.set('giveaway-who', { message: card, who: 'dave' })
  const [first] = await stage.press('dave', card, 'Who is in')
  dealt.set('giveaway-who-page', { message: must(first), who: 'dave' })
  const tip = await stage.command('alice', 'tip', { to: stage.id('dave'), amount: '60' })
  dealt.set('tip-join', { message: showing(tip, 'tip-join'), who: 'bob' })
  const forms = {
    'giveaway start': { prize: 'lots', winners: '2', duration: '1h', 'min-age': '30' },
    'voucher drop': { amount: 'lots', shares: '2', way: 'draw', minutes: '60' },
  }
  for (const [path, values] of Object.entries(forms)) {
    const alice = stage.person('alice')
    const opener = alice.run(stage.channel(), path, {})
    await opener.answered()
    const sent = alice.submit(opener.id, values)
    await sent.answered()
    await stage.world.settled()
    const verb = path === 'voucher drop' ? 'drop-again' : 'giveaway-again'
    dealt.set(verb, { message: showing(sent.messages(), verb), who: 'alice' })
  }
}

/** Creates two giveaways with an entrant each, and opens the question whether to cancel them. */
async function dealCancel(dealt: Map<string, Shown>): Promise<void> {
  for (const [verb, prize] of [
    ['giveaway-cancel', '42'],
    ['giveaway-keep', '43'],
  ] as const) {
    const card = must((await stage.command('alice', 'giveaway start', { prize, winners: 1, duration: '1h' }))[0])
    await stage.press('dave', card, 'Enter')
    const giveaway = buttonOf(card, 'giveaway-verify')?.split(':')[1] ?? ''
    dealt.set(verb, {
      message: showing(await stage.command('alice', 'giveaway cancel', { giveaway }), verb),
      who: 'alice',
    })
  }
}

/** Creates a request that will be filled, one that will be closed, and a giveaway to which people add. */
async function dealAsks(dealt: Map<string, Shown>): Promise<void> {
  for (const [verbs, who] of [
    [['ask-give', 'ask-other'], 'bob'],
    [['ask-close'], 'mod'],
  ] as const) {
    const asked = await stage.command('mod', 'ask', { amount: '500', reason: 'Soup' })
    for (const verb of verbs) dealt.set(verb, { message: showing(asked, verb), who })
  }
  const started = await stage.command('alice', 'giveaway start', { prize: '45', winners: 1, duration: '1h' })
  const giveaway = buttonOf(showing(started, 'giveaway-verify'), 'giveaway-verify')?.split(':')[1] ?? ''
  const question = await stage.command('alice', 'giveaway edit', { giveaway, prize: '55' })
  dealt.set('giveaway-edit', { message: showing(question, 'giveaway-edit'), who: 'alice' })
}

/**
 * Creates a draw with two entrants and one winner, so that the other entrant can win a reroll, and another giveaway
 * whose prize waits to be claimed.
 */
async function dealReroll(dealt: Map<string, Shown>): Promise<void> {
  const [card] = await stage.command('alice', 'giveaway start', { prize: '40', winners: 1, duration: '1m' })
  for (const who of ['dave', 'mod']) await stage.press(who, must(card), 'Enter')
  const newest = async (path: string) => {
    const [choice] = await stage.person('alice').autocomplete(stage.channel(), path, { giveaway: '' }, 'giveaway')
    return String(choice?.value)
  }
  const giveaway = await newest('giveaway end')
  const terms = { prize: '35', winners: 1, duration: '1m', 'claim-time': '1h' }
  const [claimable] = await stage.command('alice', 'giveaway start', terms)
  await stage.press('dave', must(claimable), 'Enter')
  await stage.world.bot.kill()
  clock.shiftMs += 61_000
  await stage.world.bot.start()
  await stage.sees('alice', /won \*\*40 test sats/)
  dealt.set('giveaway-claim', { message: await stage.sees('dave', /Drawn for \*\*35 test sats/), who: 'dave' })
  const { won } = await stage.world.bot.tipping.giveaways.view(giveaway)
  REROLL['member alice'] = -40
  REROLL[won[0]?.member === stage.id('dave') ? 'member mod' : 'member dave'] = 40
  const question = await stage.command('alice', 'giveaway reroll', { giveaway })
  dealt.set('giveaway-reroll', { message: showing(question, 'giveaway-reroll'), who: 'alice' })
}

/**
 * Returns everybody's balance and all pots, pools and reserves, by account, so that the test can compare two readings.
 */
async function holdings(): Promise<Map<string, bigint>> {
  const book = (await stage.world.books()).find(({ side }) => side === 'bot')
  const held = new Map<string, bigint>()
  for (const { kind, name, balance } of book?.accounts ?? []) {
    const account = stage.world.cast.people[name] === undefined ? kind : `${kind} ${name}`
    held.set(account, (held.get(account) ?? 0n) + balance)
  }
  return held
}

test('every button but the one below an unpaid gift’s invoice is pressed in this file', () => {
  expect([...Object.keys(MOVES), ...OF_UNPAID_GIFTS].toSorted()).toEqual(buttons.map(({ verb }) => verb).toSorted())
})

/** Returns a channel of a second server where everybody has every right. */
function elsewhere(): string {
  const { world } = stage.world.emulator
  const server = world.createServer({ name: 'Elsewhere', ownerId: stage.id('operator') })
  const { administrator } = permission
  const chiefs = world.createRole(server.id, { name: 'Chiefs', permissions: everyonesPermissions | administrator })
  for (const who of new Set([...cards.values()].map((shown) => shown.who))) {
    world.addMember(server.id, stage.id(who), { roleIds: [chiefs.id] })
  }
  return world.createChannel(server.id, { name: 'den' }).id
}

/** Posts, as the bot, a message with a button that the bot itself never posted. Resolves to the message's id. */
async function forge(channel: string, customId: string): Promise<string> {
  const { restUrl, token } = stage.world.emulator
  const button = { type: 2, style: 1, label: 'Press', custom_id: customId }
  const sent = await fetch(`${restUrl}/v10/channels/${channel}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'here', components: [{ type: 1, components: [button] }] }),
  })
  return ((await sent.json()) as { id: string }).id
}

test('a button that names a record of another server is refused, and no sats move', async () => {
  const den = elsewhere()
  const before = await holdings()
  for (const button of buttons.filter(({ names }) => names !== 'own' && names !== 'nothing')) {
    const { message, who } = cards.get(button.verb) ?? fail(`no card for ${button.verb}`)
    const customId = buttonOf(message, button.verb) ?? ''
    const press = stage.person(who).press(den, await forge(den, customId), customId)
    expect((await press.answered()).failure, button.verb).toBe(null)
    await stage.world.settled()
    const told = press.messages().map((each) => JSON.stringify(each.embeds))
    expect(told.at(-1), button.verb).toContain('This button no longer works.')
  }
  expect(differences(before, await holdings())).toEqual({})
})

test.each(Object.entries(MOVES))(
  'the button %s, pressed twice after a restart, acts once',
  async (verb, moves) => {
    const { message, who } = cards.get(verb) ?? fail(`no card for ${verb}`)
    const before = await holdings()
    const person = stage.person(who)
    const customId = buttonOf(message, verb) ?? ''
    const presses = [1, 2].map(() => person.press(message.channelId, message.id, customId))
    const views = await Promise.all(presses.map((press) => press.acknowledged()))
    expect(views.map(({ failure }) => failure)).toEqual([null, null])
    await stage.world.settled()
    expect(JSON.stringify(person.conversation(message.channelId))).not.toMatch(/no longer works|went wrong on my side/)
    expect(differences(before, await holdings())).toEqual(moves)
  },
  30_000,
)
