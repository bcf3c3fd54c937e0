import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generatedClients } from '../../scripts/clients/clients.ts'
import { operations } from '../../src/payments-api/payments-api.ts'

const root = join(import.meta.dirname, '../..')
const generated = generatedClients()

it.each([...generated.keys()])('%s is what npm run docs generates from the interface', (path) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(generated.get(path))
})

it('both clients have a method for each operation of the service', () => {
  const [inTypeScript = '', inPython = ''] = ['typescript/src/generated/payments.ts', 'python/satchel/payments.py'].map(
    (path) => generated.get(`clients/${path}`),
  )
  for (const name of Object.keys(operations)) {
    expect(inTypeScript).toMatch(new RegExp(`^  ${name}\\(`, 'm'))
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    expect(inPython).toMatch(new RegExp(`^    def ${snake}\\(`, 'm'))
  }
})
