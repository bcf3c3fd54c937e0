import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import { openPlayground } from './open-playground.ts'
import { run } from './run.ts'

/** `npm run playground`: runs the playground, even if a Discord token is set. */
await run(async () => {
  const { values } = parseArgs({ options: { fresh: { type: 'boolean', default: false } } })
  return await openPlayground(readConfig(), values.fresh)
})
