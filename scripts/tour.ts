import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLndScene } from '../proof/nodes/lnd-scene.ts'
import { fail } from '../src/cli/run.ts'
import { createRuntime } from '../src/cli/runtime.ts'
import { Problem } from '../src/lib/problem.ts'
import { createWorld } from '../src/playground/create-world.ts'
import type { Flow } from '../src/playground/flows/flow.ts'
import { flows } from '../src/playground/flows/flows.ts'
import { Stage, type Teller } from '../src/playground/flows/stage.ts'

/**
 * `npm run tour -- [--backend sandbox|lnd]`: plays the main flows in a world of their own, and exits with 0 only if
 * every check held. With `lnd`, the service's sats are on a real lnd node, in a separate network on this machine.
 */
const PICTURES = 'tour'

const teller: Teller = {
  chapter: (title) => console.log(`\n── ${title}\n`),
  line: (text) => console.log(`   ${text}`),
  picture(name, png) {
    const file = join(PICTURES, `${name}.png`)
    writeFileSync(file, png)
    console.log(`   🖼  ${file}`)
  },
}

async function main(): Promise<void> {
  const { backend } = parseArgs({ options: { backend: { type: 'string', default: 'sandbox' } } }).values
  if (backend !== 'sandbox' && backend !== 'lnd') {
    throw new Problem(`--backend must be sandbox or lnd, not "${backend}"`)
  }
  mkdirSync(PICTURES, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'satchel-tour-'))
  try {
    if (backend === 'sandbox') await play(folder, flows, {})
    else await playOnLnd(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const books = backend === 'sandbox' ? 'both books prove it' : 'all three books prove it'
  console.log(`\n   Everything held: every sat is where it belongs, and ${books}.\n`)
}

async function playOnLnd(folder: string): Promise<void> {
  const scene = await createLndScene(teller)
  try {
    await play(folder, scene.flows, { realNode: scene.realNode })
  } finally {
    await scene.close()
  }
}

async function play(folder: string, played: readonly Flow[], options: object): Promise<void> {
  const runtime = createRuntime({ logLevel: 'error' })
  const world = await createWorld({ ...runtime, folder, gamertagReservedDays: 0, ...options })
  try {
    const stage = new Stage(world, teller)
    for (const [i, flow] of played.entries()) {
      teller.chapter(`${i + 1} of ${played.length}: ${flow.title}`)
      await flow.play(stage)
    }
  } finally {
    await world.close()
  }
}

await main().catch(fail)
process.exit(0)
