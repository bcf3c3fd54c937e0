import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** The text of SECURITY.md and of the page that lists attacks. */
const page = ['SECURITY.md', 'docs/internals/attacks.md']
  .map((file) => readFileSync(join(root, file), 'utf8').replace(/\s+/g, ' '))
  .join('\n')

it('security pages name only tests that exist', () => {
  const paths = [...page.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('security pages quote only test names that exist', () => {
  const tests = globSync('test/**/*.test.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  const quoted = [...page.matchAll(/\.test\.ts`? ((?:“[^”]+”(?:, )?)+)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/“([^”]+)”/g)].map(([, promise = '']) => promise),
  )
  expect(quoted.length).toBeGreaterThan(8)
  expect(quoted.filter((promise) => !tests.some((text) => text.includes(promise)))).toEqual([])
})

it('security pages name only scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = [...page.matchAll(/`npm run (\w+)`/g)].map(([, name = '']) => name)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
})
