import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { type DrawProof, faultsOfDraw } from '../../../src/lib/proofs/draw-proof.ts'
import { markRestored } from '../../../src/tipping/audit/restored.ts'
import type { GiveawayView, Tipping } from '../../../src/tipping/tipping.ts'
import { must } from '../../support/must.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
})
type Start = Parameters<Tipping['giveaways']['start']>[0]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const EVERYBODY = ['bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi']

/** Starts a giveaway with prizes of 100 sats, which winners have an hour to claim; `entrants` have entered. */
async function start(entrants: readonly string[], more: Partial<Start> = {}): Promise<GiveawayView> {
  const terms = { member: 'alice', prize: '100', winners: 2, duration: '1h', claimTime: '1h', origin: world.origin() }
  const giveaway = await world.tipping.giveaways.start({ ...terms, ...more })
  for (const member of entrants) {
    const entrant = { accountSince: new Date(0), roles: [] }
    const { interaction } = world.origin()
    await world.tipping.giveaways.enter({ giveaway: giveaway.id, member, entrant, interaction })
  }
  return giveaway
}

async function show(): Promise<string[]> {
  const cards = await world.tipping.cards.pending(100)
  for (const card of cards) await world.tipping.cards.shown(card, `message-${card.id}`)
  return cards.map(({ kind }) => kind)
}

/** Starts such a giveaway, and draws it. */
async function drawn(entrants: readonly string[], more: Partial<Start> = {}): Promise<GiveawayView> {
  const { id } = await start(entrants, more)
  await world.pass(HOUR_MS)
  await show()
  await world.pass(1_000)
  return await view({ id })
}

const view = ({ id }: { readonly id: string }) => world.tipping.giveaways.view(id)

function claim({ id: giveaway }: { readonly id: string }, member: string, interaction = world.origin().interaction) {
  return world.tipping.giveaways.claim({ giveaway, member, interaction })
}

const namedIn = ({ claim: claims }: GiveawayView, round: number) =>
  must(claims)
    .named.filter((named) => named.round === round)
    .map(({ member }) => member)

const statesOf = ({ claim: claims }: GiveawayView) => must(claims).named.map(({ state }) => state)

const by = (member: string, { id }: { readonly id: string }, moderator = false) => ({
  giveaway: id,
  member,
  moderator,
  guild: 'guild',
})

async function proofOf({ id: giveaway }: { readonly id: string }): Promise<Extract<DrawProof, { version: 2 }>> {
  const { proof } = await world.tipping.giveaways.proof({ giveaway, guild: 'guild' })
  if (proof?.version !== 2) throw new Error('there was no draw')
  return proof
}

