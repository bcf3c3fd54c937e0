import type { Emulator } from './emulator.ts'
import { everyonesPermissions, permission } from './world/permissions.ts'

const dayMs = 24 * 3_600_000
const SERVER_NAME = 'Lightning Lounge'

/** The ids of the places, people and roles in the seeded world. */
export interface SeededWorld {
  readonly serverId: string
  readonly channels: Readonly<Record<'general' | 'tips' | 'giveaways' | 'mods', string>>
  /**
   * `owner` owns the server, and `operator` is its second administrator. `newcomer` has a brand-new account and has
   * just joined; `outsider` also has a brand-new account, but is in no server.
   */
  readonly people: Readonly<
    Record<'alice' | 'bob' | 'carol' | 'dave' | 'mod' | 'owner' | 'operator' | 'newcomer' | 'outsider', string>
  >
  readonly roles: Readonly<Record<'moderators' | 'regulars', string>>
}

/**
 * Creates the world with which the playground starts. Its server "Lightning Lounge" has four channels (#mods is for
 * moderators only), five members whose accounts are years old, one of whom is a moderator (Manage Server), an owner, a
 * second administrator, and a newcomer. An outsider has only found the bot's profile. `now` is in Unix milliseconds. An
 * existing world gets only the second administrator and the outsider, if it lacks them.
 */
export function seedWorld(emulator: Emulator, now: number): SeededWorld {
  if (emulator.world.servers().length === 0) plant(emulator, now)
  addOperator(emulator, now)
  addOutsider(emulator, now)
  return findSeeds(emulator)
}

function addOperator({ world }: Emulator, now: number): void {
  const server = world.servers().find(({ name }) => name === SERVER_NAME)
  if (server === undefined || world.findPerson('operator') !== undefined) return
  const { id } = world.createPerson({ username: 'operator', createdAt: now - 2000 * dayMs, avatarColor: '#5c7cfa' })
  const { administrator } = permission
  const operators = world.createRole(server.id, {
    name: 'Operators',
    permissions: everyonesPermissions | administrator,
    color: 0x5c_7c_fa,
    hoist: true,
  })
  world.addMember(server.id, id, { roleIds: [operators.id], joinedAt: now - 800 * dayMs })
}

function addOutsider(emulator: Emulator, now: number): void {
  if (emulator.world.findPerson('outsider') !== undefined) return
  const { id } = emulator.world.createPerson({ username: 'outsider', createdAt: now, avatarColor: '#0c8599' })
  emulator.as(id).openDm(emulator.applicationId)
}

function plant({ world }: Emulator, now: number): void {
  const person = (username: string, ageDays: number, avatarColor: string) =>
    world.createPerson({ username, createdAt: now - ageDays * dayMs, avatarColor }).id
  const mod = person('mod', 2600, '#c92a2a')
  const server = world.createServer({ name: SERVER_NAME, ownerId: person('lounge-owner', 3000, '#495057') })
  // Each new role ranks above the earlier ones.
  const regulars = world.createRole(server.id, { name: 'Regulars', color: 0xf5_9f_00, mentionable: true, hoist: true })
  const moderators = world.createRole(server.id, {
    name: 'Moderators',
    permissions: everyonesPermissions | permission.manageGuild | permission.manageMessages | permission.mentionEveryone,
    color: 0xe0_31_31,
    mentionable: true,
    hoist: true,
  })
  world.addMember(server.id, mod, { roleIds: [moderators.id], joinedAt: now - 900 * dayMs })
  for (const [username, ageDays, color, joinedDays, roleIds] of [
    ['alice', 1800, '#ae3ec9', 700, [regulars.id]],
    ['bob', 1500, '#1971c2', 600, [regulars.id]],
    ['carol', 900, '#2f9e44', 300, []],
    ['dave', 400, '#e8590c', 90, []],
    ['newcomer', 0, '#868e96', 0, []],
  ] as const)
    world.addMember(server.id, person(username, ageDays, color), { roleIds, joinedAt: now - joinedDays * dayMs })
  world.createChannel(server.id, { name: 'general', topic: 'Say hello, and tip what you like.' })
  world.createChannel(server.id, { name: 'tips', topic: 'Sats for good deeds.' })
  world.createChannel(server.id, { name: 'giveaways', topic: 'Drops, rains and giveaways.' })
  world.createChannel(server.id, { name: 'mods', topic: 'Moderators only.', onlyRoleIds: [moderators.id] })
}

function findSeeds({ world }: Emulator): SeededWorld {
  const server = world.servers().find(({ name }) => name === SERVER_NAME)
  const channel = (name: string) => found(server?.channels.find((each) => each.name === name)?.id, `#${name}`)
  const person = (name: string) => found(world.findPerson(name)?.id, name)
  const role = (name: string) => found(server?.roles.find((each) => each.name === name)?.id, `@${name}`)
  return {
    serverId: found(server?.id, SERVER_NAME),
    channels: {
      general: channel('general'),
      tips: channel('tips'),
      giveaways: channel('giveaways'),
      mods: channel('mods'),
    },
    people: {
      alice: person('alice'),
      bob: person('bob'),
      carol: person('carol'),
      dave: person('dave'),
      mod: person('mod'),
      owner: person('lounge-owner'),
      operator: person('operator'),
      newcomer: person('newcomer'),
      outsider: person('outsider'),
    },
    roles: { moderators: role('Moderators'), regulars: role('Regulars') },
  }
}

function found(id: string | undefined, name: string): string {
  if (id === undefined) throw new Error(`the stored world has no ${name}: start with a fresh world`)
  return id
}
