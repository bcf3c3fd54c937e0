import { beforeAll, describe, expect, vi } from 'vitest'
import type { InteractionHandle } from '../../src/discord-emulator/people/interaction-handle.ts'
import type { OptionValues } from '../../src/discord-emulator/people/option-values.ts'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { attack, blockedAfterMs, installed } from './installation.ts'

/** Members attack the bot on Discord. */
const world = installed()

const person = (who: string) => {
  const { people } = world().seeded
  return world().discord.as(people[who as keyof typeof people])
}
const tips = () => world().seeded.channels.tips

async function done(handle: InteractionHandle): Promise<MessageView[]> {
  await handle.answered()
  return handle.messages()
}

const run = (who: string, path: string, values: OptionValues = {}) => done(person(who).run(tips(), path, values))

function buttonOf(messages: readonly MessageView[], verb: string): { message: MessageView; customId: string } {
  for (const message of messages) {
    const all = [...everyComponent(message.components)] as { custom_id?: string }[]
    const found = all.find(({ custom_id }) => custom_id?.startsWith(`${verb}:`))
    if (found?.custom_id !== undefined) return { message, customId: found.custom_id }
  }
  throw new Error(`nobody was shown ${verb}: ${JSON.stringify(messages)}`)
}

const press = (who: string, { message, customId }: ReturnType<typeof buttonOf>) =>
  person(who).press(message.channelId, message.id, customId)

async function balance(who: string): Promise<number> {
  const [message] = await run(who, 'balance')
  const text = JSON.stringify(message).match(/## ([\d,]+) test sat/)?.[1] ?? '0'
  return Number(text.replaceAll(',', ''))
}

beforeAll(async () => {
  const deposit = person('alice').run(tips(), 'deposit', { amount: '10000' })
  // An invoice, or an LNURL code where a busy machine takes too long to make one.
  const code = () => /\bln(bc|url1)\w+/i.exec(deposit.messages().map(textOf).join('\n'))?.[0] ?? ''
  await vi.waitFor(() => expect(code()).not.toBe(''), { timeout: blockedAfterMs() })
  await world().phone.pay(code())
  for (let looks = 0; looks < 300 && (await balance('alice')) !== 10_000; looks += 1);
  for (const who of ['bob', 'carol', 'dave', 'mod']) await run(who, 'balance')
})

describe('balances', () => {
  attack('twenty simultaneous tips out of a balance for five', 'only five are paid', async () => {
    await run('alice', 'tip', { to: '@bob', amount: '50' })
    await Promise.all(Array.from({ length: 20 }, () => run('bob', 'tip', { to: '@carol', amount: '10' })))
    expect([await balance('bob'), await balance('carol')]).toEqual([0, 50])
  })
})

describe('permissions', () => {
  attack(
    'commands of moderators and operators, run by a member',
    'Discord does not offer them, or the bot refuses them',
    async () => {
      for (const path of ['reward', 'admin status', 'admin pause']) {
        expect(() => person('alice').run(tips(), path, {}), path).toThrow()
      }
      // `/pool` has commands for everybody, so Discord offers these too.
      const forModerators: [string, OptionValues][] = [
        ['pool budget', { role: world().seeded.roles.regulars, amount: '500', period: 'day' }],
        ['pool fundraiser', { amount: '10', goal: '100' }],
        ['pool fund', { amount: '10' }],
        ['pool export', {}],
      ]
      for (const [path, values] of forModerators) {
        const told = await run('alice', path, values)
        expect(told.map(textOf).join('\n'), path).toMatch(/moderator/i)
      }
    },
  )

  attack('a moderator’s buttons, pressed by a member', 'the bot refuses them', async () => {
    const fundraiser = await run('mod', 'pool fundraiser', { amount: '10', goal: '100' })
    const close = buttonOf(fundraiser, 'fundraiser-close')
    const [told] = (await done(press('alice', close))).slice(-1)
    expect(JSON.stringify(told)).toMatch(/moderator/i)
    expect(buttonOf(person('mod').conversation(tips()), 'fundraiser-close').customId).toBe(close.customId)
  })

  attack('another member’s withdrawal code', 'it is shown only to its owner', async () => {
    const asked = await run('alice', 'withdraw', { amount: '100' })
    expect(asked.every(({ ephemeral }) => ephemeral)).toBe(true)
    const confirm = buttonOf(asked, 'withdraw-confirm')
    expect(() => press('bob', confirm)).toThrow()
  })
})

describe('other channels', () => {
  attack('drops and giveaways of a private channel', 'strangers and other members learn of none', async () => {
    const { discord, seeded, callbacksUrl } = world()
    await run('alice', 'tip', { to: '@mod', amount: '900' })
    const mods = (path: string, values: OptionValues) => done(person('mod').run(seeded.channels.mods, path, values))
    await mods('drop', { amount: '777', shares: 1 })
    await mods('giveaway start', { prize: '55', winners: 1, duration: '1h' })
    const answer = await world().ask(`${callbacksUrl}/api/v1/servers/${seeded.serverId}/drops`)
    expect(answer.json.drops.map(({ channel }: { channel: string }) => channel)).not.toContain(seeded.channels.mods)
    const offered = (who: string, channel: string) =>
      person(who).autocomplete(channel, 'giveaway verify', { giveaway: '' }, 'giveaway')
    const [hidden] = await offered('mod', seeded.channels.mods)
    expect(hidden).toBeDefined()
    expect(await offered('bob', tips())).toEqual([])
    const asked = await run('bob', 'giveaway verify', { giveaway: String(hidden?.value) })
    expect(JSON.stringify(asked)).toContain('cannot find that giveaway')
    expect(discord.botOnline).toBe(true)
  })
})

describe('hostile texts', () => {
  const LURES = [
    '@everyone @here free sats',
    '[x](y) [Claim your 10,000 sats](https://evil.example)',
    '</tip:1> <#1> <@&1> <t:0>',
    '\\[x](https://evil.example)',
    '**bold** `code` ||spoiler|| # head',
    'abc\u202egpj.exe \u2066x\u2069',
  ]

  attack('notes that mention everybody, disguise a link or reverse text', 'they are shown as plain text', async () => {
    for (const note of LURES) {
      const [message] = await run('alice', 'tip', { to: '@dave', amount: '1', note })
      const text = JSON.stringify(message)
      expect(text, note).not.toMatch(/(?<!\\\\)\]\(https:\/\/evil/)
      expect(text, note).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    }
    const posts = world()
      .discord.requests()
      .filter(({ body }) => JSON.stringify(body ?? '').includes('allowed_mentions'))
    for (const { body } of posts) expect(JSON.stringify(body)).not.toMatch(/"parse":\[[^\]]*"(?:everyone|roles)"/)
  })
})
