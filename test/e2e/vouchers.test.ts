import { describe, expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { balance, openFundedStage } from './harness.ts'

function codeIn(message: MessageView): string {
  const code = /`([0-9A-Z]{8})`/.exec(textOf(message))?.[1]
  if (code === undefined) throw new Error(`no code in ${textOf(message)}`)
  return code
}

describe('the command /voucher', () => {
  it('creates a private code, and tells its maker when another member has redeemed it', async () => {
    const stage = await openFundedStage()
    const [card] = await stage.command('alice', 'voucher create', { amount: '1k', description: 'thanks' })
    expect(must(card).ephemeral).toBe(true)
    expect(textOf(must(card))).toMatch(/A voucher of 1,000[\s\S]*thanks/)
    expect(await balance(stage)).toBe(8_990)
    expect(stage.person('bob').conversation(stage.channel()).map(textOf).join()).not.toContain(codeIn(must(card)))

    const [redeemed] = await stage.command('bob', 'voucher redeem', { code: codeIn(must(card)).toLowerCase() })
    expect(textOf(must(redeemed))).toMatch(/1,000 test sats\*\* are in your balance/)
    expect(await balance(stage, 'bob')).toBe(1_000)
    await stage.sees('alice', /Somebody has redeemed it/)
    const again = await stage.command('carol', 'voucher redeem', { code: codeIn(must(card)) })
    stage.mustSay(again, /redeemed or taken back/)
    expect(await balance(stage, 'carol')).toBe(0)
  })

  it('lists a member’s own open drops, shows their state, and closes them', async () => {
    const stage = await openFundedStage()
    await stage.command('alice', 'voucher drop', { amount: '300', shares: 3 })
    const [choice] = await stage
      .person('alice')
      .autocomplete(stage.channel(), 'voucher revoke', { voucher: '' }, 'voucher')
    expect(choice?.name).toMatch(/^🪂 100 test sats · 0 of 3 taken · closes in /)
    const voucher = choice?.value as string
    stage.mustSay(await stage.command('alice', 'voucher list'), /100 test sats · 0 of 3 taken · closes /)
    stage.mustSay(await stage.command('alice', 'voucher status', { voucher }), /0 of 3 taken/)
    stage.mustSay(await stage.command('bob', 'voucher revoke', { voucher }), /You have no such voucher/)
    stage.mustSay(await stage.command('alice', 'voucher revoke', { voucher }), /Closed. 300 test sats went back/)
    stage.mustSay(await stage.command('alice', 'voucher list'), /You have not made any vouchers yet/)
  })

  it('creates a code for somebody, sends it to them, and never shows it to its maker', async () => {
    const stage = await openFundedStage()
    const [card] = await stage.command('alice', 'voucher create', { amount: '500', for: stage.id('bob') })
    expect(textOf(must(card))).toMatch(/sent privately to/)
    const gift = await stage.sees('bob', /made you a voucher/)
    expect(gift.channelId).not.toBe(stage.channel())
    const [redeemed] = await stage.command('bob', 'voucher redeem', { code: codeIn(gift) })
    expect(textOf(must(redeemed))).toMatch(/500 test sats/)
    expect(textOf(must(card))).not.toContain(codeIn(gift))
    await stage.sees('bob', /It has been redeemed\./)
    stage.mustSay(await stage.command('alice', 'voucher list'), /500 test sats · redeemed · (?!.*\d{4} ·).* · Bob$/m)
    await stage.command('alice', 'voucher create', { amount: '400', for: stage.id('bob') })
    const [second] = await stage.world.bot.tipping.vouchers.mine(stage.id('alice'), 1)
    await stage.command('alice', 'voucher revoke', { voucher: must(second).id })
    await stage.sees('bob', /Alice has taken it back\. Ask them why/)
  })

  it('returns a voucher’s amount when its maker revokes it, and never lists the code', async () => {
    const stage = await openFundedStage()
    const [card] = await stage.command('alice', 'voucher create', { amount: '1000', description: 'for later' })
    const suggested = await stage
      .person('alice')
      .autocomplete(stage.channel(), 'voucher revoke', { voucher: 'later' }, 'voucher')
    expect(suggested.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^1,000 test sats · not redeemed · this minute · for later$/),
    ])
    const voucher = String(suggested[0]?.value)
    const stranger = await stage
      .person('bob')
      .autocomplete(stage.channel(), 'voucher status', { voucher: '' }, 'voucher')
    expect(stranger).toEqual([])
    stage.mustSay(await stage.command('bob', 'voucher revoke', { voucher }), /no such voucher/)

    stage.mustSay(await stage.command('alice', 'voucher status', { voucher }), new RegExp(codeIn(must(card))))
    stage.mustSay(await stage.command('alice', 'voucher revoke', { voucher }), /Taken back: 1,000/)
    expect(await balance(stage)).toBe(9_990)
    const list = stage.mustSay(await stage.command('alice', 'voucher list'), /1,000 test sats · taken back/)
    expect(textOf(list)).not.toContain(codeIn(must(card)))
    const dead = await stage.command('bob', 'voucher redeem', { code: codeIn(must(card)) })
    stage.mustSay(dead, /redeemed or taken back\. Ask the person who gave you the code/)
  })

  it('creates codes that any wallet can redeem, but that work only once', async () => {
    const stage = await openFundedStage()
    const [card] = await stage.command('alice', 'voucher create', { amount: '1000' })
    const code = codeIn(must(card))
    const [shown] = await stage.press('alice', must(card), 'Redeem with any wallet')
    expect(must(shown).ephemeral).toBe(true)
    expect(textOf(must(shown))).toMatch(
      /\*\*990 test sats\*\* arrive[\s\S]*The rest of 1,000 test sats pays for the way/,
    )
    const lnurl = await stage.scan(must(shown), 'voucher')
    const [text] = await stage.press('alice', must(shown), 'Copy the code')
    expect(`lightning:${text?.content}`.toLowerCase()).toContain(lnurl.toLowerCase().replace('lightning:', ''))

    const before = await stage.holds('bot', 'wallet', 'wallet')
    await stage.world.phone.claim(lnurl)
    stage.mustSay(await stage.command('bob', 'voucher redeem', { code }), /redeemed or taken back/)
    await stage.sees('alice', /Somebody has redeemed it/)
    expect(await balance(stage)).toBe(8_990)
    expect(await stage.holds('bot', 'wallet', 'wallet')).toBe(before)
    await expect(stage.world.phone.claim(lnurl)).rejects.toThrow(/redeemed/)
    stage.mustSay(await stage.press('alice', must(shown), 'Copy the code'), /redeemed or taken back/)
  })

  it('lets only their recipients redeem personal codes and drop codes with a wallet', async () => {
    const stage = await openFundedStage()
    const [card] = await stage.command('alice', 'voucher create', { amount: '500', for: stage.id('bob') })
    expect(JSON.stringify(must(card).components)).not.toContain('voucher-wallet')
    const gift = await stage.sees('bob', /made you a voucher/)
    const [shown] = await stage.press('bob', gift, 'Redeem with any wallet')
    await stage.world.phone.claim(await stage.scan(must(shown), 'voucher'))

    const [dropped] = await stage.command('alice', 'drop', { amount: '600', shares: 2, codes: true })
    const [share] = await stage.press('carol', must(dropped), 'Take a share')
    const [mine] = await stage.press('carol', must(share), 'Redeem with any wallet')
    await stage.world.phone.claim(await stage.scan(must(mine), 'voucher'))
    const { vouchers } = stage.world.bot.tipping
    const own = await vouchers.mine(stage.id('alice'), 5)
    await expect(vouchers.toAnyWallet({ member: stage.id('alice'), voucher: own[0]?.id ?? '' })).rejects.toMatchObject({
      code: 'voucher-not-found',
    })
  })

  it('keeps every code out of the log and out of the record of calls to the service', async () => {
    const lines: string[] = []
    const logger = createLogger({
      level: 'trace',
      name: 'all',
      destination: { write: (line) => void lines.push(line) },
    })
    const stage = await openFundedStage(10_000, { logger })
    const [card] = await stage.command('alice', 'voucher create', { amount: '100' })
    const code = codeIn(must(card))
    stage.mustSay(await stage.command('bob', 'voucher redeem', { code }), /100 test sats/)
    const [other] = await stage.command('alice', 'voucher create', { amount: '100' })
    const [shown] = await stage.press('alice', must(other), 'Redeem with any wallet')
    const lnurl = (await stage.scan(must(shown), 'voucher')).replace('lightning:', '').toLowerCase()
    const [{ value: voucher } = { value: '' }] = await stage
      .person('alice')
      .autocomplete(stage.channel(), 'voucher revoke', { voucher: '' }, 'voucher')
    await stage.command('alice', 'voucher revoke', { voucher: String(voucher) })
    expect(lines.length).toBeGreaterThan(10)
    const seen = lines.join('\n') + JSON.stringify(stage.world.wire.recent())
    expect(seen.toLowerCase()).not.toContain(lnurl)
    for (const secret of [code, codeIn(must(other))]) expect(seen).not.toContain(secret)
  })
})

