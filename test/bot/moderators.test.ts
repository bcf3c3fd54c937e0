import { type Client, PermissionFlagsBits } from 'discord.js'
import { expect, test } from 'vitest'
import { moderatesIn } from '../../src/bot/people/moderators.ts'
import { buttons } from '../../src/bot/registry/buttons.ts'

interface Server {
  readonly available: boolean
  readonly ownerId: string
  readonly roles: { readonly cache: ReadonlyMap<string, { readonly permissions: { any(): boolean } }> }
}

const preferences = { inForce: async () => ({ moderatorRoles: ['helpers'] }) } as never
const role = (flags: bigint) => ({ permissions: { any: () => (flags & PermissionFlagsBits.ManageGuild) !== 0n } })

function server(change: Partial<Server> = {}): Server {
  const cache = new Map([
    ['managers', role(PermissionFlagsBits.ManageGuild)],
    ['regulars', role(PermissionFlagsBits.SendMessages)],
  ])
  return { available: true, ownerId: 'owner', roles: { cache }, ...change }
}

function ask(known: Server | undefined, member: string, ...roles: string[]) {
  const client = { guilds: { cache: new Map(known && [['guild', known]]) } } as unknown as Client
  return moderatesIn('guild', member, roles, client, { preferences })
}

test('only the owner, managers and members with a chosen role are moderators', async () => {
  expect(await ask(server(), 'owner')).toBe(true)
  expect(await ask(server(), 'ann', 'managers')).toBe(true)
  expect(await ask(server(), 'ann', 'helpers')).toBe(true)
  expect(await ask(server(), 'ann', 'regulars')).toBe(false)
})

// At a start, or while a server is unavailable, refusing would end its rules, schedules and keys for good.
test.each([
  ['has not sent the server’s data', undefined],
  ['has sent only the server’s ID', server({ available: false, ownerId: '', roles: { cache: new Map() } })],
])('the check for managers throws an error while Discord %s', async (_, known) => {
  await expect(ask(known, 'ann', 'managers')).rejects.toThrow('Discord has not sent the server guild')
  expect(await ask(known, 'ann', 'helpers')).toBe(true)
})

// Everybody sees these buttons, and somebody may have lost the right. The books are not asked.
test.each([
  'reward-approve',
  'reward-deny',
  'list-confirm',
  'list-file',
  'fundraiser-close',
  'pool-fill',
  'server-wallet',
  'server-wallet-end',
  'settings-changes',
  'settings-anonymous',
])('a person who is not a moderator cannot use the button %s', async (verb) => {
  const button = buttons.find((each) => each.verb === verb)
  const caller = { manager: false, roles: [], moderates: async () => false }
  const asking = { record: 'some-record', guild: 'guild', member: 'ann', caller, tipping: {} } as never
  const pressed = async () => (button !== undefined && 'open' in button ? button.open(asking) : button?.press(asking))
  await expect(pressed()).rejects.toMatchObject({ why: 'commandRefusals.moderators-only' })
})
