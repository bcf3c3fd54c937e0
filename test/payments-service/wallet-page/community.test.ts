import { afterEach, expect, it } from 'vitest'
import { ServiceWorld } from '../harness.ts'

let world: ServiceWorld

afterEach(() => world.close())

/** Opens a service whose first project is a shop, and whose second is a community. */
async function openWithTwo(isBotBeside: boolean) {
  let own: string | undefined
  world = await ServiceWorld.open({ ownProject: () => own })
  await world.administration.createProject('Shop')
  const { projectId } = await world.administration.createProject('Tea House')
  if (isBotBeside) own = projectId
}

async function publicPages(): Promise<readonly string[]> {
  return await Promise.all(['/', '/wallet'].map(async (path) => (await world.raw('GET', path)).text))
}

it('public pages show the name of the project whose bot runs beside the service', async () => {
  await openWithTwo(true)
  for (const page of await publicPages()) {
    expect(page).toContain('Tea House')
    expect(page).not.toContain('Shop')
  }
})

it('public pages name no project if there are several projects and no bot', async () => {
  await openWithTwo(false)
  for (const page of await publicPages()) {
    expect(page).toContain('Satchel')
    expect(page).not.toMatch(/Tea House|Shop/)
  }
})
