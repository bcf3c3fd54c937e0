import type { MessageView } from '../../discord-emulator/views.ts'
import type { Flow } from './flow.ts'
import type { Stage } from './stage.ts'
import { textOf } from './text-of.ts'

/** The highest fee, in sats, of a withdrawal of up to 1,000 sats: the limit by `FEE_LIMIT_PERCENT`, but at least 10. */
const MAX_FEE = 10

/** The ways in which sats leave a balance: to an invoice, through a code, as a voucher, and as a drop. */
export const satsLeave: readonly Flow[] = [
  {
    title: 'Alice withdraws to an invoice of a wallet outside',
    async play(stage) {
      const { invoice } = await stage.world.phone.invoice(1_000_000n, 'A withdrawal')
      stage.teller.line(`📱 asks for 1,000 sats: ${invoice.slice(0, 24)}…`)
      await withdraw(stage, { amount: '1000', to: invoice }, 1_000)
    },
  },
  {
    title: 'Alice withdraws by a code that any wallet claims',
    async play(stage) {
      const [before, outside] = [await balance(stage, 'alice'), await phoneHolds(stage)]
      const [asked] = await stage.command('alice', 'withdraw', { amount: '600' })
      await stage.press('alice', shown(asked), 'Show the code')
      const code = await stage.scan(await stage.sees('alice', /works once/), 'withdrawal')
      stage.teller.line('📱 scans it, and claims 600 sats')
      await stage.world.phone.claim(code)
      await stage.sees('alice', /Withdrawal of 600[\s\S]*Paid/)
      await stage.until('the sats are outside', async () => (await phoneHolds(stage)) - outside === 600_000n)
      mustCost(stage, before - (await balance(stage, 'alice')), 600)
    },
  },
  {
    title: 'Alice makes a voucher, and carol redeems it',
    async play(stage) {
      const before = await balance(stage, 'carol')
      const [card] = await stage.command('alice', 'voucher create', { amount: '300', description: 'for the talk' })
      const code = /`([0-9A-Z]{8})`/.exec(textOf(shown(card)))?.[1]
      if (code === undefined) throw new Error('the voucher has no code')
      await stage.command('carol', 'voucher redeem', { code })
      stage.mustBe('carol received', (await balance(stage, 'carol')) - before, 300)
    },
  },
  {
    title: 'Alice drops sats in the channel; carol and dave take them',
    async play(stage) {
      const before = { carol: await balance(stage, 'carol'), dave: await balance(stage, 'dave') }
      const [drop] = await stage.command('alice', 'drop', { amount: '150', shares: 2 })
      for (const who of ['carol', 'dave'] as const) {
        await stage.press(who, shown(drop), 'Take a share')
        stage.mustBe(`${who} received`, (await balance(stage, who)) - before[who], 75)
      }
      await stage.sees('alice', /All shares are taken/)
    },
  },
]

/** Withdraws sats, and checks that exactly the amount and a fee within the limit leave the balance. */
export async function withdraw(stage: Stage, values: { amount: string; to: string }, sats: number): Promise<void> {
  const [before, outside] = [await balance(stage, 'alice'), await phoneHolds(stage)]
  const [asked] = await stage.command('alice', 'withdraw', values)
  await stage.press('alice', shown(asked), 'Send it')
  await stage.sees('alice', new RegExp(`Withdrawal of ${sats.toLocaleString('en')}[\\s\\S]*Paid`))
  await stage.until('the sats are outside', async () => (await phoneHolds(stage)) - outside === BigInt(sats) * 1_000n)
  mustCost(stage, before - (await balance(stage, 'alice')), sats)
}

function mustCost(stage: Stage, spent: number, sats: number): void {
  const fee = spent - sats
  stage.mustBe(`the fee is ${fee} sats, within its limit`, fee >= 0 && fee <= MAX_FEE, true)
}

function balance(stage: Stage, who: string): Promise<number> {
  return stage.holds('bot', 'member', who)
}

async function phoneHolds(stage: Stage): Promise<bigint> {
  return (await stage.world.phone.wallet()).balance
}

function shown(message: MessageView | undefined): MessageView {
  if (message === undefined) throw new Error('the bot has shown no card')
  return message
}