describe('a giveaway whose prizes must be claimed', () => {
  it('names its winners, pays those who claim, and keeps the other prizes in its pot', async () => {
    const giveaway = await drawn(['bob', 'carol', 'dave'])
    expect(giveaway).toMatchObject({ state: 'drawn', won: [], returned: 0n, claim: { minutes: 60 } })
    const [first = '', second = ''] = namedIn(giveaway, 0)
    expect(namedIn(giveaway, 0)).toHaveLength(2)
    expect(await show()).toEqual(expect.arrayContaining(['giveaway', 'giveaway-drawn']))
    expect(await world.available(first)).toBe(0n)
    expect(await claim(giveaway, first)).toEqual({ already: false, prize: sats(100) })
    expect(await world.available(first)).toBe(sats(100))
    const now = await view(giveaway)
    expect(now.won).toMatchObject([{ member: first, again: false, state: 'credited' }])
    expect(now.claim).toMatchObject({ settledAt: undefined, named: [{ state: 'claimed' }, { state: 'open' }] })
    expect(await world.available('alice')).toBe(sats(800))
    await claim(giveaway, second)
    await world.pass(1_000)
    expect(await view(giveaway)).toMatchObject({ returned: 0n, claim: { settledAt: expect.any(Date) } })
    expect(faultsOfDraw(await proofOf(giveaway))).toEqual([])
  })

  it('forwards claimed prizes to a Lightning account', async () => {
    const bob = await world.linked('bob')
    const giveaway = await drawn(['bob'], { winners: 1 })
    expect(world.received(bob)).toBe(0n)
    await claim(giveaway, 'bob')
    await world.settle()
    expect(world.received(bob)).toBe(sats(100))
  })

  it('shows a claimed prize as a prize in the history', async () => {
    const giveaway = await drawn(['bob'], { winners: 1 })
    await claim(giveaway, 'bob')
    const { lines } = await world.tipping.history.page('bob', 0)
    expect(lines).toMatchObject([{ what: 'prize', who: 'alice', amount: sats(100) }])
  })

  it('pays a winner once, however often the winner presses', async () => {
    const giveaway = await drawn(['bob'], { winners: 1 })
    const same = world.origin().interaction
    const answers = await Promise.all([
      claim(giveaway, 'bob', same),
      claim(giveaway, 'bob', same),
      claim(giveaway, 'bob'),
    ])
    expect(answers.map(({ already }) => already).toSorted()).toEqual([false, true, true])
    expect(await claim(giveaway, 'bob')).toEqual({ already: true, prize: sats(100) })
    expect(await world.available('bob')).toBe(sats(100))
  })

  it('refuses to pay a person who was not drawn', async () => {
    const giveaway = await drawn(['bob', 'carol'], { winners: 1 })
    const [winner] = namedIn(giveaway, 0)
    const loser = winner === 'bob' ? 'carol' : 'bob'
    for (const member of [loser, 'alice', 'stranger'])
      await expect(claim(giveaway, member)).rejects.toMatchObject({ code: 'giveaway-not-won' })
    await expect(claim({ id: 'nothing' }, 'bob')).rejects.toMatchObject({ code: 'giveaway-not-found' })
    const open = await start(['bob'])
    await expect(claim(open, 'bob')).rejects.toMatchObject({ code: 'giveaway-not-won' })
    const paid = await drawn(['bob'], { winners: 1, claimTime: undefined })
    await expect(claim(paid, 'bob')).rejects.toMatchObject({ code: 'giveaway-not-won' })
  })

  it('pays even a winner who was excluded after the draw', async () => {
    const giveaway = await drawn(['bob'], { winners: 1 })
    const change = { blockedMembers: ['bob'] }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    expect(await claim(giveaway, 'bob')).toMatchObject({ already: false })
  })

  it('returns all prizes immediately if nobody entered', async () => {
    const giveaway = await drawn([])
    expect(giveaway).toMatchObject({ state: 'drawn', returned: sats(200), claim: { named: [] } })
    expect(giveaway.claim?.settledAt).toBeInstanceOf(Date)
    expect(await world.available('alice')).toBe(sats(1_000))
    expect(faultsOfDraw(await proofOf(giveaway))).toEqual([])
  })

  it.each(['9m', '8d', '0h', '7d 1m'])('is refused with a claim time of %s', async (claimTime) => {
    const facts = { shortest: 10, longest: 7 }
    await expect(start([], { claimTime })).rejects.toMatchObject({ code: 'giveaway-claim-time', facts })
    await expect(start([], { claimTime: 'soon' })).rejects.toMatchObject({ code: 'duration-not-understood' })
    expect(await world.available('alice')).toBe(sats(1_000))
  })
})

