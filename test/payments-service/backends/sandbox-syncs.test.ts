import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import {
  createSandboxNetwork,
  type SandboxNetwork,
} from '../../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { ManualClock } from '../../support/manual-clock.ts'

/** Tests a sandbox whose syncs to disk end when the test ends them. */

let folder: string
let network: SandboxNetwork
/** The syncs under way, each with functions that end it. */
let syncs: { end: () => void; fail: (error: Error) => void }[]
let begun: number
/** Whether every sync ends immediately, so that the world can close. */
let freely: boolean

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-syncs-'))
  syncs = []
  begun = 0
  freely = false
  network = open()
})
afterEach(async () => {
  freely = true
  for (const { end } of syncs.splice(0)) end()
  await network.close()
  rmSync(folder, { recursive: true })
})

function open(): SandboxNetwork {
  return createSandboxNetwork({
    file: join(folder, 'sandbox.sqlite'),
    clock: new ManualClock(),
    entropy: systemEntropy,
    fetch: () => Promise.reject(new Error('this wallet asks nobody')),
    groupSyncs: true,
    syncFile: () => {
      begun += 1
      if (freely) return Promise.resolve()
      return new Promise((end, fail) => syncs.push({ end, fail }))
    },
  })
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const newInvoice = () =>
  network.backend.createInvoice({ amount: sats(5), description: { text: 'tea' }, expiresInSeconds: 60 })

/** Resolves to whether a promise has settled. */
async function hasEnded(promise: Promise<unknown>): Promise<boolean> {
  let ended = false
  const note = () => {
    ended = true
  }
  promise.then(note, note)
  await turn()
  return ended
}

describe('a change of the sandbox with grouped syncs', () => {
  it.each([
    ['a new invoice', () => newInvoice()],
    [
      'a payment',
      () => {
        const { invoice, paymentHash } = network.outside.createInvoice({ amount: sats(5) })
        return network.backend.pay({ invoice, paymentHash, amount: undefined, maxFee: sats(10), timeoutMs: 1_000 })
      },
    ],
    [
      'a look-up of a payment',
      () => {
        network.outside.createInvoice({ amount: sats(5) })
        return network.backend.lookUpPayment('0'.repeat(64))
      },
    ],
    [
      'an arrival',
      async () => {
        const stop = new AbortController()
        await network.outside.keysend(msats(1_000))
        for await (const settlement of network.backend.settledInvoices(undefined, stop.signal)) return settlement
      },
    ],
  ])('is reported only after it is on the disk (%s)', async (_what, change) => {
    const told = change()
    expect(await hasEnded(told)).toBe(false)
    expect(begun).toBe(1)
    syncs.shift()?.end()
    expect(await hasEnded(told)).toBe(true)
    await told
  })

  it('shares one sync with simultaneous changes but not a sync that is under way', async () => {
    const first = [newInvoice(), newInvoice(), newInvoice()]
    await turn()
    expect(begun).toBe(1)
    const second = [newInvoice(), newInvoice()]
    await turn()
    expect(begun).toBe(1)
    syncs.shift()?.end()
    await Promise.all(first)
    expect(await hasEnded(Promise.race(second))).toBe(false)
    expect(begun).toBe(2)
    syncs.shift()?.end()
    await Promise.all(second)
    expect(await hasEnded(network.backend.balances())).toBe(true)
    expect(begun).toBe(2)
  })

  it('is not reported as done after a failed sync until the file is reopened', async () => {
    const lost = newInvoice()
    await turn()
    syncs.shift()?.fail(new Error('EIO'))
    await expect(lost).rejects.toThrow('EIO')
    const later = newInvoice()
    await turn()
    freely = true
    syncs.shift()?.end()
    await expect(later).rejects.toThrow('EIO')
    await network.close()
    network = open()
    expect((await newInvoice()).invoice).toMatch(/^lnbcrt50n/)
  })

  it('survives a restart', async () => {
    freely = true
    const { paymentHash } = await newInvoice()
    await network.close()
    network = open()
    expect(await network.backend.lookUpInvoice(paymentHash)).toEqual({ state: 'open' })
  })
})
