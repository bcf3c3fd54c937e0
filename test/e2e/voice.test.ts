import { expect, it } from 'vitest'
import type { WorldOptions } from '../../src/playground/create-world.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { fund, openStage } from './harness.ts'

/** The name of a bot in the voice channel, which receives nothing. */
const BOT = 'bot'

type InVoice = (who: string, channel?: string | null, hears?: { deaf?: boolean; selfDeaf?: boolean }) => void

/** Opens a stage with 10,000 sats for alice and two voice channels in the server. */
async function begin(options: Partial<WorldOptions> = {}): Promise<{ stage: Stage; inVoice: InVoice; other: string }> {
  const stage = await openStage(options)
  const { emulator } = stage.world
  const serverId = must(
    emulator.world.servers().find(({ channels }) => channels.some(({ id }) => id === stage.channel())),
  ).id
  const [voice, other] = ['stage', 'lobby'].map(
    (name) => emulator.world.createChannel(serverId, { name, kind: 'voice' }).id,
  )
  await fund(stage, 'alice', 10_000)
  const botId = must(emulator.world.people().find(({ bot }) => bot)).id
  const inVoice: InVoice = (who, channel = must(voice), hears = {}) =>
    emulator.world.setVoice(serverId, who === BOT ? botId : stage.id(who), channel, hears)
  return { stage, inVoice, other: must(other) }
}

const rain = (stage: Stage, who = 'alice', more: Record<string, string | number | boolean> = {}) =>
  stage.command(who, 'rain', { amount: '900', voice: true, ...more })

it('rain pays listeners in the giver’s voice channel, before and after a restart', async () => {
  const { stage, inVoice, other } = await begin({ voice: true })
  stage.mustSay(await rain(stage), /Join a voice channel first/)
  inVoice('alice')
  stage.mustSay(await rain(stage), /Nobody in your voice channel/)
  inVoice('bob')
  inVoice('carol')
  inVoice('dave', undefined, { selfDeaf: true })
  inVoice('mod', other)
  inVoice(BOT)
  const [first] = await rain(stage)
  expect(textOf(must(first))).toMatch(/rain \*\*900 test sats\*\* on 2 people[\s\S]*450 test sats/)
  expect(must(first).notifies.personIds.toSorted()).toEqual([stage.id('bob'), stage.id('carol')].toSorted())
  inVoice('bob', null)
  inVoice('dave')
  inVoice('carol', undefined, { deaf: true })
  await stage.world.bot.kill()
  await stage.world.bot.start()
  const [second] = await rain(stage)
  expect(must(second).notifies.personIds).toEqual([stage.id('dave')])
  expect(await stage.holds('bot', 'member', 'alice')).toBe(10_000 - 1_800)
})

it('without the voice intent, `/rain` says that the bot cannot see voice channels', async () => {
  const { stage, inVoice } = await begin()
  inVoice('alice')
  inVoice('bob')
  const answers = await rain(stage)
  stage.mustSay(answers, /cannot see who is in voice channels here[\s\S]*DISCORD_VOICE=on/)
  expect(must(answers[0]).ephemeral).toBe(true)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(10_000)
})

it('without a gateway, `/rain` says that the bot cannot see voice channels', async () => {
  const { stage, inVoice } = await begin({ voice: true, interactionsByHttp: true })
  inVoice('alice')
  inVoice('bob')
  stage.mustSay(await rain(stage), /cannot see who is in voice channels here/)
})
