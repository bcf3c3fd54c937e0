import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsPage } from './docs/commands-page.ts'

/** `npm run docs`: writes the pages that are made from the code. A test fails when one of them is out of date. */
writeFileSync(join(import.meta.dirname, '../docs/COMMANDS.md'), commandsPage())
