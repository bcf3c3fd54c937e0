import { expect, it } from 'vitest'
import type { InteractionHandle } from '../../src/discord-emulator/people/interaction-handle.ts'
import { NotPossible } from '../../src/discord-emulator/people/not-possible.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { everyonesPermissions, permission } from '../../src/discord-emulator/world/permissions.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openFundedStage } from './harness.ts'

/** A place where alice gives sats, and where bob and a newcomer, who has never used the bot, are present. */
interface Somewhere {
  readonly channel: string
  readonly newcomer: string
}

/** A flow's result in a place: that it works, or why it does not. */
type Cell = 'works' | 'not offered' | 'needs an invitation' | 'for you alone'

/** A pattern of each refusal's text, the refusal's cell, and whether a button leads to the next step. */
const REFUSALS: readonly [RegExp, Cell, isInvited: boolean][] = [
  [/only in servers that I am a member of/, 'needs an invitation', true],
  [/Discord shows my messages to you alone/, 'for you alone', true],
]

async function answered(stage: Stage, handle: InteractionHandle): Promise<MessageView[]> {
  const view = await handle.answered()
  expect(view.failure).toBeNull()
  await stage.world.settled()
  return handle.messages()
}

const FLOWS: Readonly<Record<string, (stage: Stage, place: Somewhere) => Promise<Cell>>> = {
  async tip(stage, { channel }) {
    return await gives(stage, channel, 11, async () => {
      const handle = stage.person('alice').run(channel, 'tip', { to: stage.id('bob'), amount: '11' })
      return await answered(stage, handle)
    })
  },
  async confirmation(stage, { channel }) {
    return await gives(stage, channel, 12_000, async () => {
      const handle = stage.person('alice').run(channel, 'tip', { to: stage.id('bob'), amount: '12000' })
      const asked = await answered(stage, handle)
      const question = asked.find((message) => /Send \*\*12,000/.test(textOf(message)))
      return question === undefined ? asked : await stage.press('alice', question, 'Send it')
    })
  },
  async claim(stage, { channel, newcomer }) {
    const tip = stage.person('alice').run(channel, 'tip', { to: stage.id(newcomer), amount: '7' })
    const said = await answered(stage, tip)
    const refused = refusalIn(said)
    if (refused !== undefined) return refused
    await stage.press(newcomer, seen(stage, newcomer, channel, /not claimed yet/), 'Claim my sats')
    expect(await stage.holds('bot', 'member', newcomer)).toBe(7)
    expect(JSON.stringify(seen(stage, 'alice', channel, /· claimed/).components)).not.toContain('"claim:')
    return 'works'
  },
  /** Has the newcomer, whose balance is too small, tip by paying an invoice. */
  async 'tip by invoice'(stage, { channel, newcomer }) {
    return await gives(stage, channel, 33, async () => {
      const tip = stage.person(newcomer).run(channel, 'tip', { to: stage.id('bob'), amount: '33' })
      const asked = await answered(stage, tip)
      const invoice = asked.find((message) => /Pay \d+ test sats/.test(textOf(message)))
      if (invoice === undefined) return asked
      const before = await stage.holds('bot', 'member', 'bob')
      await stage.pay(await stage.scan(invoice, 'deposit'))
      await stage.until('the tip is sent', async () => (await stage.holds('bot', 'member', 'bob')) > before)
      await stage.world.settled()
      return []
    })
  },
  async 'menu of a person'(stage, { channel }) {
    return await gives(stage, channel, 50, async () => {
      const menu = stage.person('alice').useOnPerson(channel, stage.id('bob'), '⚡ Tip')
      return await submitted(stage, menu, { preset: '50', amount: '' })
    })
  },
  async 'menu of a message'(stage, { channel }) {
    const said = stage.person('bob').say(channel, 'Here is the recipe.')
    return await gives(stage, channel, 21, async () => {
      const menu = stage.person('alice').useOnMessage(channel, said.id, '⚡ Tip this message')
      return await submitted(stage, menu, { preset: '21', amount: '' })
    })
  },
  deposit: (stage, { channel }) => says(stage, channel, 'deposit', { amount: '1000' }, /Scan|Pay/i),
  withdraw: (stage, { channel }) => says(stage, channel, 'withdraw', { amount: '100' }, /100/),
  balance: (stage, { channel }) => says(stage, channel, 'balance', {}, /balance/i),
  async drop(stage, { channel }) {
    const before = await stage.holds('bot', 'member', 'bob')
    const said = await run(stage, channel, 'drop', { amount: '20', shares: 1 })
    const refused = refusalIn(said)
    if (refused !== undefined) return refused
    await stage.press('bob', seen(stage, 'bob', channel, /drop/i), 'Take a share')
    expect(await stage.holds('bot', 'member', 'bob')).toBe(before + 20)
    return 'works'
  },
  async giveaway(stage, { channel }) {
    const said = await run(stage, channel, 'giveaway start', { prize: '30', winners: 1, duration: '10m' })
    const refused = refusalIn(said)
    if (refused !== undefined) return refused
    const [answer] = await stage.press('bob', seen(stage, 'bob', channel, /Ends/), 'Enter')
    expect(answer && textOf(answer)).toMatch(/You are in/)
    return 'works'
  },
}

