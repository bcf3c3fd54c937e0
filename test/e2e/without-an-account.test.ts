import { expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { ShiftedClock } from '../support/shifted-clock.ts'
import { openStage } from './harness.ts'

type Given = (stage: Stage, clock: ShiftedClock) => Promise<MessageView>

/**
 * The gifts that a newcomer without an account can receive; each function returns the message with the button that
 * leads to a wallet.
 */
const gifts: Readonly<Record<string, Given>> = {
  async 'an unclaimed tip'(stage) {
    const card = await first(stage, 'tip', { to: stage.id('newcomer'), amount: '1000' })
    return must(await stage.press('newcomer', card, 'Claim my sats'))
  },
  async 'a share of a drop'(stage) {
    const card = await first(stage, 'drop', { amount: '1000', shares: 1 })
    return must(await stage.press('newcomer', card, 'Take a share'))
  },
  async 'a share of a drop that is drawn'(stage) {
    const card = await first(stage, 'drop', { amount: '1000', shares: 1, draw: true })
    await stage.press('newcomer', card, 'Enter the draw')
    await stage.press('alice', card, 'Close')
    return await stage.sees('newcomer', /Drawn: /)
  },
  async 'a prize of a giveaway'(stage, clock) {
    const card = await first(stage, 'giveaway start', { prize: '1000', winners: 1, duration: '1h' })
    await stage.press('newcomer', card, 'Enter')
    const path = 'giveaway end'
    const [choice] = await stage.person('alice').autocomplete(stage.channel(), path, { giveaway: '' }, 'giveaway')
    await stage.command('alice', path, { giveaway: String(choice?.value) })
    await stage.sees('newcomer', /ends this giveaway early/)
    // An early end is told a minute before.
    await stage.world.bot.kill()
    clock.shiftMs += 61_000
    await stage.world.bot.start()
    return await stage.sees('newcomer', /won \*\*1,000 test sats/)
  },
  async 'a share of the rain'(stage) {
    const { tipping } = stage.world.bot
    const anybody = { rainAccountDays: 0 }
    await tipping.preferences.changeServer({ guild: stage.world.cast.server, member: stage.id('mod'), change: anybody })
    stage.person('newcomer').say(stage.channel('general'), 'good morning')
    await stage.until('the rain falls', async () => {
      const said = await stage.command('alice', 'rain', { amount: '1000', 'active-within': '15-minutes' })
      return said.some((message) => /made it rain/.test(textOf(message)))
    })
    return must(await stage.press('newcomer', await stage.sees('newcomer', /made it rain/), 'Claim my sats'))
  },
}

function must([message]: readonly MessageView[]): MessageView {
  if (message === undefined) throw new Error('there is no message')
  return message
}

async function first(stage: Stage, path: string, values: Record<string, string | number | boolean>) {
  return must(await stage.command('alice', path, values as never))
}

it.each(Object.keys(gifts))('any wallet can claim %s by scanning a code', async (gift) => {
  const clock = new ShiftedClock()
  const stage = await openStage({ clock })
  const deposit = await first(stage, 'deposit', { amount: '10000' })
  await stage.pay(await stage.scan(deposit, 'deposit'))
  const given = await gifts[gift]?.(stage, clock)
  if (given === undefined) throw new Error('nothing was given')
  const before = (await stage.world.phone.wallet()).balance
  const asked = must(await stage.press('newcomer', given, 'Withdraw'))
  expect(asked.ephemeral).toBe(true)
  expect(textOf(asked)).toMatch(/990/)
  await stage.press('newcomer', asked, 'Show the code')
  const offered = await stage.sees('newcomer', /works once/)
  await stage.world.phone.claim(await stage.scan(offered, 'share'))
  await stage.sees('newcomer', /Withdrawal of 990[\s\S]*Paid/)
  expect(Number((await stage.world.phone.wallet()).balance - before)).toBe(990_000)
})
