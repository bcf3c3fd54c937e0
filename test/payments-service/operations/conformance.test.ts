import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { operations } from '../../../src/payments-api/payments-api.ts'

const SELF = 'conformance.test.ts'
const fileOf = (name: string) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.test.ts`
const files = readdirSync(import.meta.dirname)

it('the folder has one test file for each operation and no others', () => {
  const wanted = Object.keys(operations).map(fileOf)
  expect(files.filter((file) => file !== SELF).sort()).toEqual(wanted.sort())
})

it.each(Object.keys(operations))('the test file of %s ends by requiring a test for each promise', (name) => {
  const source = readFileSync(join(import.meta.dirname, fileOf(name)), 'utf8')
  expect(source.trimEnd().split('\n').at(-1)).toBe(`itKeepsEveryPromise(operations.${name})`)
})
