import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { Browser } from '../payments-service/wallet-page/browser.ts'
import { openWarm } from '../support/warm-databases.ts'

it('the wallet page shows the name of the bot’s server before and after sign-in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'community-'))
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const world = await createWorld({ ...runtime, folder, openDatabases: openWarm })
  try {
    const server = world.emulator.world.servers().find(({ id }) => id === world.cast.server)
    const browser = new Browser(world.service)
    const signIn = new URL(await world.service.walletLink('alice'))
    const before = await browser.open(signIn.pathname + signIn.search)
    const after = await browser.submit('/wallet/sign-in')
    for (const { root } of [before, after, await new Browser(world.service).open('/wallet')]) {
      expect(root.querySelector('.brand')?.textContent).toBe(server?.name)
      expect(root.querySelector('title')?.textContent).toContain(`· ${server?.name}`)
    }
    // The community's gifts come from it by name.
    const [project] = await world.service.administration().listProjects()
    expect(project?.name).toBe(server?.name)
  } finally {
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
