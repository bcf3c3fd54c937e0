import type { Html } from '../../lib/web/html.ts'
import { viewerOf } from './admission.ts'
import type { ServiceAdministration } from './console.ts'
import { drawService, type Listed, type ServiceShown } from './draw-service.ts'
import type { Outcome } from './frame.ts'
import type { Site, Visitor } from './site.ts'

/** The maximum number of lines that the page shows of each list. */
const [MAX_PROJECTS, MAX_USERS, MAX_CALLBACKS] = [20, 50, 50] as const

/**
 * Draws the service's page. `query` may say where a list continues: `projects` after an id, `users` after a gamertag.
 */
export async function servicePage(site: Site, visitor: Visitor, outcome: Outcome, query?: unknown): Promise<Html> {
  const service = site.parts.atService()
  const shown = service && (await read(service, query ?? {}))
  return drawService({ viewer: viewerOf(site, visitor), shown, ...outcome })
}

async function read(service: ServiceAdministration, query: object): Promise<ServiceShown> {
  const { projects: afterProject, users: afterUser } = query as Record<string, unknown>
  const [projects, users, callbacks] = await Promise.all([
    service.listProjects(textOf(afterProject)),
    service.listUsers(textOf(afterUser)),
    service.listCallbacks(),
  ])
  const listed = listOf(projects, MAX_PROJECTS, ({ projectId }) => projectId)
  const withKeys = listed.lines.map(async (project) => ({ project, keys: await service.listKeys(project.projectId) }))
  // Callbacks that the service gave up need a person; the others continue without help.
  const byNeed = callbacks.toSorted((one, other) => Number(one.state === 'waiting') - Number(other.state === 'waiting'))
  return {
    projects: { ...listed, lines: await Promise.all(withKeys) },
    ownProject: service.ownProject,
    users: listOf(users, MAX_USERS, ({ gamertag }) => gamertag),
    callbacks: byNeed.slice(0, MAX_CALLBACKS),
  }
}

function listOf<Line>(all: readonly Line[], most: number, nameOf: (line: Line) => string): Listed<Line> {
  const lines = all.slice(0, most)
  const last = lines.at(-1)
  return { lines, next: all.length > most && last !== undefined ? nameOf(last) : undefined }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : undefined
}
