import { expect, test } from 'vitest'
import { adminAudit, adminResume, adminUnknown } from '../../src/bot/administration/command.ts'
import { createAlertSender } from '../../src/bot/alerts/alert-sender.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import type { Call, Outcome } from '../../src/bot/interactions/command.ts'
import type { Message } from '../../src/bot/messages/message.ts'
import { cut, panel } from '../../src/bot/messages/panel.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats, ZERO } from '../../src/lib/money/amount.ts'
import type { AlertView, Audit, UnknownPayment } from '../../src/tipping/tipping.ts'

const t = createTranslators(() => true)('en')
/** A text in which every character must be escaped, so that it doubles in length. */
const marks = '_*'.repeat(500)

function call(administration: object): Call {
  return { tipping: { administration }, t } as unknown as Call
}

function embedOf(outcome: Outcome) {
  const { embeds = [] } = (outcome as { say: Message }).say
  return embeds[0] ?? {}
}

test('/admin unknown shows as many payments as fit, and says so if there are more', async () => {
  const payment: UnknownPayment = {
    ...{ kind: 'payout', id: '01a1feb6-0d8f-7637-9ab2-8ef71f9eb094', member: '1', amount: sats(5), to: marks },
    ...{ since: new Date(0), evidence: marks, remoteId: marks, decided: undefined },
    proposal: { outcome: 'paid', amount: undefined, by: '2', reason: marks },
  }
  const unknown = async (limit: number) => Array.from({ length: Math.min(limit, 8) }, () => payment)
  const { description = '', footer } = embedOf(await adminUnknown.run(call({ unknown })))
  expect(description.length).toBeLessThanOrEqual(4_096)
  expect(description.match(/<@1>/g)?.length).toBeGreaterThan(1)
  expect(footer?.text).toBe('There are more; decide these first.')
  const few = async () => [payment]
  expect(embedOf(await adminUnknown.run(call({ unknown: few }))).footer).toBeUndefined()
})

test('an audit with very many faults still shows the sats owed and held', async () => {
  const audit = async (): Promise<Partial<Audit>> => ({
    ...{ holds: false, faults: Array(200).fill(marks), owed: sats(7), expected: sats(8), wallet: sats(3) },
    ...{ mayHaveLeft: ZERO, mayHaveArrived: ZERO, operator: ZERO, suspense: ZERO, openOperations: 4 },
    paused: [],
  })
  const { description = '' } = embedOf(await adminAudit.run(call({ audit })))
  expect(description.length).toBeLessThanOrEqual(4_096)
  expect(description).toMatch(
    /Owed in total: \*\*7 test sats[\s\S]*The wallet holds: \*\*3 test sats[\s\S]*4 payments are/,
  )
})

test('an audit after a restore names each pause, and says how each pause ends', async () => {
  const audit = async (): Promise<Partial<Audit>> => ({
    ...{ holds: true, faults: [], owed: sats(7), expected: sats(8), wallet: sats(8), openOperations: 0 },
    ...{ mayHaveLeft: ZERO, mayHaveArrived: ZERO, operator: ZERO, suspense: ZERO },
    paused: [
      { source: 'restore', reason: 'not proven yet' },
      { source: 'operator', reason: 'what was *paid* is being looked for' },
    ],
  })
  expect(embedOf(await adminAudit.run(call({ audit }))).description).toMatch(
    /books come from a backup and are being checked\. It ends by itself when an audit .*`\/admin audit`\.\n.*paused outgoing payments: “what was \\\*paid\\\* is being looked for”\. `\/admin resume` ends this pause\.$/,
  )
})

test('/admin resume names the pause that remains, and says how that pause ends', async () => {
  const resume = async () => ({ source: 'restore' as const, reason: 'not proven yet' })
  const asked = { ...call({ resume }), member: '1' }
  expect(embedOf(await adminResume.run(asked)).description).toBe(
    'Your pause is over, but payments stay paused.\n⏸️ Outgoing payments are paused: the books come from a backup and are being checked. It ends by itself when an audit finds everything right: `/admin audit`.',
  )
})

/** Returns the texts that operators read about these alerts. */
async function toldOf(...alerts: readonly AlertView[]): Promise<string[]> {
  const untold = new Map(alerts.map((alert) => [alert.id, alert]))
  const told: string[] = []
  const bell = createAlertSender({
    tipping: {
      cards: { subscribe: () => () => {} },
      administration: {
        untoldAlerts: async () => [...untold.values()],
        alertTold: async (id: number) => void untold.delete(id),
      },
    } as never,
    messenger: {
      async post(_channel, { content = '' }) {
        if (content.length > 2_000) throw new Error('Discord takes 2,000 characters')
        told.push(content)
        return { channel: '1', message: '2' }
      },
    },
    clock: systemClock,
    log: silentLogger,
    channel: '1',
  })
  bell.start()
  await bell.settled()
  await bell.close()
  return told
}

test('an alert too long for Discord still arrives, and so does the next alert', async () => {
  const told = await toldOf(...[marks, 'the second'].map((text, id) => ({ id, kind: 'cover', text, at: new Date(0) })))
  expect(told).toHaveLength(2)
  expect(told[1]).toContain('the second')
})

test.each([
  [
    'paused',
    `<@850686812299984896> paused outgoing payments: <@1> *now*`,
    `⏸️ <@850686812299984896> paused outgoing payments: \\<@1\\> \\*now\\*`,
  ],
  ['resumed', `<@850686812299984896> ended the operators' pause`, `▶️ <@850686812299984896> ended the operators' pause`],
  ['node-back', 'The node is ready again.', '✅ The node is ready again.'],
  ['cover', 'the wallet holds too little', '🚨 the wallet holds too little'],
])('an alert of the kind %s has its icon, and its reason mentions nobody', async (kind, text, said) => {
  expect(await toldOf({ id: 1, kind, text, at: new Date(systemClock.now()) })).toEqual([said])
})

test('a late alert shows its age', async () => {
  const at = new Date(systemClock.now() - 3_600_000)
  const [said] = await toldOf({ id: 1, kind: 'cover', text: 'off', at })
  expect(said).toBe(`🚨 off (<t:${Math.floor(at.getTime() / 1_000)}:R>)`)
})

test('a long text is cut, but never inside an emoji', () => {
  expect(panel(0, 'a'.repeat(5_000)).description).toHaveLength(4_096)
  expect(cut('a⚡', 2)).toBe('a⚡')
  expect(cut('a🎁b', 3)).toBe('a…')
  expect(cut('a🎁bc', 4)).toBe('a🎁…')
})
