import { expect, it } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openFundedStage, openStage } from './harness.ts'

it('/help has a menu of topics that edits the message, and a link to the status page', async () => {
  const stage = await openStage()
  const [help] = await stage.command('newcomer', 'help')
  if (help === undefined) throw new Error('no help')
  const components = [...everyComponent(help.components)] as unknown as { url?: string; custom_id?: string }[]
  const status = components.find(({ url }) => url !== undefined)?.url ?? ''
  expect((await fetch(status)).status).toBe(200)
  const menu = components.find(({ custom_id }) => custom_id?.startsWith('help-topic'))?.custom_id ?? ''
  await stage.person('newcomer').choose(help.channelId, help.id, menu, ['giveaways']).answered()
  await stage.world.settled()
  const now = await stage.sees('newcomer', /So nobody can swap the seed or the entrants/)
  expect(now.id).toBe(help.id)
  stage.mustSay(await stage.press('newcomer', now, 'Open my wallet'), /I opened a Lightning wallet for you/)
})

it('/help lists the fun commands first, and names only commands that are available', async () => {
  const stage = await openStage()
  const read = async (who: string, topic?: string) =>
    textOf((await stage.command(who, 'help', topic === undefined ? {} : { topic }))[0] ?? expect.fail('no help'))
  const start = await read('alice')
  expect(start).toMatch(
    /\/drop[\s\S]*\/giveaway start[\s\S]*\/rain[\s\S]*\/ask[\s\S]*\/leaderboard[\s\S]*\/deposit[\s\S]*\/address/,
  )
  const topics = ['tips', 'linking', 'deposits', 'drops', 'giveaways', 'pool', 'safety']
  for (const who of ['alice', 'mod']) {
    const paths = stage
      .person(who)
      .commands(stage.channel())
      .map(({ path }) => path)
    const texts = [start, ...(await Promise.all(topics.map((topic) => read(who, topic))))].join('\n')
    const named = [...texts.matchAll(/<\/([a-z ]+):\d+>|`\/([a-z]+(?: [a-z]+)?)/g)].map(([, a, b]) =>
      (a ?? b ?? '').trim(),
    )
    const missing = named.filter((name) => !paths.some((path) => path === name || name.startsWith(`${path} `)))
    expect(missing, who).toEqual([])
  }
  expect(await read('mod', 'pool')).toContain('/pool fund')
})

it('an invoice pasted into the form of /withdraw is paid', async () => {
  const stage = await openFundedStage(5_000)
  const opened = await stage.person('alice').run(stage.channel(), 'withdraw', {}).answered()
  expect(opened.modal).not.toBeNull()
  const { invoice } = await stage.world.phone.invoice(900_000n)
  const sent = stage.person('alice').submit(opened.id, { to: invoice })
  await sent.answered()
  await stage.world.settled()
  const asked = await stage.sees('alice', /Withdrawal of 900/)
  await stage.press('alice', asked, 'Send it')
  await stage.sees('alice', /Withdrawal of 900[\s\S]*Paid/)
  expect(textOf(asked)).toMatch(/It pays the invoice/)
})

it('a history can be paged and exported, and a receipt shows the proof of payment', async () => {
  const stage = await openFundedStage(5_000)
  for (let tip = 1; tip <= 8; tip += 1)
    await stage.command('alice', 'tip', { to: stage.id('bob'), amount: String(tip) })
  const { invoice } = await stage.world.phone.invoice(900_000n)
  const [asked] = await stage.command('alice', 'withdraw', { to: invoice })
  if (asked === undefined) throw new Error('nothing asked')
  await stage.press('alice', asked, 'Send it')
  const paid = await stage.sees('alice', /Withdrawal of 900[\s\S]*Paid/)

  const [history] = await stage.command('alice', 'history')
  if (history === undefined) throw new Error('no history')
  expect(textOf(history)).toMatch(/Now in your balance: \*\*4,06\d/)
  expect(textOf(history)).toMatch(/\*\*−8 test sats\*\* Tip to Bob/)
  await stage.press('alice', history, 'Older')
  const older = await stage.sees('alice', /\*\*\+5,000 test sats\*\* Deposit/)
  expect(older.id).toBe(history.id)
  const [exported] = await stage.press('alice', older, 'All as a file')
  const csv = await (await fetch(exported?.attachments[0]?.url ?? '')).text()
  expect(csv.trim().split('\r\n')).toHaveLength(1 + 1 + 8 + 2)
  expect(csv).toMatch(/tip-sent,-8,\d+,\d+,/)

  const [receipt] = await stage.press('alice', paid, 'Receipt')
  expect(receipt?.ephemeral).toBe(true)
  expect(textOf(receipt as NonNullable<typeof receipt>)).toMatch(/proof of payment\*\*\n`[0-9a-f]{64}`/)
  const [again] = await stage.command('alice', 'receipt')
  expect(textOf(again as NonNullable<typeof again>)).toBe(textOf(receipt as NonNullable<typeof receipt>))
})

it('the faucet gives a daily share of test sats, which can be tipped immediately', async () => {
  const stage = await openStage()
  const [given] = await stage.command('newcomer', 'faucet')
  if (given === undefined) throw new Error('nothing was given')
  expect(textOf(given)).toMatch(/\*\*1,000 test sats\*\* are in your balance/)
  await stage.command('newcomer', 'tip', { to: stage.id('bob'), amount: '400' })
  expect(await stage.holds('bot', 'member', 'newcomer')).toBe(600)
  stage.mustSay(await stage.command('newcomer', 'faucet'), /You have already had your share today/)
  stage.mustSay(await stage.command('newcomer', 'help'), /\/faucet gives you 1,000 test sats a day/)
  stage.mustSay(await stage.command('newcomer', 'history'), /\+1,000 test sats\*\* From the faucet/)
})
