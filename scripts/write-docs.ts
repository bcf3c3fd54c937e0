import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedClients } from './clients/clients.ts'
import { commandsPage } from './docs/commands-page.ts'
import { publicApiPage } from './docs/public-api-page.ts'

/**
 * `npm run docs`: writes the pages and the clients that are generated from the code. A test fails if one of these files
 * is out of date.
 */
const docs = join(import.meta.dirname, '../docs')
writeFileSync(join(docs, 'COMMANDS.md'), commandsPage())
writeFileSync(join(docs, 'PUBLIC_API.md'), publicApiPage())
for (const [path, text] of generatedClients()) writeFileSync(join(import.meta.dirname, '..', path), text)
