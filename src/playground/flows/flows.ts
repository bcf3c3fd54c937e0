import { botIsKilled } from './bot-is-killed.ts'
import type { Flow } from './flow.ts'
import { fromWalletToWallet } from './from-wallet-to-wallet.ts'
import { poolPays } from './pool-pays.ts'
import { satsLeave } from './sats-leave.ts'
import { serviceIsDown } from './service-is-down.ts'

export const flows: readonly Flow[] = [
  {
    title: 'Alice, bob and a moderator link their Lightning accounts',
    async play(stage) {
      for (const [who, gamertag] of Object.entries({ alice: 'alice', bob: 'bob', mod: 'molly' }))
        stage.mustSay(await stage.command(who, 'link', { wallet: gamertag }), /Linked/)
    },
  },
  {
    title: 'Alice fills her balance from a wallet outside',
    async play(stage) {
      const [card] = await stage.command('alice', 'deposit', { amount: '10,000' })
      if (!card) throw new Error('the bot has shown no deposit card')
      await stage.pay(await stage.scan(card, 'deposit'))
      await stage.sees('alice', /deposit of .*10,000.* has arrived/i)
      stage.mustBe("alice's balance", await stage.holds('bot', 'member', 'alice'), 10_000)
    },
  },
  {
    title: 'A tip to bob, who is linked, goes on to his own wallet',
    async play(stage) {
      const said = await stage.command('alice', 'tip', {
        to: stage.id('bob'),
        amount: '500',
        note: 'for the great write-up',
      })
      stage.mustSay(said, /in the wallet/)
      stage.mustBe("bob's wallet", await stage.holds('service', 'wallet', 'bob'), 500)
    },
  },
  {
    title: 'A tip to carol, who has never used the bot, waits for her',
    async play(stage) {
      const said = await stage.command('alice', 'tip', { to: stage.id('carol'), amount: '250' })
      const card = stage.mustSay(said, /not claimed yet/)
      stage.mustBe("carol's balance before", await stage.holds('bot', 'member', 'carol'), 0)
      await stage.press('carol', card, 'Claim my sats')
      stage.mustBe("carol's balance after", await stage.holds('bot', 'member', 'carol'), 250)
    },
  },
  {
    title: 'Everybody looks at their balance',
    async play(stage) {
      stage.mustSay(await stage.command('alice', 'balance'), /9,250/)
      stage.mustSay(await stage.command('bob', 'balance'), /500 .*went to your own wallet/)
      stage.mustSay(await stage.command('carol', 'balance'), /250/)
      stage.mustSay(await stage.command('mod', 'balance'), /0 test sats/)
    },
  },
  {
    title: 'Bob asks for sats, and a stranger pays',
    async play(stage) {
      const said = await stage.command('bob', 'invoice', { amount: '1k', description: 'stickers' })
      await stage.pay(await stage.scan(stage.mustSay(said, /asks for/), 'invoice'))
      await stage.sees('carol', /1,000.*have been paid to/)
      stage.mustBe("bob's wallet", await stage.holds('service', 'wallet', 'bob'), 1_500)
    },
  },
  {
    title: 'Carol takes a Lightning Address of her own, and a stranger pays to it',
    async play(stage) {
      const [card] = await stage.command('carol', 'address')
      if (!card) throw new Error('the bot has shown no address card')
      stage.teller.line('📱 scans it, and pays 33 sats with a word')
      await stage.world.phone.pay(await stage.scan(card, 'address'), 33_000n, 'for the sticker')
      await stage.sees('carol', /33 .*arrived at carol@[\s\S]*for the sticker/)
      stage.mustBe("carol's balance", await stage.holds('bot', 'member', 'carol'), 283)
    },
  },
  {
    title: 'A tip that is larger than the balance asks for what is missing',
    async play(stage) {
      const said = await stage.command('carol', 'tip', { to: stage.id('bob'), amount: '1000' })
      stage.mustSay(said, /1,000 [\s\S]*The other \*\*283 /)
      stage.mustBe("carol's balance", await stage.holds('bot', 'member', 'carol'), 283)
    },
  },
  {
    title: 'Discord delivers one command twice; money moves once',
    async play(stage) {
      const before = await stage.wealth('bob')
      stage.world.emulator.faults.duplicateNextInteraction()
      const said = await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '100' })
      await stage.world.settled()
      stage.mustBe('cards that answer the two deliveries', said.filter((each) => each.componentsV2).length, 1)
      stage.mustBe('bob received', (await stage.wealth('bob')) - before, 100)
    },
  },
  {
    title: 'Bob renames his gamertag, mallory takes the old name, and the next tip still reaches bob',
    async play(stage) {
      const administration = stage.world.service.administration()
      await administration.renameUser(await stage.world.service.userId('bob'), 'bobby')
      await administration.createUser('bob')
      stage.teller.line('⚙ bob is called bobby now; mallory made an account with the gamertag bob')
      const before = await stage.holds('service', 'wallet', 'bobby')
      await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '200' })
      stage.mustBe('the real bob received', (await stage.holds('service', 'wallet', 'bobby')) - before, 200)
      stage.mustBe("mallory's wallet", await stage.holds('service', 'wallet', 'bob'), 0)
    },
  },
  ...satsLeave,
  { title: 'The service is down when alice tips, and comes back', play: serviceIsDown },
  { title: 'The bot is killed in the middle of a tip, and starts again', play: botIsKilled },
  ...poolPays,
  fromWalletToWallet,
  {
    title: 'The proof',
    async play(stage) {
      await stage.world.settled()
      for (const book of await stage.world.books()) {
        for (const fault of book.faults) stage.teller.line(`✗ ${fault}`)
        stage.mustBe(`the ${book.side}'s book balances`, book.holds, true)
        const sum = Object.values(book.totals).reduce((all, total) => all + total, 0n)
        for (const [kind, total] of Object.entries(book.totals))
          stage.teller.line(`  ${kind.padEnd(16)} ${String(total).padStart(16)} msats`)
        stage.mustBe(`the ${book.side}'s accounts add up to`, sum, 0n)
      }
      const audit = await stage.world.bot.tipping.audit()
      for (const fault of audit.faults) stage.teller.line(`✗ ${fault}`)
      stage.teller.line(
        `  members are owed ${audit.owed} msats, the operator's float is ${audit.operator}; the wallet holds ${audit.wallet}`,
      )
      stage.mustBe('the wallet covers the books', audit.holds, true)
    },
  },
]
