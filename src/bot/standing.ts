import { type Interaction, PermissionFlagsBits } from 'discord.js'
import type { Standing } from './command.ts'

/** What Discord says of whoever caused an interaction. */
export function standingOf({ user, member, memberPermissions }: Interaction): Standing {
  const known = member !== null && 'joinedAt' in member ? member : undefined
  const joinedAt = known?.joinedAt ?? (member !== null && 'joined_at' in member ? member.joined_at : null)
  const roles = member === null ? [] : Array.isArray(member.roles) ? member.roles : [...member.roles.cache.keys()]
  return {
    accountSince: user.createdAt,
    memberSince: joinedAt === null ? undefined : new Date(joinedAt),
    roles,
    moderator: memberPermissions?.has(PermissionFlagsBits.ManageGuild) ?? false,
  }
}
