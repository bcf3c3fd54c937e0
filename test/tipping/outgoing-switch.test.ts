import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Tx } from '../../src/tipping/core/database.ts'
import { OutgoingPaymentsSwitch } from '../../src/tipping/engine/outgoing/outgoing-payments-switch.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { warmTippingDatabase } from '../support/warm-databases.ts'

type Reading = Parameters<OutgoingPaymentsSwitch['load']>[0]
type Writing = Parameters<OutgoingPaymentsSwitch['pause']>[0]
type Pauses = readonly { source: string; reason: string }[]

function bookThat(findMany: () => Promise<Pauses>): Reading {
  return { database: { read: { outgoingPause: { findMany } } } } as unknown as Reading
}

it('the latest reading of the pauses counts, even if an earlier reading ends later', async () => {
  const answers: ((pauses: Pauses) => void)[] = []
  const book = bookThat(() => new Promise((resolve) => void answers.push(resolve)))
  const outgoing = new OutgoingPaymentsSwitch()
  const reads = [outgoing.load(book), outgoing.load(book)]
  answers[1]?.([{ source: 'operator', reason: 'looking' }])
  answers[0]?.([])
  await Promise.all(reads)
  expect(outgoing.paused).toEqual({ source: 'operator', reason: 'looking' })
})

it('of several pauses, the one for the wallet is named first and an operator’s last', async () => {
  const pauses = ['operator', 'restore', 'cover'].map((source) => ({ source, reason: `for ${source}` }))
  const outgoing = new OutgoingPaymentsSwitch()
  const refusals: unknown[] = []
  for (; pauses.length > 0; pauses.pop()) {
    await outgoing.load(bookThat(async () => [...pauses]))
    expect(outgoing.open).toBe(false)
    expect(outgoing.reason).toBe(pauses.at(-1)?.reason)
    try {
      outgoing.assertOutgoingEnabled()
    } catch (error) {
      refusals.push(error)
    }
  }
  expect(refusals).toMatchObject([
    { code: 'outgoing-paused', facts: {} },
    { code: 'outgoing-paused-after-restore', facts: {} },
    { code: 'outgoing-paused-by-operator', facts: { reason: 'for operator' } },
  ])
  await outgoing.load(bookThat(async () => []))
  expect(outgoing.open).toBe(true)
  outgoing.assertOutgoingEnabled()
})

it('a pause that could not be stored stays in force when another pause ends', async () => {
  const book = bookThat(async () => [])
  const full = Promise.reject(new Error('database or disk is full'))
  const outgoing = new OutgoingPaymentsSwitch()
  const commits = [() => full, async () => undefined]
  const context = { ...book, clock: new ManualClock(), commit: () => commits.shift()?.() } as unknown as Writing
  await expect(outgoing.pause(context, 'cover', 'too little')).rejects.toThrow('full')
  await outgoing.resume(context, 'operator', await outgoing.inForce(context))
  expect(outgoing.paused).toEqual({ source: 'cover', reason: 'too little' })
})

it('a process ends only pauses that it has read, and none that began after that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switch-'))
  const database = await warmTippingDatabase(join(folder, 'tipping.sqlite'))
  onTestFinished(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  const commit = ({ write }: { write: (tx: Tx) => Promise<unknown> }) => database.write.$transaction(write)
  const context = { database, clock: new ManualClock(), commit } as unknown as Writing
  const [one, other] = [new OutgoingPaymentsSwitch(), new OutgoingPaymentsSwitch()]
  const nothing = await one.inForce(context)
  await other.pause(context, 'operator', 'looking')
  const first = await one.inForce(context)
  await other.pause(context, 'cover', 'too little')
  await other.pause(context, 'operator', 'looking again')
  for (const then of [nothing, first]) expect(await one.resume(context, 'operator', then)).toBe(false)
  const both = await one.inForce(context)
  expect(await one.resume(context, 'cover', both)).toBe(true)
  expect(one.paused).toEqual({ source: 'operator', reason: 'looking again' })
  expect(await one.resume(context, 'operator', both)).toBe(true)
  expect(await one.resume(context, 'operator', both)).toBe(false)
  expect(one.open).toBe(true)
})

it('a pause that was never stored stays in force if it began while pauses were read', async () => {
  const answers: ((pauses: Pauses) => void)[] = []
  const book = bookThat(() => new Promise((resolve) => void answers.push(resolve)))
  const commit = () => Promise.reject(new Error('database or disk is full'))
  const context = { ...book, clock: new ManualClock(), commit } as unknown as Writing
  const outgoing = new OutgoingPaymentsSwitch()
  const reading = outgoing.inForce(context)
  await expect(outgoing.pause(context, 'operator', 'looking')).rejects.toThrow('full')
  answers[0]?.([])
  const ended = outgoing.resume(context, 'operator', await reading)
  answers[1]?.([])
  expect([await ended, outgoing.paused]).toEqual([false, { source: 'operator', reason: 'looking' }])
})
