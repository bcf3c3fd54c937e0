import { expect, it } from 'vitest'
import { permission } from '../../src/discord-emulator/world/permissions.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openStage } from './harness.ts'

/** Changes a setting of the server with the setting's menu. Resolves to the answer. */
async function choose(stage: Stage, topic: string, values: readonly string[]): Promise<string> {
  const mod = stage.person('mod')
  const [mine] = await stage.command('mod', 'settings')
  if (mine === undefined) throw new Error('no settings')
  const [server] = await stage.press('mod', mine, 'Server settings')
  if (server === undefined) throw new Error('no settings of the server')
  await mod.choose(server.channelId, server.id, 'settings-server:topic', [topic]).answered()
  const handle = mod.choose(server.channelId, server.id, `settings-server:${topic}`, values)
  await handle.answered()
  await stage.world.settled()
  return handle.messages().map(textOf).join('\n')
}

/** Returns the messages in the moderators' channel, oldest first. */
const log = (stage: Stage) => stage.person('mod').conversation(stage.channel('mods')).map(textOf)

it('the moderation log’s channel shows each change with its author, across restarts', async () => {
  const stage = await openStage()
  await choose(stage, 'logChannel', [stage.channel('mods')])
  await choose(stage, 'largestTip', ['5000'])
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '1000', period: 'day' })
  await stage.world.bot.kill()
  await stage.world.bot.start()
  await stage.command('mod', 'rule create', { recipe: 'good-post', amount: '300', budget: '2000' })
  const [choice] = await stage.person('mod').autocomplete(stage.channel(), 'rule stop', { rule: '' }, 'rule')
  await stage.command('mod', 'rule stop', { rule: String(choice?.value) })
  await stage.world.settled()
  expect(log(stage)).toEqual([
    expect.stringMatching(/^Mod.* · \*\*Settings\*\* · 📜 Moderation log in: \*\*<#\d+>/),
    expect.stringMatching(/Settings\*\* · ⬆️ Largest tip: \*\*5,000 test sats\*\*/),
    expect.stringMatching(/Budget set\*\* · <@&\d+> · 1,000 test sats/),
    expect.stringMatching(/Rule made\*\* · 300 test sats · “A good post/),
    expect.stringMatching(/Rule stopped\*\* · 300 test sats · “A good post/),
  ])
  const messages = stage.person('mod').conversation(stage.channel('mods'))
  expect(messages.flatMap(({ notifies }) => notifies.personIds)).toEqual([])
})

it('the moderation log names a removed budget, but not one that never existed', async () => {
  const stage = await openStage()
  await choose(stage, 'logChannel', [stage.channel('mods')])
  await stage.command('mod', 'pool budget', { role: '@Regulars', amount: '0', period: 'day' })
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '1000', period: 'day' })
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '0', period: 'day' })
  await stage.world.settled()
  expect(log(stage).slice(1)).toEqual([
    expect.stringMatching(/Budget set\*\* · <@&\d+> · 1,000 test sats/),
    expect.stringMatching(/Budget removed\*\* · <@&\d+>$/m),
  ])
})

it('the refusal of a log channel names the permissions that the bot lacks there', async () => {
  const stage = await openStage()
  const { server } = stage.world.cast
  const { world } = stage.world.emulator
  const closed = world.createChannel(server, { name: 'closed' })
  world.setOverwrite(closed.id, server, { deny: permission.sendMessages })
  expect(await choose(stage, 'logChannel', [closed.id])).toMatch(
    /not allowed to write in .*View Channel, Send Messages/,
  )
  expect(stage.world.bot.tipping.preferences.ofServer(stage.world.cast.server).logChannel).toBeUndefined()
})

it('a new schedule or rule shows a warning if its maker’s budget is too small', async () => {
  const stage = await openStage()
  const terms = { kind: 'drop', weekday: 'friday', time: '18:00', times: 3, amount: '300', people: 3, reason: 'party' }
  const made = stage.mustSay(await stage.command('mod', 'schedule create', terms), /Scheduled/)
  expect(textOf(made)).toMatch(/`\/schedule stop`|schedule stop/)
  expect(textOf(made)).toMatch(/> party/)
  expect(textOf(made)).toMatch(
    /None of your roles has a budget[\s\S]*pool budget[\s\S]*The pool has \*\*0 test sats\*\*/,
  )
  const rule = { recipe: 'good-post', amount: '300', budget: '2000' }
  stage.mustSay(await stage.command('mod', 'rule create', rule), /The rule is on[\s\S]*None of your roles has a budget/)
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '200', period: 'day' })
  const small = stage.mustSay(await stage.command('mod', 'schedule create', terms), /Each one costs 300 /)
  expect(textOf(small)).toMatch(/largest budget is 200 test sats\. You can raise it: .*pool budget/)
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '300', period: 'day' })
  const enough = stage.mustSay(await stage.command('mod', 'schedule create', terms), /Scheduled/)
  expect(textOf(enough)).not.toMatch(/budget/)
  const [charge] = await stage.command('mod', 'pool fund', { amount: '5000' })
  if (charge === undefined) throw new Error('no charge')
  await stage.pay(await stage.scan(charge, 'pool'))
  const last = await stage.command('mod', 'schedule create', terms)
  expect(last.map(textOf).join()).not.toMatch(/⚠️/)
})
