import { describe, expect, it } from 'vitest'
import { adminCancel, adminDecide } from '../../src/bot/administration/command.ts'
import { drawHistory } from '../../src/bot/history/draw-history.ts'
import { languages } from '../../src/bot/i18n/languages.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { ruleStop } from '../../src/bot/rules/command.ts'
import { voucherStatus } from '../../src/bot/vouchers/command.ts'
import { sats } from '../../src/lib/money/amount.ts'

const translators = createTranslators(() => false)
const NOW = new Date(Date.UTC(2030, 0, 2, 15, 4))
const after = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)

type Offer = (typing: never) => Promise<readonly { readonly name: string }[]>

/** Resolves to the names of the choices that are offered before anything is typed. */
async function offered(suggest: Offer, tipping: object, language: string): Promise<string[]> {
  const typing = { member: '1', typed: '', at: NOW, t: translators(language), tipping }
  return (await suggest(typing as never)).map(({ name }) => name)
}

const vouchers = {
  drops: { mine: async () => [{ id: 'd', share: sats(5), shares: 3, claimed: 1, closesAt: after(48) }] },
  vouchers: { mine: async () => [{ id: 'v', amount: sats(7), state: 'live', description: '', createdAt: after(-3) }] },
  voucherBatches: { mine: async () => [] },
}
const administration = {
  unknown: async () => [{ kind: 'payout', id: '0123456789abcdef', amount: sats(9), since: after(-2) }],
  proposals: async () => [{ about: 'wind-down', id: 'w', ends: new Date(Date.UTC(2030, 0, 31)) }],
}
const lines = [{ operation: 'o', at: after(-5), amount: 1_000n, balance: sats(1), what: 'tip-received', who: '2' }]

async function all(language: string): Promise<string[]> {
  const page = drawHistory({ lines, balance: sats(1), hasOlder: false } as never, 0, translators(language), NOW)
  return [
    ...(await offered(voucherStatus.options.voucher.suggest, vouchers, language)),
    ...(await offered(adminDecide.options.payment.suggest, { administration }, language)),
    ...(page.menus ?? []).flatMap((menu) => ('options' in menu ? (menu.options ?? []).map(({ label }) => label) : [])),
  ]
}

describe('a picker', () => {
  it('shows in words how far away a moment is', async () => {
    expect(await all('en')).toEqual([
      '🪂 5 sats · 1 of 3 taken · closes in 2 days',
      '7 sats · not redeemed · 3 hours ago',
      '9 sats · to a wallet · 2 hours ago · …89abcdef',
      '⚡ +1 sat · 5 hours ago',
    ])
    expect((await all('de'))[0]).toBe('🪂 5 Sats · 1 von 3 weg · schließt übermorgen')
  })

  it.each(languages.map(({ code }) => code))('shows no year, time of day or time zone in %s', async (language) => {
    for (const name of await all(language)) expect(name).not.toMatch(/UTC|2030|15:04|3:04/)
  })

  it('shows a rule’s recipe once, and the rule’s reason if the two differ', async () => {
    const rule = { state: 'on', recipe: 'good-post', amount: sats(50) }
    const list = async () => [
      { ...rule, id: 'a', reason: 'For great answers' },
      { ...rule, id: 'b', reason: translators('en')('commands.rule.verbs.create.options.recipe.choices.good-post') },
    ]
    const typing = { guild: 'guild', caller: { moderates: async () => true }, typed: '', t: translators('en') }
    const names = await ruleStop.options.rule.suggest({ ...typing, tipping: { rules: { list } } } as never)
    const recipe = translators('en')('commands.rule.verbs.create.options.recipe.choices.good-post')
    expect(names.map(({ name }) => name)).toEqual([`${recipe} · 50 sats · For great answers`, `${recipe} · 50 sats`])
  })

  it('shows the day that operators proposed, without a time', async () => {
    const days = (language: string) => offered(adminCancel.options.proposal.suggest, { administration }, language)
    expect(await days('en')).toEqual(['end this bot on January 31, 2030'])
    expect(await days('ja')).toEqual(['このボットを終了する（2030年1月31日）'])
  })
})

describe('the history', () => {
  it.each([
    ['tip-sent', -1_500n, '−1.5 sats'],
    ['tip-received', 1_500n, '+1.5 sats'],
    ['deposit', 999n, '+0.999 sats'],
    // The fee's fraction of a sat was not requested.
    ['withdrawal', -101_120n, '−102 sats'],
    ['fee-returned', 8_880n, '+8 sats'],
  ])('shows an amount exactly, or in whole sats if a fee is included: %s', (what, amount, said) => {
    const line = { operation: 'o', at: after(-5), amount, balance: sats(1), what, who: '2' }
    const page = drawHistory({ lines: [line], balance: sats(1), hasOlder: false } as never, 0, translators('en'), NOW)
    const inMenu = page.menus?.flatMap((menu) => ('options' in menu ? (menu.options ?? []) : []))
    expect(page.embeds?.[0]?.description).toContain(`**${said}**`)
    expect(inMenu?.[0]?.label).toContain(said)
  })

  it('shows an unpaid gift struck through and without a sign, since no sats moved', () => {
    const line = { operation: 'o', at: NOW, amount: -70_000n, what: 'tip-sent', who: '2', state: 'unpaid' }
    const page = drawHistory({ lines: [line], hasOlder: false } as never, 0, translators('en'), NOW)
    const inMenu = page.menus?.flatMap((menu) => ('options' in menu ? (menu.options ?? []) : []))
    expect(page.embeds?.[0]?.description).toContain('~~**70 sats**~~ Tip to <@2>')
    expect(page.embeds?.[0]?.description).toContain('❌ <@2> · not paid')
    expect(inMenu?.[0]?.label).toMatch(/^❌ 70 sats · /)
  })

  it('shows no 🎁 for a giveaway, since the bot’s own emoji replace 🎁 with a clock', () => {
    const line = { operation: 'o', at: NOW, amount: -1_000n, balance: sats(1), what: 'giveaway' }
    const page = drawHistory({ lines: [line], balance: sats(1), hasOlder: false } as never, 0, translators('en'), NOW)
    // A message's 🎁 becomes our own emoji's clock.
    expect(JSON.stringify(page)).not.toContain('🎁')
  })
})