/**
 * Runs alice's command; resolves to the answer. Discord does not list a command in places where people must not use it.
 */
async function run(stage: Stage, channel: string, path: string, values: object): Promise<MessageView[]> {
  return await answered(stage, stage.person('alice').run(channel, path, values as never))
}

async function says(stage: Stage, channel: string, path: string, values: object, pattern: RegExp): Promise<Cell> {
  const said = await run(stage, channel, path, values)
  expect(said.map(textOf).join('\n')).toMatch(pattern)
  expect(said.every(({ visibleTo }) => visibleTo === stage.id('alice'))).toBe(true)
  return refusalIn(said) ?? 'works'
}

async function submitted(stage: Stage, menu: InteractionHandle, values: Record<string, string>) {
  const said = await answered(stage, menu)
  return said.length > 0 ? said : await answered(stage, stage.person('alice').submit(menu.id, { ...values, note: '' }))
}

/**
 * Gives bob a sum. Checks that bob reads about the gift in that channel, or that the gift is refused and nothing moves.
 */
async function gives(stage: Stage, channel: string, sum: number, act: () => Promise<MessageView[]>): Promise<Cell> {
  const before = await stage.holds('bot', 'member', 'bob')
  const refused = refusalIn(await act())
  const got = (await stage.holds('bot', 'member', 'bob')) - before
  if (refused !== undefined) {
    expect(got).toBe(0)
    return refused
  }
  expect(got).toBe(sum)
  const amount = sum.toLocaleString('en-US')
  seen(stage, 'bob', channel, new RegExp(`(tipped .*|\\*\\*)${amount} test sats`))
  return 'works'
}

function seen(stage: Stage, who: string, channel: string, pattern: RegExp): MessageView {
  const found = stage
    .person(who)
    .conversation(channel)
    .findLast((message) => message.author.bot && pattern.test(textOf(message)))
  if (found === undefined) throw new Error(`${who} does not see ${pattern}`)
  return found
}

function refusalIn(said: readonly MessageView[]): Cell | undefined {
  const text = said.map(textOf).join('\n')
  expect(text).not.toMatch(/went wrong on my side|ask the people who manage the server to give me these/)
  const found = REFUSALS.find(([pattern]) => pattern.test(text))
  if (found === undefined) return undefined
  const [, cell, isInvited] = found
  if (isInvited)
    expect(JSON.stringify(said.at(-1)?.components)).toMatch(/scope=bot\+applications.commands&permissions=274878024704/)
  return cell
}

/** Every kind of place; each function creates one where alice can use the bot, and returns its channel. */
const PLACES: Readonly<Record<string, (stage: Stage, newcomer: string) => string>> = {
  'a channel': (stage) => stage.channel(),
  'an announcement channel': (stage) => own(stage, 'announcement'),
  'a voice channel': (stage) => own(stage, 'voice'),
  'a stage': (stage) => own(stage, 'stage'),
  'a thread': (stage) => threadIn(stage, stage.channel()),
  'a post in a forum': (stage) => threadIn(stage, own(stage, 'forum')),
  'a conversation of two': (stage) => stage.person('alice').openDm(stage.id('bob')).id,
  'a conversation of several': (stage, newcomer) =>
    stage.person('alice').openGroup([stage.id('bob'), stage.id(newcomer)], 'us').id,
  'a server without the bot': (stage, newcomer) => server(stage, newcomer, 'none'),
  'a server with the commands alone': (stage, newcomer) => server(stage, newcomer, 'commands'),
  'a server that denies external apps': (stage, newcomer) =>
    server(stage, newcomer, 'none', permission.useExternalApps),
}

const builderOf = (stage: Stage) => stage.world.emulator.world
let made = 0

