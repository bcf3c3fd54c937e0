// Runs after every install. It is plain JavaScript, because an old Node must be able to read the error about itself.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const [major, minor] = process.versions.node.split('.').map(Number)
const root = join(import.meta.dirname ?? '.', '..')

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node ${process.versions.node} cannot run TypeScript. Either install with the development dependencies, which bring ` +
      'Node 24 along (npm ci), or use Node 24 for production (npm ci --omit=dev).',
  )
  process.exit(1)
}
if (existsSync(join(root, 'node_modules', 'prisma'))) await import('./generate-clients.ts')
else if (
  !['payments-service', 'tipping'].every((side) => existsSync(join(root, 'src', side, 'generated', 'client.ts')))
) {
  console.error(
    'The database clients are missing, and prisma, which generates them, is a development dependency. Run npm ci first, ' +
      'then npm prune --omit=dev.',
  )
  process.exit(1)
}
const { trimPackages } = await import('./trim-packages.ts')
trimPackages(root)
