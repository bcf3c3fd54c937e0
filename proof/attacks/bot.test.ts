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

/** The sats that the book holds for a person; for people who may no longer be asked. */
function stored(who: string): Promise<bigint> {
  const owner = world().seeded.people[who as keyof ReturnType<typeof world>['seeded']['people']]
  return world().stored('tipping', `SELECT balance FROM "Account" WHERE kind = 'member' AND owner = '${owner}'`)
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

describe('sats', () => {
  attack('twenty tips at once out of a balance for five', 'five are given', async () => {
    await run('alice', 'tip', { to: '@bob', amount: '50' })
    await Promise.all(Array.from({ length: 20 }, () => run('bob', 'tip', { to: '@carol', amount: '10' })))
    expect([await balance('bob'), await balance('carol')]).toEqual([0, 50])
  })

  attack('one share of a drop, pressed by four people five times each', 'one of them has it', async () => {
    const drop = await run('alice', 'voucher drop', { amount: '40', shares: 1 })
    const take = buttonOf(drop, 'drop-take')
    const people = ['bob', 'carol', 'dave', 'mod']
    const before = await Promise.all(people.map(balance))
    await Promise.all(people.flatMap((who) => Array.from({ length: 5 }, () => press(who, take).answered())))
    const after = await Promise.all(people.map(balance))
    expect(after.reduce((sum, each, i) => sum + each - (before[i] ?? 0), 0)).toBe(40)
    expect(after.filter((each, i) => each !== before[i])).toHaveLength(1)
  })

  attack('amounts that are negative, huge, hidden or no numbers', 'nothing moves', async () => {
    const before = await balance('alice')
    for (const amount of ['-5', '0', '1e9', '9'.repeat(30), '0.0001', 'NaN', '0x10', '１０００００００', "1' OR 1=1"]) {
      await run('alice', 'tip', { to: '@bob', amount }).catch(() => [])
    }
    expect(await balance('alice')).toBe(before)
  })

  attack('a withdrawal to an address on this machine', 'refused, and nothing is held', async () => {
    const before = await balance('alice')
    for (const to of ['x@127.0.0.1', 'x@localhost:8787', 'x@169.254.169.254', 'x@[::1]']) {
      await run('alice', 'withdraw', { amount: '10', to }).catch(() => [])
    }
    expect(await balance('alice')).toBe(before)
  })
})

describe('permissions', () => {
  attack(
    'commands of moderators and operators, given by a member',
    'Discord offers none, or it is refused',
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

  attack("the buttons of a moderator's decision, pressed by a member", 'refused', async () => {
    const fundraiser = await run('mod', 'pool fundraiser', { amount: '10', goal: '100' })
    const close = buttonOf(fundraiser, 'fundraiser-close')
    const [told] = (await done(press('alice', close))).slice(-1)
    expect(JSON.stringify(told)).toMatch(/moderator/i)
    expect(buttonOf(person('mod').conversation(tips()), 'fundraiser-close').customId).toBe(close.customId)
  })

  attack("somebody else's withdrawal code", 'is shown to its owner alone', async () => {
    const asked = await run('alice', 'withdraw', { amount: '100' })
    expect(asked.every(({ ephemeral }) => ephemeral)).toBe(true)
    const confirm = buttonOf(asked, 'withdraw-confirm')
    expect(() => press('bob', confirm)).toThrow()
  })
})

describe('other channels and servers', () => {
  const grant = (who: string) => run('alice', 'tip', { to: `@${who}`, amount: '900' })

  attack(
    "buttons with a record of another server, forged there by a server's owner",
    'refused, nothing moves',
    async () => {
      const { discord, seeded } = world()
      const drop = buttonOf(await run('alice', 'drop', { amount: '40', shares: 1 }), 'drop-take')
      const fundraiser = buttonOf(
        await run('mod', 'pool fundraiser', { amount: '10', goal: '100' }),
        'fundraiser-close',
      )
      const lair = discord.world.createServer({ name: 'Lair', ownerId: seeded.people.dave })
      const den = discord.world.createChannel(lair.id, { name: 'den' }).id
      const before = await balance('dave')
      for (const { customId } of [drop, fundraiser]) {
        const sent = await fetch(`${discord.restUrl}/v10/channels/${den}/messages`, {
          method: 'POST',
          headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            content: 'here',
            components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Press', custom_id: customId }] }],
          }),
        })
        const { id } = (await sent.json()) as { id: string }
        expect(JSON.stringify(await done(person('dave').press(den, id, customId)))).toContain('no longer works')
      }
      expect(await balance('dave')).toBe(before)
    },
  )

  attack('rain, by a member who has left and by a new account', 'it falls on neither', async () => {
    const { discord, seeded } = world()
    await run('newcomer', 'balance')
    discord.world.removeMember(seeded.serverId, seeded.people.carol)
    const before = await Promise.all(['carol', 'newcomer'].map((who) => stored(who)))
    const [said] = await run('alice', 'rain', { amount: '100' })
    expect(JSON.stringify(said)).toMatch(/rain/)
    expect(await Promise.all(['carol', 'newcomer'].map((who) => stored(who)))).toEqual(before)
  })

  attack('drops and giveaways of a private channel, by strangers and members', 'nobody is told of them', async () => {
    const { discord, seeded, callbacksUrl } = world()
    await grant('mod')
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
    expect(JSON.stringify(asked)).toContain('no such giveaway')
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

  attack('notes that mention everybody, mask a link, or turn the text round', 'they stay text', async () => {
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
