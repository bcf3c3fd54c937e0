import { afterEach, beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { GiveawayView } from '../../../src/tipping/tipping.ts'
import { must } from '../../support/must.ts'
import { type Bot, Bots } from './bots.ts'

const MINUTE_MS = 60_000
const PEOPLE = Array.from({ length: 8 }, (_, n) => `person-${n}`)

let world: Bots
let a: Bot
let b: Bot

beforeEach(async () => {
  world = await Bots.open()
  ;[a, b] = world.all as [Bot, Bot]
  await world.fund(a, 'alice', 1_000)
})
afterEach(() => world.close())

/** Creates a giveaway with four prizes of 100 sats and eight entrants, of whom four were drawn. */
async function drawn(): Promise<GiveawayView> {
  const terms = { member: 'alice', prize: '100', winners: 4, duration: '10m', claimTime: '10m' }
  const { id: giveaway } = await a.tipping.giveaways.start({ ...terms, origin: world.origin() })
  for (const member of PEOPLE) {
    const entrant = { accountSince: new Date(0), roles: [] }
    await a.tipping.giveaways.enter({ giveaway, member, entrant, interaction: world.origin().interaction })
  }
  await world.pass(10 * MINUTE_MS, world.all, MINUTE_MS)
  for (const card of await a.tipping.cards.pending(100)) await a.tipping.cards.shown(card, 'message')
  await world.pass(5_000)
  return await a.tipping.giveaways.view(giveaway)
}

/** Resolves to whether the prize was paid now, or to the refusal. */
const claim = ({ tipping }: Bot, { id: giveaway }: GiveawayView, member: string) =>
  tipping.giveaways.claim({ giveaway, member, interaction: world.origin().interaction }).then(
    ({ already }) => (already ? 'again' : 'paid'),
    ({ code }: { readonly code?: string }) => code,
  )

/** Lets these winners' claim time pass, except for this many milliseconds. */
async function almostOver({ claim: claims }: GiveawayView, bots: readonly Bot[], leftMs: number): Promise<void> {
  const until = must(claims?.named[0]).until.getTime()
  for (const bot of bots) await world.pass(until - leftMs - bot.clock.now(), [bot], MINUTE_MS)
}

it('a prize that is claimed at two bots simultaneously is paid once', async () => {
  const giveaway = await drawn()
  const members = must(giveaway.claim).named.map(({ member }) => member)
  const presses = members.flatMap((member) => [a, b, a, b].map((bot) => claim(bot, giveaway, member)))
  const answers = await Promise.all(presses)
  expect(answers.filter((each) => each === 'paid')).toHaveLength(4)
  expect(answers.filter((each) => each === 'again')).toHaveLength(12)
  for (const member of members) expect(await world.available(member)).toBe(sats(100))
  expect(await world.available('alice')).toBe(sats(600))
})

it('a prize is paid or drawn again, never both, if two bots differ about the time', async () => {
  const giveaway = await drawn()
  const members = must(giveaway.claim).named.map(({ member }) => member)
  await almostOver(giveaway, [a], 2_000)
  await almostOver(giveaway, [b], 1)
  // At b the time is over in the midst of this; at a it is not.
  const [first = '', second = '', ...late] = members
  expect(await claim(a, giveaway, first)).toBe('paid')
  const [raced] = await Promise.all([claim(a, giveaway, second), world.pass(1, [b])])
  expect(['paid', 'giveaway-claim-late']).toContain(raced)
  await world.pass(2_000, [b])
  const after = await b.tipping.giveaways.view(giveaway.id)
  const round = must(after.claim).named.filter((each) => each.round === 1)
  expect(after.won.length + round.length).toBe(4)
  for (const member of late) expect(await claim(a, giveaway, member)).toBe('giveaway-claim-late')
  for (const { member } of round) expect(await claim(a, giveaway, member)).toBe('paid')
  await world.pass(5_000)
  expect(await b.tipping.giveaways.view(giveaway.id)).toMatchObject({
    returned: 0n,
    claim: { settledAt: expect.any(Date) },
  })
  const balances = await Promise.all(PEOPLE.map((member) => world.available(member)))
  expect(balances.filter((balance) => balance === sats(100))).toHaveLength(4)
  expect(await world.available('alice')).toBe(sats(600))
})

it('a prize that two bots draw again goes to one new winner, not to a late claimer', async () => {
  const giveaway = await drawn()
  const [first = '', ...others] = must(giveaway.claim).named.map(({ member }) => member)
  for (const member of others) await claim(b, giveaway, member)
  await almostOver(giveaway, world.all, 1)
  const by = { giveaway: giveaway.id, member: 'alice', moderator: false, guild: 'guild' }
  for (const { clock } of world.all) await clock.advance(1)
  await Promise.all([
    ...world.all
      .flatMap(({ tipping }) => [tipping.giveaways.redraw(by), tipping.giveaways.redraw(by)])
      .map((drawn) => drawn.catch(({ code }) => expect(code).toBe('giveaway-claim-runs'))),
    ...world.all.map((bot) => claim(bot, giveaway, first)),
  ])
  await world.pass(5_000)
  const { named } = must((await a.tipping.giveaways.view(giveaway.id)).claim)
  expect(named.map(({ round }) => round)).toEqual([0, 0, 0, 0, 1])
  expect(await world.available(first)).toBe(0n)
})
