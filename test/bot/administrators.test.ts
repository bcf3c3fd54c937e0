import { Collection, PermissionFlagsBits, PermissionsBitField } from 'discord.js'
import { expect, it } from 'vitest'
import { peopleOfServers } from '../../src/bot/rules/people-of-servers.ts'

const [GUILD, OWNER, ADMIN, MEMBER] = ['1', '2', '3', '4']

function people(rolesOf: Record<string, readonly string[]>) {
  const role = (...bits: bigint[]) => ({ permissions: new PermissionsBitField(bits) })
  const roles = new Collection(
    Object.entries({
      [GUILD]: role(PermissionFlagsBits.SendMessages),
      admins: role(PermissionFlagsBits.Administrator),
      managers: role(PermissionFlagsBits.ManageGuild),
    }),
  )
  const guilds = new Collection([[GUILD, { ownerId: OWNER, roles: { cache: roles } }]])
  const known = async (_guild: string, member: string) => {
    if (member === 'nobody hears') throw new Error('Discord is away')
    const held = rolesOf[member]
    return held && { roles: held }
  }
  const options = { members: { known }, servers: { learn: async () => {} }, serverLocale: () => 'en', tipping: {} }
  return peopleOfServers({ guilds: { cache: guilds } } as never, options as never)
}

it.each([
  ['accepts the owner', OWNER, true],
  ['accepts an administrator', ADMIN, true],
  ['rejects a member who can only manage the server', MEMBER, false],
  ['rejects somebody who has left', '5', false],
])('the check for administrators %s', async (_, member, is) => {
  const { administrates } = people({ [OWNER]: [], [ADMIN]: ['admins'], [MEMBER]: ['managers'] })
  expect(await administrates(GUILD, member)).toBe(is)
})

it('the check for administrators fails if Discord is away or has not sent the server', async () => {
  await expect(people({}).administrates(GUILD, 'nobody hears')).rejects.toThrow('Discord is away')
  await expect(people({ [ADMIN]: ['admins'] }).administrates('6', ADMIN)).rejects.toThrow(
    'Discord has not sent the server',
  )
})
