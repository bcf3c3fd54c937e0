import { describe, expect, it } from 'vitest'
import { windDownRenderer } from '../../src/bot/administration/wind-down-card.ts'
import { adminWindDown } from '../../src/bot/administration/wind-down-command.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { sats, ZERO } from '../../src/lib/money/amount.ts'
import type { Tipping, WindDownNoticeView, WindDownView } from '../../src/tipping/tipping.ts'
import { NO_WIND_DOWN } from '../support/no-rules.ts'

const translators = createTranslators(() => false)
const BY = new Date(Date.UTC(2030, 0, 31))

async function noticed(change: Partial<WindDownNoticeView>, language = 'en'): Promise<string> {
  const view: WindDownNoticeView = { kind: 'told', state: 'on', by: BY, balance: sats(2_100), ...change }
  const tipping = { windDown: { ...NO_WIND_DOWN, notice: async () => view } } as Partial<Tipping> as Tipping
  const drawable = await windDownRenderer.draw(tipping, 'notice')
  const { message } = await drawable.in(translators(language), {} as never)
  return message.embeds?.[0]?.description ?? ''
}

describe('the message about the end of a bot', () => {
  it('shows the date, the reader’s balance, and where any remaining sats will go', async () => {
    const text = await noticed({})
    expect(text).toMatch(/^Deposits are closed\. From <t:1896048000:f> on I pay out all balances\./)
    expect(text).toContain('You have **2,100 sats** here.')
    expect(text).toContain('What is left then goes to your connected wallet')
    expect(await noticed({ kind: 'reminded' })).toMatch(/^A reminder: from/)
    expect(await noticed({}, 'de')).toMatch(/^Einzahlungen sind geschlossen\./)
  })

  it('asks nothing of people who have no sats', async () => {
    const text = await noticed({ balance: ZERO })
    expect(text).toContain('You have nothing left here')
    expect(text).not.toContain('connected wallet')
  })

  it.each([
    ['stopped', 'I stay, and deposits are open again'],
    ['listed', 'claim list'],
  ] as const)('says what follows once the wind-down is in the state %s', async (state, says) => {
    expect(await noticed({ state })).toContain(says)
  })
})

describe('/admin wind-down', () => {
  const VIEW: WindDownView = {
    ...{ id: 'the-end', by: BY, state: 'on', dueAt: undefined, round: 2, underWay: 3 },
    balances: { count: 2, amount: sats(900) },
    claims: { count: 1, amount: sats(7) },
  }

  async function said(options: { date?: string; stop?: boolean }, view: WindDownView | undefined): Promise<string> {
    const asked: string[] = []
    const windDown: Tipping['windDown'] = {
      ...NO_WIND_DOWN,
      start: async ({ by, operator }) => {
        asked.push(`${operator} ${by}`)
        return view as WindDownView
      },
      stop: async ({ operator }) => void asked.push(`${operator} stops`),
      status: async () => view,
    }
    const call = { member: 'olga', options, tipping: { windDown }, t: translators('en') }
    const { say } = await adminWindDown.run(call as never)
    return [...asked, say.embeds[0]?.description].join(': ')
  }

  it('shows each operator the effect of their decision', async () => {
    const date = '2030-01-31'
    const dueAt = new Date(Date.UTC(2030, 0, 2))
    expect(await said({ date }, { ...VIEW, state: 'proposed' })).toMatch(
      /^olga 2030-01-31: Noted: end this bot on <t:1896048000:f>\. It counts when a second operator agrees\.$/,
    )
    expect(await said({ date }, { ...VIEW, state: 'proposed', dueAt })).toContain('It takes effect <t:1893542400:R>')
    expect(await said({ date }, VIEW)).toContain('The wind-down has begun')
    expect(await said({ stop: true }, undefined)).toMatch(/^olga stops: .*Deposits are open again/)
  })

  it('shows the progress of the wind-down', async () => {
    expect(await said({}, VIEW)).toContain(
      'Round: 2. Left in balances: **900 sats**. On the claim list: **7 sats**. Payments under way: 3.',
    )
    expect(await said({}, undefined)).toMatch(
      /^No wind-down has begun\. To propose one, choose its day with `date`\..*`stop` calls/,
    )
  })
})
