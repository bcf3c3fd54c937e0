import { EventEmitter } from 'node:events'
import { Events } from 'discord.js'
import { beforeEach, expect, it } from 'vitest'
import { hearVoiceStates, type VoiceStates } from '../../src/bot/people/voice-states.ts'

let client: EventEmitter
let voice: VoiceStates

beforeEach(() => {
  client = new EventEmitter()
  const guilds = { cache: new Map([['guild', { afkChannelId: 'afk' }]]) }
  voice = hearVoiceStates(Object.assign(client, { guilds }) as never)
})

const at = (user: string, channel: string | null, more: { deaf?: boolean; self_deaf?: boolean } = {}) => ({
  ...{ user_id: user, channel_id: channel, deaf: false, self_deaf: false },
  ...more,
})

const told = (t: string, d: object, s = 1) => client.emit(Events.Raw, { t, d, s, op: 0 })
const server = (states: readonly object[], s = 1) => told('GUILD_CREATE', { id: 'guild', voice_states: states }, s)
const moves = (state: object) => told('VOICE_STATE_UPDATE', { guild_id: 'guild', ...state })
const listeners = (member = 'alice') => voice.listenersWith('guild', member)

it('the bot knows the listeners from Discord’s first list and later changes', () => {
  server([at('alice', 'stage'), at('bob', 'stage'), at('carol', 'lobby')])
  expect(listeners()).toEqual(['bob'])
  moves(at('carol', 'stage'))
  expect(listeners()).toEqual(['bob', 'carol'])
  moves(at('bob', null))
  moves(at('carol', 'lobby'))
  expect(listeners()).toEqual([])
  expect(listeners('bob')).toBe('nowhere')
  expect(listeners('dave')).toBe('nowhere')
})

it('people deafened by themselves or by a moderator are not listeners', () => {
  server([at('alice', 'stage', { self_deaf: true }), at('bob', 'stage', { deaf: true }), at('carol', 'stage')])
  expect(listeners()).toEqual(['carol'])
  moves(at('carol', 'stage', { self_deaf: true }))
  moves(at('bob', 'stage'))
  expect(listeners()).toEqual(['bob'])
})

it('people in the AFK channel are not listeners', () => {
  server([at('alice', 'afk'), at('bob', 'afk')])
  expect(listeners()).toBe('nowhere')
})

it('listeners are unknown before Discord’s list, and once the server is gone', () => {
  server([], 0)
  moves(at('alice', 'stage'))
  expect(listeners()).toBe('unknown')
  server([at('alice', 'stage')])
  expect(listeners()).toEqual([])
  told('GUILD_DELETE', { id: 'guild' })
  expect(listeners()).toBe('unknown')
})
