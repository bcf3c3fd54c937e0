import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { fund, openFundedStage, openStage } from './harness.ts'
import { decide, openPooledStage, poolHolds } from './pooled-stage.ts'

async function choose(stage: Stage, topic: string, value: string): Promise<void> {
  const mod = stage.person('mod')
  const [mine] = await stage.command('mod', 'settings')
  const [server] = await stage.press('mod', must(mine), 'Server settings')
  for (const [menu, chosen] of [
    ['topic', topic],
    [topic, value],
  ] as const) {
    const choice = mod.choose(stage.channel(), must(server).id, `settings-server:${menu}`, [chosen])
    await choice.acknowledged()
    await stage.world.settled()
  }
}

async function pictureOf(message: MessageView) {
  const [picture] = message.attachments
  const png = Buffer.from(await (await fetch(picture?.url ?? '')).arrayBuffer())
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  return { alt: picture?.description ?? '', width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

describe('the commands for a server’s pool', () => {
  it('show a card whose controls fill the pool and set a budget for the first reward', async () => {
    const stage = await openStage()
    const owner = stage.person('lounge-owner')
    const [empty] = await stage.command('lounge-owner', 'pool balance')
    const card = must(empty)
    expect(textOf(card)).toMatch(/\*\*1\.\*\* It is empty[\s\S]*\*\*2\.\*\* Nobody may give rewards yet/)
    const press = owner.press(stage.channel(), card.id, 'pool-fill:here')
    const opened = await press.answered()
    const sent = await owner.submit(opened.id, { amount: '700' }).answered()
    expect(sent.failure).toBe(null)
    await stage.world.settled()
    const charge = owner.conversation(stage.channel()).findLast(({ attachments }) => attachments.length > 0)
    await stage.pay(await stage.scan(must(charge), 'pool'))
    await stage.until('the pool is filled', async () => (await poolHolds(stage)) === 700)
    const [half] = await stage.command('lounge-owner', 'pool balance')
    expect(textOf(must(half))).toMatch(/700 test sats\nNobody may give rewards yet/)
    await owner.choose(stage.channel(), card.id, 'pool-role:first', ['@Moderators']).acknowledged()
    await stage.world.settled()
    const [ready] = await stage.command('lounge-owner', 'pool balance')
    expect(textOf(must(ready))).toMatch(/700 test sats[\s\S]*1,000 test sats a week/)
    // The owner has another role, whose budget is a separate step.
    const reward = { to: stage.id('bob'), amount: '1', reason: 'Salt' }
    const ownBudget = /To give some yourself, give one of your roles a budget: .*pool budget/
    for (const [said] of [[ready], await stage.command('lounge-owner', 'reward', reward)]) {
      expect(textOf(must(said))).toMatch(ownBudget)
      expect(textOf(must(said))).not.toMatch(/All is ready|A manager of this server/)
    }
    stage.mustSay(await stage.command('mod', 'pool balance'), /All is ready/)
    await stage.command('mod', 'reward', { to: stage.id('bob'), amount: '300', reason: 'Soup' })
    expect(await poolHolds(stage)).toBe(400)
  })

  it('refuse a bot’s role, as /drop and /rain do, but let the role’s budget be removed', async () => {
    const stage = await openStage()
    const role = '@Satchel'
    const budget = { role, amount: '9', period: 'day' } as const
    for (const [command, options] of [
      ['pool budget', budget],
      ['drop', { amount: '20', shares: 1, role }],
      ['rain', { amount: '20', role }],
    ] as const)
      stage.mustSay(await stage.command('lounge-owner', command, options), /belongs to a bot, so no member/)
    const [card] = await stage.command('lounge-owner', 'pool balance')
    const owner = stage.person('lounge-owner')
    await owner.choose(stage.channel(), must(card).id, 'pool-role:first', [role]).answered()
    stage.mustSay([must(owner.conversation(stage.channel()).at(-1))], /belongs to a bot/)
    stage.mustSay(await stage.command('lounge-owner', 'pool budget', { ...budget, amount: '0' }), /Nobody may give/)
  })

  it('let everybody see the balance and give sats, but reserve the rest for moderators', async () => {
    const stage = await openPooledStage()
    await fund(stage, 'bob', 2_000)
    const [balance] = await stage.command('bob', 'pool balance')
    expect(textOf(must(balance))).toMatch(/5,000 test sats[\s\S]*adds to it from your balance/)
    expect([textOf(must(balance)).includes('1,000'), must(balance).components]).toEqual([false, []])
    stage.mustSay(await stage.command('bob', 'pool give', { amount: '300' }), /300 test sats\*\* are in the pool/)
    expect([await poolHolds(stage), await stage.wealth('bob')]).toEqual([5_300, 1_700])
    const budget = { role: '@Moderators', amount: '9000', period: 'day' }
    for (const [command, options] of [['pool history'], ['pool export'], ['pool budget', budget]] as const)
      stage.mustSay(await stage.command('bob', command, options), /Only moderators/)
    expect(() => stage.person('alice').run(stage.channel(), 'reward', {})).toThrow()
  })

  it('announce each gift from the pool in one message that needs no edit', async () => {
    const stage = await openPooledStage()
    const [bob, carol] = [stage.id('bob'), stage.id('carol')]
    const fromPool = { from: 'pool', reason: 'Summer party' }
    for (const [command, options, said, to] of [
      [
        'reward',
        { to: bob, amount: '300', reason: 'Soup' },
        /rewards @Bob with \*\*300 test sats\*\* from the pool/,
        bob,
      ],
      ['reward', { to: carol, amount: '9', reason: 'Soup' }, /rewards @Carol[\s\S]*not claimed yet/, carol],
      ['tip', { to: bob, amount: '20', note: 'Well done', ...fromPool }, /Mod tipped @Bob \*\*20 test sats/, bob],
      ['tip', { to: carol, amount: '20', ...fromPool }, /Mod tipped @Carol[\s\S]*not claimed yet/, carol],
      ['rain', { amount: '10', people: 1, ...fromPool }, /made it rain \*\*10 test sats/, bob],
    ] as const) {
      const answers = await stage.command('mod', command, options)
      stage.mustSay(answers, said)
      expect(answers.map(({ editedAt, notifies }) => [editedAt, notifies.personIds])).toEqual([[null, [to]]])
    }
  })

  it('show its balance, budgets and history, and export its moves as PDF and CSV', async () => {
    const stage = await openPooledStage()
    await stage.command('mod', 'reward', { to: stage.id('bob'), amount: '300', reason: '=HYPERLINK("x"), "soup"' })
    const [balance] = await stage.command('mod', 'pool balance')
    expect(textOf(must(balance))).toMatch(/4,700 test sats[\s\S]*1,000 test sats a day/)

    const [history] = await stage.command('mod', 'pool history')
    const { alt, width } = await pictureOf(must(history))
    expect(alt).toMatch(/4,700 test sats now, 5,000 test sats came in, 0 test sats came back, 300 test sats went out/)
    expect(width).toBe(1_600)

    const [wrong] = await stage.command('mod', 'pool export', { month: 'May' })
    expect(textOf(must(wrong))).toMatch(/Write the month like/)
    const month = new Date().toISOString().slice(0, 7)
    const [statement] = await stage.command('mod', 'pool export', { month })
    expect(must(statement).attachments.map(({ filename }) => filename)).toEqual([
      `pool-${month}.pdf`,
      `pool-${month}.csv`,
    ])
    const pdf = await (await fetch(must(statement).attachments[0]?.url ?? '')).text()
    expect(pdf).toMatch(/\(closing\) Tj[\s\S]*\(4700\) Tj/)

    const [exported] = await stage.command('mod', 'pool export')
    const [file] = must(exported).attachments
    const rows = parse(await (await fetch(file?.url ?? '')).text(), { columns: true, bom: true })
    expect(rows).toMatchObject([
      { what: 'charge', sats: '5000', pool_sats: '5000' },
      {
        what: 'reward',
        sats: '-300',
        pool_sats: '4700',
        by: stage.id('mod'),
        to: stage.id('bob'),
        reason: `'=HYPERLINK("x"), "soup"`,
      },
    ])
  })
})

describe('a fundraiser', () => {
  it('takes payments and sats from balances, and one card shows progress to the goal', async () => {
    const stage = await openFundedStage(500)
    const [asked] = await stage.command('mod', 'pool fundraiser', { amount: '500', goal: '1500' })
    const code = await stage.scan(must(asked), 'fundraiser')
    await stage.pay(code)
    await stage.sees('carol', /33%[\s\S]*500 test sats\*\* of 1,500/)
    stage.mustSay(await stage.press('alice', must(asked), 'Give 500 test sats'), /are in the pool/)
    await stage.world.bot.kill()
    await stage.world.bot.start()
    await stage.pay(code)
    const card = await stage.sees('carol', /100%[\s\S]*The goal was reached/)
    expect(card.id).toBe(must(asked).id)
    expect(card.components).toEqual([])
    expect(await poolHolds(stage)).toBe(1_500)
    await expect(stage.world.phone.pay(code)).rejects.toThrow()
  })
})

describe('a reward above the limit', () => {
  it('waits for another moderator, even across a restart', async () => {
    const stage = await openPooledStage()
    await choose(stage, 'approvalAbove', '100')
    const [card] = await stage.command('mod', 'reward', { to: stage.id('bob'), amount: '500', reason: 'Soup' })
    expect(textOf(must(card))).toMatch(/A second moderator decides/)
    await decide(stage, 'bob', must(card), 'Approve')
    await stage.sees('bob', /Only moderators/)
    await decide(stage, 'mod', must(card), 'Approve')
    await stage.sees('mod', /Another moderator must do that/)
    expect(await stage.wealth('bob')).toBe(0)
    await stage.world.bot.kill()
    await stage.world.bot.start()
    await decide(stage, 'lounge-owner', must(card), 'Approve')
    const paid = await stage.sees('carol', /rewards .* with \*\*500[\s\S]*Approved by/)
    expect(paid.id).toBe(must(card).id)
    expect(await stage.wealth('bob')).toBe(500)
  })
})

describe('a gift from the pool', () => {
  const fromPool = { from: 'pool', reason: 'Summer party' }

  it('requires a moderator and a reason, and its card shows the reason and the source', async () => {
    const stage = await openPooledStage()
    stage.mustSay(await stage.command('bob', 'drop', { amount: '100', shares: 2, ...fromPool }), /Only moderators/)
    stage.mustSay(
      await stage.command('mod', 'drop', { amount: '100', shares: 2, from: 'pool' }),
      /Say in `reason` what the sats are for/,
    )
    stage.mustSay(await stage.command('mod', 'rain', { amount: '100', reason: 'Sun' }), /Choose the pool in `from`/)
    const [card] = await stage.command('mod', 'drop', { amount: '100', shares: 2, ...fromPool })
    expect(textOf(must(card))).toMatch(/Summer party[\s\S]*From this server's pool/)
    await stage.press('bob', must(card), 'Take a share')
    expect([await stage.wealth('bob'), await poolHolds(stage)]).toEqual([50, 4_900])
    await stage.press('mod', must(card), 'Close')
    await stage.sees('carol', /Closed by .* went back to the pool/)
    expect(await poolHolds(stage)).toBe(4_950)
  })

  it.each([
    ['giveaway start', { prize: '250', winners: 2, duration: '1h', ...fromPool }, /start a giveaway from the pool/],
    ['tip', { to: 'bob', amount: '500', ...fromPool }, /would like to tip .* from the pool/],
    ['drop', { amount: '500', shares: 5, ...fromPool }, /start a drop from the pool/],
  ])(
    'above the limit needs a second moderator, and returns to the pool if denied: /%s',
    async (command, options, question) => {
      const stage = await openPooledStage()
      await choose(stage, 'approvalAbove', '100')
      const to = 'to' in options ? { to: stage.id(options.to) } : {}
      const [card] = await stage.command('mod', command, { ...options, ...to })
      expect(textOf(must(card))).toMatch(question)
      expect(await poolHolds(stage)).toBe(4_500)
      await decide(stage, 'mod', must(card), 'Approve')
      await stage.sees('mod', /Another moderator must do that/)
      await decide(stage, 'lounge-owner', must(card), 'Deny')
      await stage.sees('carol', /Denied by/)
      expect(await poolHolds(stage)).toBe(5_000)
    },
  )

  it('gets its own message once approved, but the reply about a voucher stays private', async () => {
    const stage = await openPooledStage()
    await choose(stage, 'approvalAbove', '100')
    const [card] = await stage.command('mod', 'drop', { amount: '500', shares: 5, ...fromPool })
    await decide(stage, 'lounge-owner', must(card), 'Approve')
    const drop = await stage.sees('carol', /Take a share|From this server's pool/)
    expect(drop.id).not.toBe(must(card).id)
    expect(await poolHolds(stage)).toBe(4_500)
    const answer = await stage.command('mod', 'voucher create', { amount: '200', ...fromPool })
    expect(answer.every(({ ephemeral }) => ephemeral)).toBe(true)
    const question = await stage.sees('carol', /would like to have a voucher from the pool/)
    await decide(stage, 'lounge-owner', question, 'Approve')
    await stage.sees('carol', /voucher from the pool[\s\S]*Approved by/)
    expect(await poolHolds(stage)).toBeLessThanOrEqual(4_300)
  })

  it('returns to the pool, less the fee, when its approved voucher is revoked', async () => {
    const stage = await openPooledStage()
    await choose(stage, 'approvalAbove', '100')
    await stage.command('mod', 'voucher create', { amount: '200', ...fromPool })
    await decide(stage, 'lounge-owner', await stage.sees('carol', /would like to have a voucher/), 'Approve')
    const code = await stage.sees('mod', /A voucher of 200 test sats/)
    expect(code.channelId).not.toBe(stage.channel())
    const [made] = await stage.world.bot.tipping.vouchers.mine(stage.id('mod'), 1)
    const answer = await stage.command('mod', 'voucher revoke', { voucher: must(made).id })
    const end = stage.mustSay(answer, /Taken back: 200 test sats are in the pool again/)
    expect(end.channelId).toBe(stage.channel())
    expect(await poolHolds(stage)).toBe(4_998)
  })

  it('returns to the pool, less the fee, when its approved batch is revoked', async () => {
    const stage = await openPooledStage()
    await choose(stage, 'approvalAbove', '100')
    await stage.command('mod', 'voucher batch', { amount: '100', count: 2, ...fromPool })
    await decide(stage, 'lounge-owner', await stage.sees('carol', /would like to .* from the pool/), 'Approve')
    const codes = await stage.sees('mod', /not redeemed: 2/)
    expect(codes.channelId).not.toBe(stage.channel())
    const [made] = await stage.world.bot.tipping.voucherBatches.mine(stage.id('mod'), 1)
    const [asked] = await stage.command('mod', 'voucher revoke', { voucher: must(made).id })
    await stage.press('mod', must(asked), 'Take back the rest')
    await stage.until('the sats are back', async () => (await poolHolds(stage)) === 4_998)
    const end = await stage.sees('mod', /taken back: 2[\s\S]*This batch has ended/)
    expect(end.id).toBe(must(asked).id)
  })
})

describe('the list of the last changes', () => {
  it.each([
    ['tip', { to: 'bob', amount: '500' }, /Approved\*\* · → Bob · 500 test sats · Tip · “Party”/],
    ['drop', { amount: '500', shares: 5 }, /Approved\*\* · 500 test sats · Drop · “Party”/],
  ])('shows the kind, amount and reason of an approved gift: /%s', async (command, options, line) => {
    const stage = await openPooledStage()
    await choose(stage, 'approvalAbove', '100')
    const to = 'to' in options ? { to: stage.id(options.to) } : {}
    const [card] = await stage.command('mod', command, { ...options, ...to, from: 'pool', reason: 'Party' })
    await decide(stage, 'lounge-owner', must(card), 'Approve')
    const [mine] = await stage.command('mod', 'settings')
    const [server] = await stage.press('mod', must(mine), 'Server settings')
    const [changes] = await stage.press('mod', must(server), 'Last changes')
    expect(textOf(must(changes))).toMatch(line)
  })

  it('shows changes to the settings and the pool, privately and newest first', async () => {
    const stage = await openPooledStage()
    await choose(stage, 'approvalAbove', '100')
    const soup = { to: stage.id('bob'), amount: '80', reason: 'Soup' }
    await stage.command('mod', 'reward', soup)
    const [card] = await stage.command('mod', 'reward', { ...soup, amount: '500' })
    await decide(stage, 'lounge-owner', must(card), 'Deny')
    const [mine] = await stage.command('mod', 'settings')
    const [server] = await stage.press('mod', must(mine), 'Server settings')
    const [changes] = await stage.press('mod', must(server), 'Last changes')
    expect(must(changes).ephemeral).toBe(true)
    expect(textOf(must(changes))).toMatch(
      /Denied.*500 test sats[\s\S]*Approval requested.*500 test sats.*“Soup”[\s\S]*Paid from the pool.*80 test sats.*“Soup”[\s\S]*Settings.*A second moderator for rewards above[\s\S]*Budget set.*1,000 test sats[\s\S]*Pool funded.*5,000 test sats/,
    )
  })
})

describe('the command /pool pay', () => {
  const upload = (text: string) => `data:text/csv;name=list.csv;base64,${Buffer.from(text).toString('base64')}`
  const csvOf = async (message: MessageView) => (await fetch(message.attachments[0]?.url ?? '')).text()

  it('shows a list’s sum and errors, pays the list once, and gives the outcomes as CSV', async () => {
    const stage = await openPooledStage()
    const file = upload(`member;sats;reason\n${stage.id('bob')};300;Soup\n${stage.id('carol')};200;\nalice;5;\n`)
    const [preview] = await stage.command('mod', 'pool pay', { file, reason: 'Kitchen' })
    expect(must(preview).ephemeral).toBe(true)
    expect(textOf(must(preview))).toMatch(
      /500 test sats\*\* from the pool to 2 people[\s\S]*Line 4: “alice, 5” · write the member's id/,
    )
    expect(textOf(must(preview))).toMatch(/Developer Mode[\s\S]*Copy User ID/)
    expect(await csvOf(must(preview))).toMatch(/4,alice,5,,"write the member's id/)
    expect(await poolHolds(stage)).toBe(5_000)
    await stage.press('mod', must(preview), 'Pay')
    const card = await stage.sees('carol', /pays .* from the pool: \*\*500/)
    expect([await poolHolds(stage), await stage.wealth('bob')]).toEqual([4_500, 300])
    stage.mustSay(await stage.press('bob', card, 'Lines (CSV)'), /Only moderators/)
    const [outcomes] = await stage.press('mod', card, 'Lines (CSV)')
    const text = await csvOf(must(outcomes))
    expect(text).toMatch(/2,'\d+,300,Soup,credited,,\r\n3,'\d+,200,Kitchen,parked,,/)
    stage.mustSay(await stage.press('carol', card, 'Claim my sats'), /200 test sats/)
    const [again] = await stage.command('mod', 'pool pay', { file: upload(text), reason: 'Kitchen' })
    expect(textOf(must(again))).toMatch(/No line of it can be paid[\s\S]*they were paid: 2/)
  })

  it('refuses a file that is too large or cannot be read as CSV, and says why', async () => {
    const stage = await openPooledStage()
    const pay = (text: string) => stage.command('mod', 'pool pay', { file: upload(text), reason: 'Kitchen' })
    stage.mustSay(await pay('x'.repeat(257 * 1_024)), /too large: the limit is 256 KB/)
    stage.mustSay(await pay('"open'), /cannot read that file/)
  })
})

describe('the commands /leaderboard and /stats', () => {
  it('draw pictures with alt text, and the leaderboard omits members who opted out', async () => {
    const stage = await openFundedStage(2_000)
    await stage.command('bob', 'balance')
    await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '700' })
    const [board] = await stage.command('carol', 'leaderboard')
    const drawn = await pictureOf(must(board))
    expect(drawn.alt).toMatch(/Gave most: Alice \(700 test sats\)\. Got most: Bob \(700 test sats\)/)
    expect(must(board).ephemeral).toBe(false)
    expect(must(board).notifies.personIds).toEqual([])
    const [counted] = await stage.command('carol', 'stats', { period: 'week' })
    expect((await pictureOf(must(counted))).alt).toMatch(/700 test sats in 1 gift/)

    const [mine] = await stage.command('alice', 'settings')
    await stage.press('alice', must(mine), 'Leave me out of leaderboards')
    const [without] = await stage.command('carol', 'leaderboard', { period: 'day' })
    expect(textOf(must(without))).not.toMatch(stage.id('alice'))
    expect((await pictureOf(must(without))).alt).not.toMatch(/Alice/)
  })
})
