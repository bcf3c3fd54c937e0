import type { Stage } from './stage.ts'

/**
 * Gives a tip while the service is down. Checks that Bob receives the tip exactly once, in his own wallet or in his
 * Discord balance, and that the card says where.
 */
export async function serviceIsDown(stage: Stage): Promise<void> {
  const wallet = 'bobby'
  const inWallet = await stage.holds('service', 'wallet', wallet)
  const here = await stage.holds('bot', 'member', 'bob')
  await stage.world.service.kill()
  stage.teller.line('⚙ the payments service is stopped')
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '300' })
  await stage.world.service.start()
  stage.teller.line('⚙ the payments service is back')
  await stage.until('the tip has ended', async () => !(await inFlight(stage)))
  await mustHaveOnce(stage, { amount: 300, wallet, inWallet, here })
}

/** Whether a payout is under way. */
export async function inFlight(stage: Stage): Promise<boolean> {
  return (await stage.world.waiting()).some(({ what }) => what.startsWith('payout'))
}

/** Checks that Bob has received the amount exactly once since `before`, and that the newest card says where. */
export async function mustHaveOnce(
  stage: Stage,
  before: { amount: number; wallet: string; inWallet: number; here: number },
): Promise<void> {
  await stage.world.settled()
  const toWallet = (await stage.holds('service', 'wallet', before.wallet)) - before.inWallet
  const toBalance = (await stage.holds('bot', 'member', 'bob')) - before.here
  stage.mustBe('bob received, in one place or the other', toWallet + toBalance, before.amount)
  const place = toWallet > 0 ? 'in the wallet' : 'in the Discord balance'
  await stage.sees('alice', new RegExp(`tipped[\\s\\S]*\\b${before.amount}\\b[\\s\\S]*${place}`))
  stage.teller.line(`✓ the card says: ${place}`)
}
