import type { PlaygroundWorld } from '../world.ts'
import { Stage, silentTeller } from './stage.ts'

const A_WEEK_IN_MINUTES = 10_080

/**
 * Sets the first scene for a newcomer in #general of a fresh playground: people who talk, a tip, and a drop with one
 * share left. Bob first deposits sats from his phone. Without custody the people only talk. Does nothing if somebody
 * has already spoken. Rejects if the bot or the service fails; earlier messages stay.
 */
export async function playFirstScene(world: PlaygroundWorld): Promise<void> {
  const stage = new Stage(world, silentTeller, 'general')
  const here = stage.channel()
  const say = (who: string, text: string) => void stage.person(who).say(here, text)
  if (stage.person('bob').conversation(here).length > 0) return
  if (world.custody === 'none') {
    say('carol', 'Good morning! Where are my sats, if Satchel does not hold them?')
    say(
      'bob',
      'In your own wallet. Mine is connected as soon as I have used /wallet, and then tips go straight into it.',
    )
    say('dave', 'So nobody has to look after our sats? I like that.')
    return
  }

  const [deposit] = await stage.command('bob', 'deposit', { amount: '5000' })
  if (deposit === undefined) throw new Error('the bot has shown no deposit card')
  await stage.pay(await stage.scan(deposit, 'deposit'))
  say('carol', 'Good morning! I wrote up how I opened my first Lightning channel. Does anybody want to read it?')
  say('dave', 'Me, please. Mine has been “pending” since Tuesday.')
  say('bob', 'I have read it, and even my mother would understand it.')
  const tip = { to: stage.id('carol'), amount: '210', note: 'for the best guide of the week' }
  const [card] = await stage.command('bob', 'tip', tip)
  if (card !== undefined) await stage.press('carol', card, 'Claim my sats')
  say('carol', 'Thank you! My next coffee is on you, then ☕')
  say('dave', 'Wait, that was money? In a chat?')
  say('bob', 'Sats. Here they are play money, so let me show you. First come, first served:')
  const [drop] = await stage.command('bob', 'drop', { amount: '300', shares: 3, minutes: A_WEEK_IN_MINUTES })
  if (drop !== undefined) for (const who of ['dave', 'carol']) await stage.press(who, drop, 'Take a share')
  say('dave', 'I have one! 🎉')
  say('carol', 'Me too. There is one share left: @alice, press **Take a share**!')
}
