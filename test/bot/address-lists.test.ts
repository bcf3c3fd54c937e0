import { describe, expect, it } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { rewardRenderer } from '../../src/bot/rewards/card.ts'
import { listFile } from '../../src/bot/rewards/list-command.ts'
import { type Msats, sats } from '../../src/lib/money/amount.ts'
import { type ListOutcome, type RewardView, type Tipping, TippingRefusal } from '../../src/tipping/tipping.ts'

const translators = createTranslators(() => false)

function line(n: number, change: Partial<ListOutcome>): ListOutcome {
  const about = {
    line: n,
    recipient: `address:${n}`,
    address: `bob${n}@wallet.test`,
    amount: sats(100),
    reason: 'docs',
  }
  return { ...about, state: 'paid', fee: undefined, why: undefined, paused: false, ...change }
}

const LINES = [
  line(1, { fee: 1_500n as Msats }),
  line(2, { state: 'sending', paused: true }),
  line(3, {
    ...{ state: 'returned', address: '-eve@wallet.test' },
    why: { kind: 'refused', refusal: new TippingRefusal('address-unknown', { address: 'eve@wallet.test' }) },
  }),
  line(4, { state: 'returned', why: { kind: 'returned', because: 'failed', reason: undefined } }),
  line(5, { state: 'returned', why: { kind: 'restored' } }),
]

async function card(language: string): Promise<string> {
  const recipients = LINES.map(({ recipient }) => recipient)
  const reward = {
    kind: 'list',
    requester: '1',
    recipients,
    amount: sats(550),
    reason: 'docs',
    state: 'paid',
    lines: LINES,
  }
  const view = async () => ({ id: 'reward', recipient: '', ...reward }) as unknown as RewardView
  const tipping = { rewards: { view } } as unknown as Tipping
  const { message } = await (await rewardRenderer.draw(tipping, 'reward')).in(translators(language), {} as never)
  return `${message.content}\n${message.embeds?.[0]?.description}`
}

describe('the card of a payment list', () => {
  it('shows the number of people and the network fees, but no address', async () => {
    const text = await card('en')
    expect(text).toContain('🏅 <@1> pays 5 people from the pool: **500 sats** in all')
    expect(text).toContain('✅ 1 person · in the wallet')
    expect(text).toContain('1 person · waiting, since outgoing payments are paused')
    expect(text).toContain('3 people · not sent, back in the pool')
    expect(text).toContain('Network fees: 2 sats')
    expect(text).not.toContain('@wallet.test')
  })
})

describe('the file of a payment list', () => {
  it('lists each line’s fee, and the reason why sats were returned', async () => {
    const caller = { moderates: async () => true }
    const tipping = { rewards: { listOutcomes: async () => LINES } }
    const press = { record: 'the-reward', caller, tipping, t: translators('en') }
    const { say } = (await listFile.press(press as never)) as { say: { files: { text: string }[] } }
    const rows = (say.files[0]?.text ?? '').replace('\uFEFF', '').trim().split('\r\n')
    expect(rows.slice(0, 4)).toEqual([
      'line,member,sats,reason,outcome,fee,why',
      '1,bob1@wallet.test,100,docs,paid,1.5,',
      '2,bob2@wallet.test,100,docs,sending,,',
      expect.stringMatching(/^3,'-eve@wallet\.test,100,docs,returned,,[^*`]*eve@wallet\.test/),
    ])
    expect(rows[4]).toContain('returned,,the network found no way to the recipient')
    // Lines that may have arrived are skipped when the file is sent again.
    expect(rows[5]).toMatch(/docs,unknown,,.*the books were restored/)
  })
})
