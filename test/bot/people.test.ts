import { EventEmitter } from 'node:events'
import type { Client } from 'discord.js'
import { expect, test } from 'vitest'
import { createPeople } from '../../src/bot/people/people.ts'
import { ManualClock } from '../support/manual-clock.ts'

const [alice, bob, carol] = ['100000000000000001', '100000000000000002', '100000000000000003']

function start(names: Record<string, string> = {}) {
  const client = new EventEmitter()
  const asked: string[] = []
  const calls = {
    async get(route: string) {
      const id = route.split('/').at(-1) ?? ''
      asked.push(id)
      if (names[id] === undefined) throw new Error('404')
      return { id, username: id, global_name: names[id] }
    },
  }
  const clock = new ManualClock()
  const people = createPeople(client as unknown as Client, calls as never, { clock })
  const meet = (id: string, name: string) =>
    client.emit('raw', { t: 'MESSAGE_CREATE', d: { author: { id, username: 'x', global_name: name } } })
  return { people, meet, asked, clock }
}

test('a message mentions the people whom it notifies, and names the others', async () => {
  const { people, meet, asked } = start()
  meet(alice, 'Alice')
  const embeds = [{ description: `<@${alice}> and <@${bob}>` }]
  const message = { content: `<@${alice}> tipped <@${bob}>`, embeds, notifies: [bob] }
  expect(await people.named(message)).toEqual({
    ...message,
    content: `Alice tipped <@${bob}>`,
    embeds: [{ description: `Alice and <@${bob}>` }],
  })
  expect(asked).toEqual([])
})

test('a person without a known name is looked up at Discord once', async () => {
  const { people, asked } = start({ [carol]: 'C*rol' })
  const message = { embeds: [{ fields: [{ name: 'From', value: `<@${carol}>` }] }] }
  const named = { embeds: [{ fields: [{ name: 'From', value: 'C\\*rol' }] }] }
  expect(await people.named(message)).toEqual(named)
  expect(await people.named(message)).toEqual(named)
  expect(asked).toEqual([carol])
})

test('a person who is notified but not mentioned in the text is named in the embed', async () => {
  const { people, meet } = start()
  meet(bob, 'Bob')
  const message = { content: 'Hello', embeds: [{ description: `<@${bob}>` }], notifies: [bob] }
  expect(await people.named(message)).toMatchObject({ embeds: [{ description: 'Bob' }] })
})

test('a mention stays a mention if no name can be found', async () => {
  const { people } = start()
  const message = { content: `<@${bob}>` }
  expect(people.namedNow(message)).toBeUndefined()
  expect(await people.named(message)).toEqual(message)
})
