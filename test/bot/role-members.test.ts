import { expect, it } from 'vitest'
import { createGuildMembers } from '../../src/bot/people/guild-members.ts'
import { ManualClock } from '../support/manual-clock.ts'

const ROLE = '77'

/**
 * Returns a server with this many members, listed as Discord does: a thousand at a time, by their ids. Every third
 * member has the role.
 */
function serverOf(count: number) {
  const asked: string[] = []
  const everybody = Array.from({ length: count }, (_, index) => ({
    user: { id: String(10_000 + index), username: `user-${index}`, global_name: null, bot: index % 30 === 0 },
    ...{ nick: null, roles: index % 3 === 0 ? [ROLE] : [], joined_at: '2020-01-01T00:00:00Z' },
  }))
  const get = async (route: string, options?: { query?: URLSearchParams }) => {
    if (route.endsWith('/roles/member-counts'))
      return { [ROLE]: everybody.filter(({ roles }) => roles.length > 0).length }
    const after = Number(options?.query?.get('after') ?? '0')
    const limit = Number(options?.query?.get('limit') ?? '1')
    asked.push(String(after))
    return everybody.filter(({ user }) => Number(user.id) > after).slice(0, limit)
  }
  return { members: createGuildMembers({ get } as never, new ManualClock()), asked }
}

it('a role with too many members is refused before its members are listed', async () => {
  const { members, asked } = serverOf(6_000)
  await expect(members.withRole('1', ROLE, 1_999)).rejects.toMatchObject({ name: 'CommandRefusal' })
  expect(asked).toEqual([])
  expect(await members.withRole('1', ROLE, 2_000)).toHaveLength(2_000)
})

it('for a role that nobody has, the server’s members are not listed', async () => {
  const { members, asked } = serverOf(6_000)
  expect(await members.withRole('1', '78')).toEqual([])
  expect(asked).toEqual([])
})

it.each([
  [999, 1],
  [1_000, 1],
  [1_001, 1],
  [1_003, 2],
  [3_500, 4],
])('a server’s %d members are listed until everybody with the role is found', async (count, pages) => {
  const { members, asked } = serverOf(count)
  const found = await members.withRole('1', ROLE)
  expect(found).toHaveLength(Math.ceil(count / 3))
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
  expect(found.at(-1)?.id).toBe(String(10_000 + 3 * (Math.ceil(count / 3) - 1)))
  expect(asked).toHaveLength(pages)
  // Everybody has the role with the server's own id.
  expect(await members.withRole(ROLE, ROLE)).toHaveLength(count)
})

it('a role in a server with too many members is refused rather than listed in part', async () => {
  await expect(serverOf(60_000).members.withRole('1', ROLE)).rejects.toMatchObject({ name: 'CommandRefusal' })
})
