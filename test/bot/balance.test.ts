import { expect, it } from 'vitest'
import { balance } from '../../src/bot/balances/command.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import type { Call } from '../../src/bot/interactions/command.ts'
import { msats } from '../../src/lib/money/amount.ts'

const invoiceOf = (nth: number) => `lnbc${nth}1${'q'.repeat(990)}end`

it('without web pages, /balance shows only as many invoices as fit in full', async () => {
  const zero = msats(0n)
  const sums = { available: zero, inFlight: zero, unclaimed: undefined, waitingForOthers: zero, sentToGamertag: zero }
  const openDeposits = [1, 2, 3, 4, 5].map((nth) => ({ amount: msats(5_000n), card: '', invoice: invoiceOf(nth) }))
  const view = { ...sums, link: undefined, forwarding: undefined, keepHere: zero, openDeposits, unpaidTips: [] }
  const nothing = async () => undefined
  const tipping = {
    balances: { view: async () => view },
    addresses: { mine: async () => [] },
    ownWallets: { mine: nothing, holds: nothing },
  }
  const t = createTranslators(() => true)('en')
  const call = { member: 'alice', guild: null, tipping, links: { pay: () => undefined }, t }
  const { say } = await balance.run(call as unknown as Call)
  const text = say.embeds[0]?.description ?? ''
  expect(text).toContain('5 deposits are waiting to be paid.')
  expect(text.match(/`lnbc\d1q+end`/g)).toHaveLength(3)
  expect(text.match(/lnbc/g)).toHaveLength(3)
})
