import { expect, it } from 'vitest'
import { OutgoingPaymentsSwitch } from '../../src/tipping/machines/outgoing/outgoing-payments-switch.ts'

type Reading = Parameters<OutgoingPaymentsSwitch['load']>[0]

it('goes by the read that began last, in whichever order the answers come', async () => {
  const answers: ((pauses: readonly { source: string; reason: string }[]) => void)[] = []
  const findMany = () => new Promise((resolve) => void answers.push(resolve))
  const book = { database: { read: { outgoingPause: { findMany } } } } as unknown as Reading
  const outgoing = new OutgoingPaymentsSwitch()
  const reads = [outgoing.load(book), outgoing.load(book)]
  answers[1]?.([{ source: 'operator', reason: 'looking' }])
  answers[0]?.([])
  await Promise.all(reads)
  expect(outgoing.paused).toEqual({ source: 'operator', reason: 'looking' })
})
