import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsPage } from './docs/commands-page.ts'
import { publicApiPage } from './docs/public-api-page.ts'
import { termsPage } from './translations/terms.ts'

/** `npm run docs`: writes the pages that are made from the code. A test fails when one of them is out of date. */
const docs = join(import.meta.dirname, '../docs')
writeFileSync(join(docs, 'COMMANDS.md'), commandsPage())
writeFileSync(join(docs, 'PUBLIC_API.md'), publicApiPage())
writeFileSync(join(docs, 'internals/terms.md'), termsPage())
