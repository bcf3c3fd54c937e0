import { describe, expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { openPooledStage, poolHolds } from './pooled-stage.ts'

async function react(stage: Stage, who: string, message: MessageView, emoji: string): Promise<void> {
  stage.person(who).react(message.channelId, message.id, emoji)
  await stage.world.settled()
}

describe('a rule', () => {
  it('for answers pays the person whom the thread’s author thanks, once per thread', async () => {
    const stage = await openPooledStage()
    await stage.command('mod', 'rule create', { recipe: 'solved', amount: '250', budget: '2000' })
    const ownerId = stage.id('alice')
    const { id } = stage.world.emulator.world.createThread(stage.channel(), { name: 'no route', ownerId })
    stage.person('alice').say(id, 'What does “no route” mean?')
    const answer = stage.person('bob').say(id, 'That no channel leads there.')
    for (const who of ['dave', 'bob']) await react(stage, who, answer, '✅')
    await react(stage, 'alice', stage.person('alice').say(id, 'I see'), '✅')
    await react(stage, 'alice', answer, '✅')
    await stage.until('bob is paid', async () => (await stage.wealth('bob')) === 250)
    await react(stage, 'mod', stage.person('dave').say(id, 'Me too'), '✅')
    await stage.world.settled()
    expect(await poolHolds(stage)).toBe(4_750)
  })

  it('is made with one command, pays a post’s author once, and can be stopped', async () => {
    const stage = await openPooledStage()
    const [made] = await stage.command('mod', 'rule create', { recipe: 'good-post', amount: '300', budget: '2000' })
    expect(must(made).ephemeral).toBe(true)
    expect(textOf(must(made))).toMatch(/The rule is on[\s\S]*A good post[\s\S]*300 test sats each, 0 .* of 2,000/)
    const said = stage.person('bob').say(stage.channel(), 'How to open a channel, step by step')
    await react(stage, 'carol', said, '🏅')
    await react(stage, 'mod', said, '🐛')
    expect(await poolHolds(stage)).toBe(5_000)
    for (let times = 0; times < 3; times += 1) {
      stage.person('mod').unreact(said.channelId, said.id, '🏅')
      await react(stage, 'mod', said, '🏅')
    }
    const card = await stage.sees('carol', /\*\*300 test sats\*\* from the pool for @\w+[\s\S]*By a rule/)
    expect(card.notifies.personIds).toEqual([stage.id('bob')])
    expect(await poolHolds(stage)).toBe(4_700)
    expect(await stage.wealth('bob')).toBe(300)
    stage.mustSay(await stage.command('mod', 'rule list'), /300 test sats of 2,000[\s\S]*Rewards so far: 1/)

    const [choice] = await stage.person('mod').autocomplete(stage.channel(), 'rule stop', { rule: '' }, 'rule')
    stage.mustSay(await stage.command('mod', 'rule stop', { rule: String(must(choice).value) }), /Stopped by Mod/)
    const more = stage.person('bob').say(stage.channel(), 'And how to close it')
    await react(stage, 'mod', more, '🏅')
    expect(await poolHolds(stage)).toBe(4_700)
  })

  it('for a role pays each holder for their next message, unless their account is new', async () => {
    const stage = await openPooledStage()
    const role = '@Regulars'
    await stage.command('mod', 'rule create', { recipe: 'role-welcome', amount: '50', budget: '1000', role })
    for (const who of ['bob', 'bob', 'newcomer', 'carol']) stage.person(who).say(stage.channel(), 'Hello')
    await stage.world.settled()
    await stage.until('bob is paid', async () => (await stage.wealth('bob')) === 50)
    expect(await poolHolds(stage)).toBe(4_950)
  })

  it('counts but does not pay while on trial, and is refused without a required role', async () => {
    const stage = await openPooledStage()
    await stage.command('mod', 'rule create', { recipe: 'good-post', amount: '300', budget: '2000', trial: true })
    const said = stage.person('bob').say(stage.channel(), 'A long answer')
    await react(stage, 'mod', said, '🏅')
    const { tipping } = stage.world.bot
    await stage.until('it is counted', async () => (await tipping.rules.list(stage.world.cast.server))[0]?.given === 1)
    stage.mustSay(await stage.command('mod', 'rule list'), /would have given: 1, 300 test sats in all/)
    expect(await poolHolds(stage)).toBe(5_000)
    stage.mustSay(
      await stage.command('mod', 'rule create', { recipe: 'role-weekly', amount: '5', budget: '50' }),
      /about a role/,
    )
  })
})
