import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemplate } from '../world/places.ts'
import { makeTemplateOnServer } from '../world/postgres/template.ts'
import { scratchFolder } from '../world/world.ts'

/**
 * Runs work with databases that their migrations made, in files or on a server, for worlds to copy. Removes the
 * databases afterwards.
 */
export async function withTemplate<Result>(
  onServer: boolean,
  work: (template: string) => Promise<Result>,
): Promise<Result> {
  const folder = scratchFolder()
  const server = onServer ? await makeTemplateOnServer() : undefined
  try {
    if (server !== undefined) return await work(server.url)
    const template = join(folder, 'template')
    await makeTemplate(template)
    return await work(template)
  } finally {
    rmSync(folder, { recursive: true })
    await server?.remove()
  }
}