describe('a prize that nobody claims in time', () => {
  it('goes to the next entrant in the fixed order, until somebody claims it', async () => {
    const giveaway = await drawn(['bob', 'carol', 'dave', 'erin'])
    const [claimer = ''] = namedIn(giveaway, 0)
    await claim(giveaway, claimer)
    await world.pass(HOUR_MS)
    const second = await view(giveaway)
    expect(statesOf(second)).toEqual(['claimed', 'missed', 'open'])
    expect(await show()).toEqual(expect.arrayContaining(['giveaway', 'giveaway-drawn', 'giveaway-redraw']))
    const proof = await proofOf(giveaway)
    expect(faultsOfDraw(proof)).toEqual([])
    expect(proof.drawnAgain).toEqual(namedIn(second, 1))
    await expect(claim(giveaway, namedIn(giveaway, 0)[1] ?? '')).rejects.toMatchObject({ code: 'giveaway-claim-late' })
    await claim(giveaway, namedIn(second, 1)[0] ?? '')
    await world.pass(1_000)
    expect(await view(giveaway)).toMatchObject({ returned: 0n, claim: { settledAt: expect.any(Date) } })
    expect(await world.available('alice')).toBe(sats(800))
    expect(faultsOfDraw(await proofOf(giveaway))).toEqual([])
  })

  it('returns to the starter when no entrant is left', async () => {
    const giveaway = await drawn(['bob', 'carol', 'dave'])
    await world.pass(HOUR_MS)
    expect(statesOf(await view(giveaway))).toEqual(['missed', 'missed', 'open'])
    await world.pass(HOUR_MS)
    expect(await view(giveaway)).toMatchObject({ won: [], returned: sats(200), claim: { settledAt: expect.any(Date) } })
    expect(await world.available('alice')).toBe(sats(1_000))
    expect(faultsOfDraw(await proofOf(giveaway))).toEqual([])
  })

  it('returns to the starter after the fifth draw, even if other entrants are left', async () => {
    const giveaway = await drawn(EVERYBODY, { winners: 1 })
    for (let round = 1; round < 5; round += 1) {
      await world.pass(HOUR_MS)
      expect(namedIn(await view(giveaway), round)).toHaveLength(1)
      expect(await world.available('alice')).toBe(sats(900))
    }
    await world.pass(HOUR_MS)
    expect(await view(giveaway)).toMatchObject({ returned: sats(100), claim: { settledAt: expect.any(Date) } })
    expect(faultsOfDraw(await proofOf(giveaway))).toEqual([])
    await expect(claim(giveaway, namedIn(await view(giveaway), 4)[0] ?? '')).rejects.toMatchObject({
      code: 'giveaway-claim-late',
    })
  })

  it('cannot be claimed after its claim time, according to Discord’s clock', async () => {
    const giveaway = await drawn(['bob', 'carol'], { winners: 2 })
    const { until } = must(giveaway.claim?.named[0])
    await world.pass(until.getTime() - world.clock.now() - 1)
    const late = ((BigInt(until.getTime()) - 1_420_070_400_000n) << 22n).toString()
    await expect(claim(giveaway, 'bob', late)).rejects.toMatchObject({ code: 'giveaway-claim-late', facts: { until } })
    expect(await claim(giveaway, 'bob')).toMatchObject({ already: false })
    await world.pass(1)
    await expect(claim(giveaway, 'carol')).rejects.toMatchObject({ code: 'giveaway-claim-late' })
    expect(await view(giveaway)).toMatchObject({ returned: sats(100), won: [{ member: 'bob' }] })
  })

  it('can be drawn again by the starter or a moderator after its claim time', async () => {
    const giveaway = await drawn(['bob', 'carol'], { winners: 1 })
    const { redraw } = world.tipping.giveaways
    await expect(redraw(by('bob', giveaway))).rejects.toMatchObject({ code: 'not-yours' })
    const { until } = must(giveaway.claim?.named[0])
    for (const who of [by('mod', giveaway, true), by('alice', giveaway)])
      await expect(redraw(who)).rejects.toMatchObject({ code: 'giveaway-claim-runs', facts: { until } })
    await expect(
      world.tipping.giveaways.reroll({ ...by('alice', giveaway), origin: world.origin() }),
    ).rejects.toMatchObject({ code: 'giveaway-claim-runs' })
    await expect(redraw(by('mod', await start([]), true))).rejects.toMatchObject({ code: 'giveaway-not-drawn' })
    // The bot cannot write for a moment when the time is over, and rests.
    await world.pass(until.getTime() - world.clock.now() - 1)
    world.failCommits = 3
    await world.pass(1)
    world.failCommits = 0
    expect(namedIn(await view(giveaway), 1)).toEqual([])
    const redrawn = await redraw(by('mod', giveaway, true))
    expect(statesOf(redrawn)).toEqual(['missed', 'open'])
    await expect(redraw(by('mod', giveaway, true))).rejects.toMatchObject({ code: 'giveaway-claim-runs' })
    expect(await world.database.read.moderationLogEntry.findMany()).toMatchObject([
      { member: 'mod', action: 'giveaway-redrawn' },
    ])
    await claim(giveaway, namedIn(redrawn, 1)[0] ?? '')
    await world.pass(1_000)
    await expect(redraw(by('mod', giveaway, true))).rejects.toMatchObject({ code: 'giveaway-over' })
  })

  it('stays claimable until then, even if somebody tries to end or cancel the giveaway', async () => {
    const giveaway = await drawn(['bob', 'carol'])
    await claim(giveaway, 'bob')
    for (const who of [by('alice', giveaway), by('mod', giveaway, true)])
      await expect(world.tipping.giveaways.cancel(who)).rejects.toMatchObject({ code: 'giveaway-over' })
    expect(await world.tipping.giveaways.end(by('alice', giveaway))).toMatchObject({ state: 'drawn' })
    expect(await claim(giveaway, 'carol')).toMatchObject({ already: false })
  })

  it('can be followed by a reroll, which goes to the next entrant in the drawn order', async () => {
    const giveaway = await drawn(['bob', 'carol', 'dave'], { winners: 1 })
    await world.pass(HOUR_MS)
    await claim(giveaway, namedIn(await view(giveaway), 1)[0] ?? '')
    await world.pass(1_000)
    const again = await world.tipping.giveaways.reroll({ ...by('alice', giveaway), origin: world.origin() })
    const others = must((await view(giveaway)).claim).named.map(({ member }) => member)
    expect(others).not.toContain(again.member)
    const proof = await proofOf(giveaway)
    expect(proof.drawnAgain).toEqual([others[1], again.member])
    expect(faultsOfDraw(proof)).toEqual([])
    await expect(
      world.tipping.giveaways.reroll({ ...by('alice', giveaway), origin: world.origin() }),
    ).rejects.toMatchObject({ code: 'giveaway-nobody-left' })
  })
})

