import { describe, expect, it } from 'vitest'
import { sats, ZERO } from '../../src/lib/money/amount.ts'
import { drawPage } from '../../src/web/operators-page/draw-page.ts'
import type { OperatorsFigures } from '../../src/web/operators-page/figures.ts'

const NOW = Date.UTC(2030, 0, 2)
const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1_000)

const FIGURES: OperatorsFigures = {
  bot: {
    status: { proven: undefined, inFlight: { count: 0, oldestSince: undefined }, paused: undefined },
    ...{
      ending: undefined,
      pauses: [],
      node: 'ready',
      unknown: [],
      suspense: ZERO,
      operator: ZERO,
      audits: [],
      alerts: [],
    },
  },
  names: new Map(),
  movement: { days: [], points: [120, 60].map((ago) => ({ at: at(ago), owed: sats(1), wallet: sats(2) })) },
  ...{ testMoney: true, since: at(3_600), provider: '127.0.0.1:8787' },
  service: {
    node: { ready: true, reason: undefined, spendable: sats(100_000_515_000), receivable: sats(30_000) },
    unknown: { count: 0, oldestMs: 0 },
    callbacks: { waiting: 0, deadLettered: 0, oldestMs: 0 },
  },
}

const page = (figures: OperatorsFigures) => drawPage(figures, { id: '1', name: 'Olivia' }, NOW).text

describe('the operators’ page', () => {
  it('writes all dates in one format', () => {
    const text = page(FIGURES)
    expect(text).toContain('Jan 1, 2030, 23:58 UTC')
    expect(text).not.toMatch(/\d+\/\d+\/\d+/)
  })

  it('shows people in alerts by name if Discord knows them, and otherwise by id', () => {
    const alerts = [
      {
        id: 1,
        kind: 'outgoing-paused',
        text: '<@12> paused outgoing payments, and <@13> ended the pause',
        at: at(60),
        told: true,
      },
    ]
    const text = page({ ...FIGURES, bot: { ...FIGURES.bot, alerts }, names: new Map([['12', 'Olivia']]) })
    expect(text).toContain('@Olivia paused outgoing payments, and @13 ended the pause')
  })

  it('shows liquidity for real sats, but not for a sandbox, which has no limit', () => {
    expect(page(FIGURES)).toMatch(/Can send<\/span><b[^>]*>as much as you like<[\s\S]*>30,000 test sats</)
    expect(page({ ...FIGURES, testMoney: false })).toContain('>100,000,515,000 sats<')
  })
})
