import type { MessageView } from '../../discord-emulator/views.ts'
import type { Flow } from './flow.ts'
import { type Stage, TourBroken } from './stage.ts'

/** Plays payments from a server's pool: a reward by a rule, rewards to a list, and a drop. */
export const poolPays: readonly Flow[] = [
  {
    title: 'A moderator fills the pool, and a rule rewards a good post',
    async play(stage) {
      const [charge] = await stage.command('mod', 'pool fund', { amount: '5000' })
      await stage.pay(await stage.scan(must(charge), 'pool'))
      await stage.until('the pool is filled', async () => (await pool(stage)) === 5_000)
      const budget = { role: '@Moderators', amount: '2000', period: 'day' }
      await stage.command('mod', 'pool budget', budget)
      const rule = { recipe: 'good-post', amount: '300', budget: '2000' }
      stage.mustSay(await stage.command('mod', 'rule create', rule), /The rule is on/)
      const before = await stage.holds('bot', 'member', 'carol')
      const post = stage.person('carol').say(stage.channel(), 'How to open a channel, step by step')
      for (let times = 0; times < 2; times += 1) {
        stage.teller.line('mod › reacts with 🏅')
        stage.person('mod').react(post.channelId, post.id, '🏅')
        await stage.world.settled()
        stage.person('mod').unreact(post.channelId, post.id, '🏅')
      }
      await stage.sees('carol', /300 test sats\*\* from the pool[\s\S]*By a rule/)
      stage.mustBe('carol received, once', (await stage.holds('bot', 'member', 'carol')) - before, 300)
      stage.mustBe('the pool', await pool(stage), 4_700)
    },
  },
  {
    title: 'The pool pays a list: one press, one change, and each line has its outcome',
    async play(stage) {
      const before = await stage.holds('bot', 'member', 'carol')
      const lines = [`${stage.id('carol')},200,Soup`, `${stage.id('dave')},100,Plates`, 'alice,5,Tea']
      const file = `data:text/csv;name=kitchen.csv;base64,${Buffer.from(lines.join('\n')).toString('base64')}`
      const [preview] = await stage.command('mod', 'pool pay', { file, reason: 'Kitchen' })
      stage.mustSay([must(preview)], /300 test sats\*\* from the pool to 2 people[\s\S]*Line 3: “alice/)
      await stage.press('mod', must(preview), 'Pay')
      await stage.sees('carol', /from the pool: \*\*300/)
      stage.mustBe('carol received', (await stage.holds('bot', 'member', 'carol')) - before, 200)
      stage.mustBe('the pool', await pool(stage), 4_400)
    },
  },
  {
    title: 'A drop from the pool: its shares are taken, and what is left goes back there',
    async play(stage) {
      const gift = { amount: '300', shares: 3, from: 'pool', reason: 'Friday' }
      const drop = stage.mustSay(await stage.command('mod', 'drop', gift), /drops/)
      stage.mustBe('the pool', await pool(stage), 4_100)
      const before = await stage.holds('bot', 'member', 'carol')
      for (const who of ['carol', 'alice']) await stage.press(who, drop, 'Take a share')
      stage.mustBe('carol took', (await stage.holds('bot', 'member', 'carol')) - before, 100)
      const open = await stage.sees('mod', /2 of 3/)
      await stage.press('mod', open, 'Close')
      stage.mustBe('the pool', await pool(stage), 4_200)
    },
  },
]

/** Resolves to the balance of all servers' pools together, in sats. */
async function pool(stage: Stage): Promise<number> {
  const book = (await stage.world.books()).find(({ side }) => side === 'bot')
  return Number(book?.totals.pool ?? 0n) / 1_000
}

function must(message: MessageView | undefined): MessageView {
  if (message === undefined) throw new TourBroken('the bot has shown nothing')
  return message
}
