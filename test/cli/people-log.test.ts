import { expect, it } from 'vitest'
import { forPeople, online } from '../../src/cli/people-log.ts'

it.each([
  [{ level: 'info', msg: 'listening' }, undefined],
  [{ level: 'debug', msg: 'look' }, undefined],
  [{ level: 'warn', msg: 'no address is set' }, '! no address is set'],
  [{ level: 'error', msg: 'the node is away', err: { message: 'ECONNREFUSED' } }, '✗ the node is away: ECONNREFUSED'],
  [{ level: 'fatal', err: { message: 'gone' } }, '✗ : gone'],
])('the terminal shows the log line %j as this text, if at all: %j', (line, told) => {
  expect(forPeople(JSON.stringify(line))).toBe(told)
})

it.each([
  [0, 'in no server yet'],
  [1, 'in 1 server'],
  [3, 'in 3 servers'],
])('the start message states the bot’s number of servers and any invite link: %d', (servers, where) => {
  expect(online(servers, 'https://discord.com/x')).toBe(`Satchel is online ${where}. Invite: https://discord.com/x`)
  expect(online(servers, undefined)).toBe(`Satchel is online ${where}.`)
})
