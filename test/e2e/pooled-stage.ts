import { expect } from 'vitest'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { must } from '../support/must.ts'
import { openStage } from './harness.ts'

/**
 * Opens a world whose pool received 5,000 sats by QR code. Moderators may give 1,000 sats a day, and bob has used the
 * bot.
 */
export async function openPooledStage(): Promise<Stage> {
  const stage = await openStage()
  const [charge] = await stage.command('mod', 'pool fund', { amount: '5000' })
  expect(must(charge).ephemeral).toBe(true)
  await stage.pay(await stage.scan(must(charge), 'pool'))
  await stage.until('the pool is filled', async () => (await poolHolds(stage)) === 5_000)
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '1000', period: 'day' })
  await stage.command('bob', 'balance')
  return stage
}

/** Checks that the pool holds this many sats. */
export async function poolHolds(stage: Stage): Promise<number> {
  const book = (await stage.world.books()).find(({ side }) => side === 'bot')
  return Number(book?.accounts.find(({ kind }) => kind === 'pool')?.balance ?? 0n) / 1_000
}

/** Presses a button that changes its own message. The private answer comes after that change. */
export async function decide(stage: Stage, who: string, card: MessageView, label: 'Approve' | 'Deny'): Promise<void> {
  const buttons = [...everyComponent(card.components)] as unknown as { label: string; custom_id: string }[]
  const button = buttons.find((each) => each.label === label)
  await stage
    .person(who)
    .press(card.channelId, card.id, button?.custom_id ?? '')
    .acknowledged()
  await stage.world.settled()
}
