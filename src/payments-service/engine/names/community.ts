import type { CoreParts } from '../../core/core-parts.ts'

/** The title of a page if the community has no name. */
const NOBODYS = 'Satchel'
/** The most characters of a name that are shown: longer names are cut, so that the page keeps its layout. */
const MAX_LENGTH = 40

/**
 * Returns the name at the top of a page: that of the project that opened the wallet. A page for nobody in particular
 * bears the name of the project of the bot beside the service, or else of the only project. Without a bot, several
 * projects are equal, and the page is called Satchel.
 */
export async function communityOf(
  { database, ownProject }: Pick<CoreParts, 'database' | 'ownProject'>,
  projectId: string | null,
): Promise<string> {
  const id = projectId ?? ownProject()
  const projects = await database.read.project.findMany({
    ...(id !== undefined && { where: { id } }),
    select: { name: true },
    take: 2,
  })
  const [project] = projects
  const name = project === undefined || projects.length > 1 ? '' : project.name.trim()
  const letters = [...name]
  if (letters.length > MAX_LENGTH) return `${letters.slice(0, MAX_LENGTH).join('')}…`
  return name === '' ? NOBODYS : name
}
