import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorld } from '../playground/create-world.ts'
import { flows } from '../playground/tour/flows.ts'
import { Stage, type Teller } from '../playground/tour/stage.ts'
import { fail, takeNoOptions } from './run.ts'
import { createRuntime } from './runtime.ts'

/** `npm run tour`: plays the main flows in a world of their own, and exits 0 only if everything held. */
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
  takeNoOptions()
  mkdirSync(PICTURES, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'satchel-tour-'))
  try {
    await play(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log('\n   Everything held: every sat is where it belongs, and both books prove it.\n')
}

async function play(folder: string): Promise<void> {
  const world = await createWorld({ ...createRuntime({ logLevel: 'error' }), folder, gamertagReservedDays: 0 })
  try {
    const stage = new Stage(world, teller)
    for (const [i, flow] of flows.entries()) {
      teller.chapter(`${i + 1} of ${flows.length}: ${flow.title}`)
      await flow.play(stage)
    }
  } finally {
    await world.close()
  }
}

await main().catch(fail)
process.exit(0)
