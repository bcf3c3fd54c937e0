import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Locked {
  readonly gypfile?: boolean
}

// npm ci knows a package's manifest from the lock file alone, and npm leaves this one field out when it writes it: then
// it looks for Python and Node's headers, also where the package brings its binaries along.
test('npm ci compiles nothing, because package-lock.json names bundled binaries', () => {
  const root = join(import.meta.dirname, '..', '..')
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const packages = Object.entries(lock.packages as Record<string, Locked>)
  const wouldCompile = packages
    .filter(([path, { gypfile }]) => path !== '' && gypfile !== false && existsSync(join(root, path, 'binding.gyp')))
    .map(([path]) => `Add "gypfile": false to "${path}" in package-lock.json.`)
  expect(wouldCompile).toEqual([])
})
