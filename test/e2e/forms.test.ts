import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import { qrPng } from '../../src/lib/lightning/qr.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openFundedStage } from './harness.ts'

type Filled = Record<string, string | readonly string[]>

/** Opens a form with alice's command, and sends the form. Returns the text that she receives. */
async function fill(
  stage: Stage,
  path: string,
  given: Record<string, string | number>,
  values: Filled,
): Promise<string> {
  const alice = stage.person('alice')
  const opener = alice.run(stage.channel(), path, given)
  const { modal } = await opener.answered()
  expect(modal, path).not.toBeNull()
  const sent = alice.submit(opener.id, values)
  expect((await sent.answered()).failure).toBe(null)
  await stage.world.settled()
  return sent.messages().map(textOf).join('\n')
}

const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`

it('a giveaway’s form has the main options, with those from the command filled in', async () => {
  const stage = await openFundedStage(5_000)
  const alice = stage.person('alice')
  const { modal } = await alice.run(stage.channel(), 'giveaway start', { prize: '300' }).answered()
  const fields = [...everyComponent(modal?.components ?? [])]
  expect(fields.map(({ custom_id }) => custom_id).filter(Boolean)).toEqual([
    'prize',
    'winners',
    'duration',
    'role',
    'min-age',
  ])
  expect(fields.find(({ custom_id }) => custom_id === 'prize')).toMatchObject({ value: '300' })
  const said = await fill(
    stage,
    'giveaway start',
    {},
    { prize: '300', winners: '2', duration: '1h', role: ['@Moderators'], 'min-age': '30' },
  )
  expect(said).toMatch(/gives away \*\*300 test sats\*\* each to 2 people[\s\S]*Only for[\s\S]*at least 30 days old/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(4_400)
  // A command with all options needs no form.
  const [card] = await stage.command('alice', 'giveaway start', { prize: '100', winners: 1, duration: '1h' })
  expect(textOf(card as NonNullable<typeof card>)).toMatch(/gives away \*\*100 test sats\*\*/)
})

/**
 * Sends a form that is refused, and reopens the form with the button below the refusal. Returns the form's contents.
 */
async function reopened(stage: Stage, path: string, given: Record<string, string | number>, values: Filled) {
  const alice = stage.person('alice')
  const opener = alice.run(stage.channel(), path, given)
  await opener.answered()
  const sent = alice.submit(opener.id, values)
  await sent.answered()
  await stage.world.settled()
  const [refused] = sent.messages()
  if (refused === undefined) throw new Error('nothing was said')
  const ids = [...everyComponent(refused.components)].map(({ custom_id }) => String(custom_id))
  const again = alice.press(refused.channelId, refused.id, ids.find((id) => id.includes('-again:')) ?? '')
  const { modal } = await again.answered()
  const fields = [...everyComponent(modal?.components ?? [])].filter(({ custom_id }) => custom_id !== undefined)
  const chosen = fields.map(({ custom_id, value, options }) => {
    const picked = (options as { value: string; default?: boolean }[] | undefined)?.find((each) => each.default)
    return [custom_id, value ?? picked?.value]
  })
  return { refused, alice, again, filled: Object.fromEntries(chosen) as Record<string, string | undefined> }
}

it('a giveaway refused for its amount has a button that reopens its filled-in form', async () => {
  const stage = await openFundedStage(5_000)
  const values = { winners: '3', duration: '6h', 'min-age': '90', role: ['@Moderators'] }
  const { refused, alice, again, filled } = await reopened(
    stage,
    'giveaway start',
    { 'bonus-role': '@Regulars', 'bonus-chances': 4, 'role-2': '@Regulars', roles: 'all', entries: 9 },
    { ...values, prize: 'lots/of 1:2' },
  )
  expect(refused.ephemeral).toBe(true)
  expect(textOf(refused)).toMatch(/lots\/of 1:2/)
  expect(filled).toMatchObject({ prize: 'lots/of 1:2', winners: '3', duration: '6h', 'min-age': '90' })
  const sent = alice.submit(again.id, { prize: '20', winners: '3', duration: '6h', 'min-age': '90' })
  await sent.answered()
  await stage.world.settled()
  expect(sent.messages().map(textOf).join()).toMatch(
    /20 test sats\*\* each to 3 people[\s\S]*Only for <@&\d+> and <@&\d+>[\s\S]*entry number 9[\s\S]*90 days old[\s\S]*4 chances/,
  )
})

it('a drop refused for its amount has a button that reopens its filled-in form', async () => {
  const stage = await openFundedStage(5_000)
  const values = { amount: '1,5 beers', shares: '7', way: 'sum', minutes: '360' }
  const { filled } = await reopened(stage, 'drop', { 'account-days': 30 }, values)
  expect(filled).toMatchObject(values)
})

it('a drop can be started with one form', async () => {
  const stage = await openFundedStage(5_000)
  const said = await fill(stage, 'drop', {}, { amount: '600', shares: '3', way: 'draw', minutes: '60' })
  expect(said).toMatch(/drops 3 shares of \*\*200 test sats\*\*[\s\S]*Everybody may enter/)
  const solved = await fill(stage, 'drop', {}, { amount: '100', shares: '2', way: 'sum', minutes: '10' })
  expect(solved).toMatch(/Solve the sum/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(4_300)
})

it('a tip from a person’s menu can also go to other people picked in its form', async () => {
  const stage = await openFundedStage(5_000)
  const alice = stage.person('alice')
  const menu = alice.useOnPerson(stage.channel(), stage.id('bob'), '⚡ Tip')
  await menu.answered()
  const sent = alice.submit(menu.id, { preset: '100', amount: '', also: ['@carol', '@bob', '@dave'], note: '' })
  await sent.answered()
  await stage.world.settled()
  expect(sent.messages().map(textOf).join('\n')).toMatch(/tipped .*Bob.*Carol.*Dave.* \*\*100 test sats\*\* each/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(4_700)
})

it('/withdraw reads an invoice’s QR code from a picture, and refuses other files', async () => {
  const stage = await openFundedStage(5_000)
  const { invoice } = await stage.world.phone.invoice(50_000n)
  const picture = dataUrl('image/png', await qrPng(invoice))
  const asked = await fill(stage, 'withdraw', {}, { to: '', picture: [picture], amount: '' })
  expect(asked).toMatch(/50 test sats[\s\S]*It pays the invoice/)
  // The pasted text takes precedence.
  const { invoice: other } = await stage.world.phone.invoice(70_000n)
  expect(await fill(stage, 'withdraw', {}, { to: other, picture: [picture], amount: '' })).toMatch(/70 test sats/)

  const white = PNG.sync.write(Object.assign(new PNG({ width: 60, height: 60 }), { data: Buffer.alloc(14_400, 255) }))
  const nothing = await fill(stage, 'withdraw', {}, { to: '', picture: [dataUrl('image/png', white)], amount: '' })
  expect(nothing).toMatch(/no QR code in that picture/)
  const text = await fill(
    stage,
    'withdraw',
    {},
    { to: '', picture: [dataUrl('text/plain', Buffer.from('x'))], amount: '' },
  )
  expect(text).toMatch(/I can read PNG, JPEG, WebP and GIF/)
  // A picture whose header claims 30,000 by 30,000 pixels is not decoded.
  const huge = Buffer.from(white)
  huge.writeUInt32BE(30_000, 16)
  huge.writeUInt32BE(30_000, 20)
  const refused = await fill(stage, 'withdraw', {}, { to: '', picture: [dataUrl('image/png', huge)], amount: '' })
  expect(refused).toMatch(/I can read PNG/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(5_000)
})
