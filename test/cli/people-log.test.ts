import { expect, it } from 'vitest'
import { forPeople, online } from '../../src/cli/people-log.ts'

it.each([
  [{ level: 'info', msg: 'listening' }, undefined],
  [{ level: 'debug', msg: 'look' }, undefined],
  [{ level: 'warn', msg: 'no address is set' }, '! no address is set'],
  [{ level: 'error', msg: 'the node is away', err: { message: 'ECONNREFUSED' } }, '✗ the node is away: ECONNREFUSED'],
  [{ level: 'fatal', err: { message: 'gone' } }, '✗ : gone'],
])('the log line %j is shown to people as %j', (line, told) => {
  expect(forPeople(JSON.stringify(line))).toBe(told)
})

it.each([
  [0, 'in no server yet'],
  [1, 'in 1 server'],
  [3, 'in 3 servers'],
])('a start with %d servers prints their number and how to invite the bot', (servers, where) => {
  expect(online(servers, 'https://discord.com/x')).toBe(`Satchel is online ${where}. Invite: https://discord.com/x`)
  expect(online(servers, undefined)).toBe(`Satchel is online ${where}.`)
})