describe('a giveaway of a bot in its wind-down', () => {
  it('pays prizes until the claim time ends, redraws none, and has a valid proof', async () => {
    const giveaway = await drawn(['bob', 'carol', 'dave', 'erin'])
    const by = new Date(world.clock.now() + 60 * 86_400_000).toISOString().slice(0, 10)
    for (const operator of ['olga', 'oscar']) await world.run(world.tipping.windDown.start({ by, operator }))
    await claim(giveaway, namedIn(giveaway, 0)[0] ?? '')
    await world.pass(HOUR_MS)
    expect(statesOf(await view(giveaway))).toEqual(['claimed', 'missed'])
    expect(await view(giveaway)).toMatchObject({ returned: sats(100), claim: { settledAt: expect.any(Date) } })
    const proof = await proofOf(giveaway)
    expect([proof.claim?.cutShort, faultsOfDraw(proof)]).toEqual([true, []])
    const { cutShort, ...silent } = must(proof.claim)
    expect([cutShort, faultsOfDraw({ ...proof, claim: silent })]).toEqual([
      true,
      ['prizes were returned although others were in line'],
    ])
  })
})

describe('the claims of a giveaway in a restored book', () => {
  it('have the full claim time again', async () => {
    const giveaway = await drawn(['bob', 'carol'], { winners: 1 })
    const [winner = ''] = namedIn(giveaway, 0)
    await world.tipping.close()
    await world.clock.advance(2 * HOUR_MS)
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    await world.clock.advance(1_000)
    await world.start()
    await world.pass(1_000)
    expect(statesOf(await view(giveaway))).toEqual(['open'])
    expect(must((await view(giveaway)).claim?.named[0]).until.getTime()).toBeGreaterThan(now.getTime() + HOUR_MS)
    expect(faultsOfDraw(await proofOf(giveaway))).toEqual([])
    expect(await claim(giveaway, winner)).toMatchObject({ already: false })
  })

  it('lead to another draw when that time is over', async () => {
    const giveaway = await drawn(['bob', 'carol'], { winners: 1 })
    const now = new Date(world.clock.now())
    await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
    await world.pass(HOUR_MS)
    expect(statesOf(await view(giveaway))).toEqual(['open'])
    await world.pass(HOUR_MS)
    expect(statesOf(await view(giveaway))).toEqual(['missed', 'open'])
    expect(faultsOfDraw(await proofOf(giveaway))).toEqual([])
  })
})

