import type { CoreParts } from '../../core/core-parts.ts'

/** The title of a page if the community has no name. */
const NOBODYS = 'Satchel'
/** Longer names are cut, so that the page keeps its layout. */
const MAX_LENGTH = 40

/**
 * Returns the name at the top of a page: that of the project that opened the wallet, or of the service's only project.
 * If several projects share the service, a page for nobody in particular is called Satchel.
 */
export async function communityOf(
  { database }: Pick<CoreParts, 'database'>,
  projectId: string | null,
): Promise<string> {
  const projects = await database.read.project.findMany({
    ...(projectId !== null && { where: { id: projectId } }),
    select: { name: true },
    take: 2,
  })
  const [project] = projects
  const name = project === undefined || projects.length > 1 ? '' : project.name.trim()
  const letters = [...name]
  if (letters.length > MAX_LENGTH) return `${letters.slice(0, MAX_LENGTH).join('')}…`
  return name === '' ? NOBODYS : name
}
