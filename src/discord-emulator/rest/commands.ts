import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Core } from '../core/core.ts'
import { type CheckedCommand, checkAllCommands, checkOneCommand, maxCommands } from '../rules/commands.ts'
import {
  invalidForm,
  missingAccess,
  tooManyCommands,
  unknownApplication,
  unknownCommand,
  unknownGuild,
} from '../rules/refusal.ts'
import { commandPayload } from '../world/payloads.ts'
import type { CommandRecord } from '../world/records.ts'
import { jsonOf, param, rawJsonOf } from './read.ts'

/** Serves the registration of commands, both everywhere and for one server. */
export function serveCommands(api: FastifyInstance, core: Core): void {
  for (const scope of ['', '/guilds/:guild']) serveScope(api, core, `/applications/:application${scope}/commands`)
}

function serveScope(api: FastifyInstance, core: Core, base: string): void {
  const { world } = core
  const shown = (command: CommandRecord) => commandPayload(world, command)
  api.get(base, async (request) => world.commandsOf(scopeOf(core, request)).map(shown))
  api.put(base, async (request) => {
    const bodies = rawJsonOf(request)
    if (!Array.isArray(bodies))
      throw invalidForm([{ path: [], code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' }])
    return replaceAll(core, scopeOf(core, request), checkAllCommands(bodies)).map(shown)
  })
  api.post(base, async (request, reply) => {
    const guildId = scopeOf(core, request)
    const checked = checkOneCommand(jsonOf(request))
    const known = sameName(core, guildId, checked)
    if (known === undefined) refuseTooMany([...world.commandsOf(guildId), checked])
    const command = keep(core, guildId, checked, known)
    tellObservers(core)
    return reply.code(known === undefined ? 201 : 200).send(shown(command))
  })
  api.get(`${base}/:command`, async (request) => shown(commandOf(core, request)))
  api.patch(`${base}/:command`, async (request) => {
    const known = commandOf(core, request)
    const { id: _id, application_id: _application, version: _version, ...current } = shown(known)
    const command = keep(core, known.guildId, checkOneCommand({ ...current, ...jsonOf(request) }), known)
    tellObservers(core)
    return shown(command)
  })
  api.delete(`${base}/:command`, async (request, reply) => {
    world.removeCommand(commandOf(core, request))
    tellObservers(core)
    return reply.code(204).send()
  })
}

function scopeOf(core: Core, request: FastifyRequest): string | null {
  if (param(request, 'application') !== core.world.applicationId) throw unknownApplication()
  if (param(request, 'guild') === '') return null
  // Commands of a server need no bot in it: https://docs.discord.com/developers/interactions/application-commands#authorizing-your-application
  const guild = core.world.guilds.get(param(request, 'guild'))
  if (guild === undefined) throw unknownGuild()
  if (!guild.hasApplication) throw missingAccess()
  return guild.id
}

function commandOf(core: Core, request: FastifyRequest): CommandRecord {
  const command = core.world.commands.get(param(request, 'command'))
  if (command === undefined || command.guildId !== scopeOf(core, request)) throw unknownCommand()
  return command
}

/**
 * Applies a bulk registration. A registered command of the same kind and name keeps its id; all other registered
 * commands are removed.
 */
function replaceAll(core: Core, guildId: string | null, checked: readonly CheckedCommand[]): CommandRecord[] {
  refuseTooMany(checked)
  const before = core.world.commandsOf(guildId)
  const stored = checked.map((command) => keep(core, guildId, command, sameName(core, guildId, command)))
  const ids = new Set(stored.map(({ id }) => id))
  for (const command of before) if (!ids.has(command.id)) core.world.removeCommand(command)
  tellObservers(core)
  return stored
}

function refuseTooMany(commands: readonly { readonly type: number }[]): void {
  for (const [type, max] of Object.entries(maxCommands))
    if (commands.filter((command) => command.type === Number(type)).length > max) throw tooManyCommands(max)
}

function sameName(core: Core, guildId: string | null, { type, name }: CheckedCommand): CommandRecord | undefined {
  return core.world.commandsOf(guildId).find((command) => command.type === type && command.name === name)
}

function keep(
  core: Core,
  guildId: string | null,
  checked: CheckedCommand,
  known: CommandRecord | undefined,
): CommandRecord {
  const version = core.world.nextId()
  const command: CommandRecord = { ...checked, id: known?.id ?? version, guildId, version }
  core.world.saveCommand(command)
  return command
}

function tellObservers(core: Core): void {
  core.tellObservers(() => ({ type: 'world', visibleTo: null }))
}
