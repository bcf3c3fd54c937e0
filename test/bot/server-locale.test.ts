import { EventEmitter } from 'node:events'
import type { Client } from 'discord.js'
import { expect, test } from 'vitest'
import { createServerLocales } from '../../src/bot/people/server-locale.ts'

function start(chosen?: string, known?: { readonly features: string[]; readonly preferredLocale: string }) {
  const guilds = { cache: new Map(known && [['1', known]]) }
  const client = Object.assign(new EventEmitter(), { guilds }) as unknown as Client
  const locale = createServerLocales(client, () => chosen)
  const heard = (member: string, spoken: string, guildLocale = 'en-US') =>
    client.emit('interactionCreate', { guildId: '1', guildLocale, locale: spoken, user: { id: member } } as never)
  return { locale, heard }
}

test('a server without Community uses the language of most of its users', () => {
  const { locale, heard } = start(undefined, { features: [], preferredLocale: 'en-US' })
  expect(locale('1')).toBeUndefined()
  heard('a', 'de')
  heard('b', 'es-ES')
  heard('c', 'es-419')
  heard('a', 'de')
  expect(locale('1')).toBe('es-ES')
})

test('a Community server’s language is taken from the server or from an interaction', () => {
  expect(start(undefined, { features: ['COMMUNITY'], preferredLocale: 'fr' }).locale('1')).toBe('fr')
  const { locale, heard } = start()
  heard('a', 'de', 'ja')
  expect(locale('1')).toBe('ja')
})

test('a server’s chosen language overrides its Community language', () => {
  expect(start('pl', { features: ['COMMUNITY'], preferredLocale: 'fr' }).locale('1')).toBe('pl')
})
