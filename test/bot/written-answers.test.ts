import type { REST } from '@discordjs/rest'
import { expect, it } from 'vitest'
import type { Message } from '../../src/bot/messages/message.ts'
import type { People } from '../../src/bot/people/people.ts'
import { createMessenger } from '../../src/bot/transport/messenger.ts'
import type { Calls } from '../../src/bot/transport/permits.ts'
import { systemClock } from '../../src/lib/clock.ts'

const people: People = {
  named: async (message) => message,
  namedNow: (message) => message,
  nameOf: async () => undefined,
}
const ref = { channel: '1', message: '2' }

/** Returns how often the answer is edited when the second message follows the first. */
async function changesOf(first: Message, second: Message): Promise<number> {
  let changes = 0
  const webhooks = {
    async patch() {
      changes += 1
      return { channel_id: '1', id: '2' }
    },
  } as unknown as REST
  const messenger = createMessenger({} as Calls, webhooks, people, { clock: systemClock, isOnItsWay: () => false })
  const reply = { application: '3', token: 'x', expiresAt: Number.POSITIVE_INFINITY }
  expect(await messenger.answer(reply, second, { message: first, ref })).toEqual(ref)
  return changes
}

it.each([
  ['the same words', 'ends <t:1000:R>', 'ends <t:1000:R>', 0],
  ['a count-down that began seconds later', 'ends <t:1000:R>, <t:2000:R>', 'ends <t:1001:R>, <t:1999:R>', 0],
  ['a count-down to another minute', 'ends <t:1000:R>, <t:2000:R>', 'ends <t:1000:R>, <t:2061:R>', 1],
  ['another time of day', 'at <t:1000:t>', 'at <t:1001:t>', 1],
  ['one more count-down', 'ends <t:1000:R>', 'ends <t:1000:R><t:1000:R>', 1],
  ['other words', 'ends <t:1000:R>', 'ended <t:1000:R>', 1],
])('an answer with %s is edited only if people see a difference', async (_, before, after, changes) => {
  expect(await changesOf({ content: before }, { content: after })).toBe(changes)
})
