import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from '../../../src/lib/folder-lock.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { lastOwnerIn, lastOwnerOn } from '../../../src/lib/ownership/last-owner.ts'

let folder: string
let unlock: () => void
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'last-owner-'))
  unlock = lockFolder(folder, 'bot', 'service')
})
afterEach(() => {
  unlock()
  for (const each of [folder, `${folder}-copy`]) rmSync(each, { recursive: true, force: true })
})

const open = (where = folder, name = 'bot') => lastOwnerIn(where, name, silentLogger)

test('a process finds in its folder the id of the last process with the same role', () => {
  expect(open().id).toBeUndefined()
  open().note('first')
  open().note('second')
  expect(open().id).toBe('second')
  expect(open(folder, 'service').id).toBeUndefined()
})

test('a service notes its id in its folder only if its book is on PostgreSQL', () => {
  unlock()
  const own = mkdtempSync(join(tmpdir(), 'last-owner-service-'))
  try {
    unlock = lockFolder(own, 'service')
    const onServer = () => lastOwnerOn('postgresql://satchel@127.0.0.1/satchel', own, 'service', silentLogger)
    onServer()?.note('first')
    expect(onServer()?.id).toBe('first')
    expect(lastOwnerOn(`file:${own}/payments.sqlite`, own, 'service', silentLogger)).toBeUndefined()
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
})

test('a copied folder names no last owner, because that owner may still be running', () => {
  open().note('first')
  unlock()
  cpSync(folder, `${folder}-copy`, { recursive: true })
  expect(open(`${folder}-copy`).id).toBeUndefined()
  expect(open().id).toBe('first')
})

test('an unreadable note counts as missing; failing to write a note raises no error', () => {
  writeFileSync(join(folder, 'bot-lease.json'), '{"holder": "fir')
  expect(open().id).toBeUndefined()
  unlock()
  rmSync(folder, { recursive: true })
  open().note('first')
  expect(() => readdirSync(folder)).toThrow()
})