describe('/voucher batch', () => {
  it('gives only the maker the codes, as CSV and a print sheet, and counts redemptions', async () => {
    const stage = await openFundedStage()
    const [card] = await stage.command('alice', 'voucher batch', { amount: '100', count: 3, description: 'Meetup' })
    expect(must(card).ephemeral).toBe(true)
    const made = await stage.sees('alice', /Vouchers: 3 × 100 test sats[\s\S]*Meetup[\s\S]*not redeemed: 3/)
    expect(textOf(made)).toContain('Fee: 3 test sats')
    expect(await balance(stage)).toBe(10_000 - 3 * 101)
    const table = await fileOf(await stage.press('alice', made, 'Codes (CSV)'))
    expect(table).toMatch(/^number,code,sats,state,expires,lnurl\r\n1,/)
    const code = /^1,'?([0-9A-Z]{8}),100,live,/m.exec(table)?.[1] ?? ''
    expect(await fileOf(await stage.press('alice', made, 'Print sheet (PDF)'))).toContain(`(${code}) Tj`)
    const [redeemed] = await stage.command('bob', 'voucher redeem', { code })
    expect(textOf(must(redeemed))).toMatch(/100 test sats\*\* are in your balance/)
    await stage.sees('alice', /1 of 3 redeemed/)
    stage.mustSay(
      await stage.command('alice', 'voucher list'),
      /Vouchers: 3 × 100 test sats · 1 of 3 redeemed · Meetup/,
    )
    const [choice] = await stage
      .person('alice')
      .autocomplete(stage.channel(), 'voucher revoke', { voucher: 'meet' }, 'voucher')
    const voucher = choice?.value as string
    stage.mustSay(await stage.command('bob', 'voucher status', { voucher }), /You have no such voucher/)
    stage.mustSay(await stage.command('alice', 'voucher status', { voucher }), /1 of 3 redeemed/)
    const [asked] = await stage.command('alice', 'voucher revoke', { voucher })
    expect(textOf(must(asked))).toMatch(/redeemed 2 of these codes. Take them back\?.*\*\*200 test sats\*\* come back/)
    expect(textOf(must(asked))).toContain('Fee, which is not returned: 3 test sats')
    expect(await balance(stage)).toBe(10_000 - 3 * 101)
    await stage.press('alice', must(asked), 'Take back the rest')
    await stage.until('the rest is back', async () => (await balance(stage)) === 10_000 - 100 - 3)
    const end = await stage.sees('alice', /taken back: 2[\s\S]*This batch has ended[\s\S]*not returned: 3 test sats/)
    expect(end.id).toBe(must(asked).id)
  })

  it('updates earlier answers about the batch, and asks before it revokes unused codes', async () => {
    const stage = await openFundedStage()
    const [made] = await stage.command('alice', 'voucher batch', { amount: '50', count: 2 })
    await stage.world.settled()
    const { id: voucher } = must((await stage.world.bot.tipping.voucherBatches.mine(stage.id('alice'), 1))[0])
    const [status] = await stage.command('alice', 'voucher status', { voucher })
    const shown = (first = status) => {
      const seen = stage.person('alice').conversation(stage.channel())
      return must(seen.find(({ id }) => id === must(first).id))
    }
    expect(textOf(shown())).toMatch(/0 of 2 redeemed/)
    await stage.press('alice', shown(), 'Take back the rest')
    expect(textOf(shown())).toContain('Take them back?')
    await stage.press('alice', shown(), 'Keep them')
    expect(textOf(shown())).toMatch(/not redeemed: 2/)
    expect(await balance(stage)).toBe(10_000 - 102)
    await stage.press('alice', shown(), 'Take back the rest')
    await stage.press('alice', shown(), 'Take back the rest')
    for (const first of [status, made]) {
      await stage.until('each shows the end', async () => /taken back: 2[\s\S]*has ended/.test(textOf(shown(first))))
    }
    expect(await balance(stage)).toBe(10_000 - 2)
  })

  it('takes no codes back, and asks nothing, if every code was redeemed', async () => {
    const stage = await openFundedStage()
    const [made] = await stage.command('alice', 'voucher batch', { amount: '50', count: 1 })
    const stale = await stage.sees('alice', /0 of 1 redeemed[\s\S]*not redeemed: 1/)
    const { id: batch } = must((await stage.world.bot.tipping.voucherBatches.mine(stage.id('alice'), 1))[0])
    const [code] = await stage.world.bot.tipping.voucherBatches.codes({ member: stage.id('alice'), batch })
    await stage.command('bob', 'voucher redeem', { code: must(code?.code) })
    stage.mustSay(await stage.command('alice', 'voucher revoke', { voucher: batch }), /1 of 1 redeemed/)
    expect(stale.id).toBe(must(made).id)
    expect(await balance(stage)).toBe(10_000 - 51)
  })

  it('explains that only moderators may use the pool, or that the balance is too small', async () => {
    const stage = await openFundedStage()
    const pool = { from: 'pool', reason: 'Meetup' }
    stage.mustSay(
      await stage.command('alice', 'voucher batch', { amount: '10', count: 2, ...pool }),
      /Only moderators of this server can do that/,
    )
    stage.mustSay(await stage.command('alice', 'voucher batch', { amount: '9000', count: 2 }), /You have/)
  })
})

async function fileOf(answer: readonly MessageView[]): Promise<string> {
  return await (await fetch(must(answer.at(-1)).attachments[0]?.url ?? '')).text()
}