function own(stage: Stage, kind: 'announcement' | 'voice' | 'stage' | 'forum'): string {
  return builderOf(stage).createChannel(stage.world.cast.server, { name: kind, kind }).id
}

function threadIn(stage: Stage, channel: string): string {
  return builderOf(stage).createThread(channel, { name: 'recipes', ownerId: stage.id('bob') }).id
}

function server(stage: Stage, newcomer: string, application: 'none' | 'commands', denied = 0n): string {
  const world = builderOf(stage)
  const { id } = world.createServer({ name: `Elsewhere ${made}`, ownerId: stage.id('mod'), application })
  for (const who of ['alice', 'bob', newcomer]) world.addMember(id, stage.id(who))
  world.setPermissions(id, everyonesPermissions & ~denied)
  return world.createChannel(id, { name: 'talk' }).id
}

async function begin(): Promise<Stage> {
  const stage = await openFundedStage(200_000)
  // Bob has used the bot before, so he gets sats immediately.
  await stage.command('bob', 'balance')
  builderOf(stage).installFor(stage.id('alice'))
  return stage
}

/** Runs each flow in each place, in the order of the flows. Resolves to the results, by place and flow. */
async function tableOf(stage: Stage, places: readonly string[]): Promise<Record<string, Record<string, Cell>>> {
  const table: Record<string, Record<string, Cell>> = {}
  for (const name of places) {
    made += 1
    const newcomer = `guest${made}`
    builderOf(stage).createPerson({ username: newcomer, createdAt: Date.now() - 400 * 86_400_000 })
    builderOf(stage).addMember(stage.world.cast.server, stage.id(newcomer))
    // A guest gives as well.
    builderOf(stage).installFor(stage.id(newcomer))
    const place = { channel: PLACES[name]?.(stage, newcomer) ?? '', newcomer }
    const cells: Record<string, Cell> = {}
    for (const [flow, play] of Object.entries(FLOWS)) {
      cells[flow] = await play(stage, place).catch((error: unknown) => {
        if (error instanceof NotPossible) return 'not offered' as const
        throw new Error(`${flow} in ${name}: ${String(error)}`, { cause: error })
      })
    }
    table[name] = cells
  }
  return table
}

const every = (cell: Cell) => Object.fromEntries(Object.keys(FLOWS).map((flow) => [flow, cell]))
const private_ = { deposit: 'works', withdraw: 'works', balance: 'works' } as const

it('every flow works in every place of a server with the bot', async () => {
  const places = ['a channel', 'an announcement channel', 'a voice channel', 'a stage', 'a thread', 'a post in a forum']
  const table = await tableOf(await begin(), places)
  expect(table).toEqual(Object.fromEntries(places.map((place) => [place, every('works')])))
})

it('in private conversations, all commands work except those that need a server', async () => {
  const places = ['a conversation of two', 'a conversation of several']
  const table = await tableOf(await begin(), places)
  const cells = { ...every('works'), drop: 'not offered', giveaway: 'not offered' }
  // Nobody else sees a private conversation.
  expect(table).toEqual({
    'a conversation of two': { ...cells, claim: 'not offered', 'tip by invoice': 'not offered' },
    'a conversation of several': cells,
  })
})

it('in servers without the bot, commands work, are missing, or yield an invite link', async () => {
  const places = ['a server without the bot', 'a server with the commands alone', 'a server that denies external apps']
  const table = await tableOf(await begin(), places)
  const works = every('works')
  const given = ['tip', 'confirmation', 'claim', 'tip by invoice', 'menu of a person', 'menu of a message']
  expect(table).toEqual({
    'a server without the bot': { ...works, drop: 'not offered', giveaway: 'not offered' },
    'a server with the commands alone': { ...works, drop: 'needs an invitation', giveaway: 'needs an invitation' },
    'a server that denies external apps': {
      ...Object.fromEntries(given.map((flow) => [flow, 'for you alone'])),
      ...private_,
      ...{ drop: 'not offered', giveaway: 'not offered' },
    },
  })
})

it('a large tip is confirmed and shown in the conversation with the bot', async () => {
  const stage = await begin()
  const { id: channel } = stage.person('alice').openDm(stage.world.emulator.applicationId)
  const asked = await run(stage, channel, 'tip', { to: stage.id('bob'), amount: '50000' })
  await stage.press('alice', asked[0] as MessageView, 'Send it')
  expect(await stage.holds('bot', 'member', 'bob')).toBe(50_000)
  expect(textOf(seen(stage, 'alice', channel, /tipped @Bob \*\*50,000/))).toContain('Alice')
})