describe('the proof of a giveaway with claimed prizes', () => {
  type Tampering = (proof: Extract<DrawProof, { version: 2 }>) => void

  const CHANGES: Readonly<Record<string, readonly [Tampering, RegExp]>> = {
    'a prize passes to an entrant who is not next in order': [
      (proof) => {
        const [, second] = must(proof.claim).rounds
        must(second).named.splice(0, 1, must(proof.won[0]))
      },
      /round 2 must name/,
    ],
    'a round names more winners than there were prizes left': [
      (proof) => {
        const extra = must(proof.entrants.find(({ member }) => !proof.won.concat(proof.drawnAgain).includes(member)))
        must(must(proof.claim).rounds[1]).named.push(extra.member)
      },
      /round 2 must name/,
    ],
    'a round is drawn too early': [
      (proof) => {
        must(must(proof.claim).rounds[1]).drawnAt = must(must(proof.claim).rounds[0]).drawnAt
      },
      /before the claim time of the previous round was over/,
    ],
    'winners had less than the claim time': [
      (proof) => {
        const first = must(must(proof.claim).rounds[0])
        first.until = first.drawnAt
      },
      /had less than 60 minutes/,
    ],
    'a claim is hidden': [(proof) => must(must(proof.claim).rounds[0]).claimed.pop(), /round 2 must name/],
    'a person who was not drawn claims a prize': [
      (proof) => {
        must(must(must(proof.claim).rounds[0]).claimed[0]).member = must(must(proof.claim).rounds[1]).named[0] ?? ''
      },
      /without being drawn/,
    ],
    'a claim came late': [
      (proof) => {
        const first = must(must(proof.claim).rounds[0])
        must(first.claimed[0]).at = first.until
      },
      /claimed after the claim time/,
    ],
    'prizes are returned too early': [
      (proof) => {
        must(proof.claim).settledAt = must(must(proof.claim).rounds[1]).drawnAt
      },
      /before the time to claim them was over/,
    ],
    'prizes are returned although other entrants are left': [
      (proof) => {
        must(proof.claim).settledAt = must(must(proof.claim).rounds[1]).until
      },
      /although others were in line/,
    ],
  }

  it.each(Object.entries(CHANGES))('fails if %s', async (_, [change, fault]) => {
    const giveaway = await drawn(['bob', 'carol', 'dave', 'erin', 'frank'])
    await claim(giveaway, namedIn(giveaway, 0)[0] ?? '')
    await world.pass(HOUR_MS)
    const proof = await proofOf(giveaway)
    expect(faultsOfDraw(proof)).toEqual([])
    const changed = structuredClone(proof)
    change(changed)
    expect(faultsOfDraw(changed).join('\n')).toMatch(fault)
  })
})
