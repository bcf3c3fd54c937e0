import { describe, expect, it } from 'vitest'
import { isReservedName, skeleton } from '../../src/lib/reserved-names.ts'
import { processorTime } from '../support/processor-time.ts'

describe('the function isReservedName', () => {
  it.each([
    ...['admin', 'ADMIN', 'Support', 'root', 'satchel', 'postmaster', 'wallet', 'help', 'moderator'],
    ...['the_real_admin', 'admin-team', 'supportteam', 'officialadmin', 'helpdesk', 'paymentservice'],
    ...['satchelluke', 'my-satchel', 'satchel21', 'alice-support', 'support.bob'],
  ])('recognizes %s as reserved', (name) => {
    expect(isReservedName(name)).toBe(true)
  })

  it.each([
    ...['adm1n', 'ADMlN', 'adrnin', 'r00t', '5upport', 'SUPP0RT', 'satche1', 'sa7chel', 's-a-t-c-h-e-l', 'adminn'],
    ...['a_d_m_i_n', 'admin1', '24support', 'support24', '0fficial', 'saaatchel', 'mod3rator', 'rnoderator'],
    ...['аdmin', 'ѕupport', 'аԁmin'.replace('ԁ', 'd'), 'ａｄｍｉｎ', 'àdmïn', 'sаtсhеl', 'ѕаτсhеl'],
  ])('recognizes the look-alike %s', (name) => {
    expect(isReservedName(name)).toBe(true)
  })

  it.each([
    ...['alice', 'bob', 'badminton', 'rootbeer', 'rot', 'teamster', 'theodore', 'modern', 'painter', 'bank_robber'],
    ...['supporter', 'operatic', 'walletta', 'satoshi', 'satch', 'infowars', 'x_21', '2140', '___', 'anna-bot', 'the'],
  ])('does not recognize %s as reserved', (name) => {
    expect(isReservedName(name)).toBe(false)
  })

  it('recognizes a long community name anywhere, but a short one only as a whole word', () => {
    expect(isReservedName('lightning-lounge')).toBe(false)
    expect(isReservedName('1ightning_l0unge_pay', ['Lightning Lounge'])).toBe(true)
    expect(isReservedName('lightning', ['Lightning Lounge'])).toBe(false)
    expect(isReservedName('acme', ['acme'])).toBe(true)
    expect(isReservedName('acme_help', ['acme'])).toBe(true)
    expect(isReservedName('pacmen', ['acme'])).toBe(false)
    expect(isReservedName('alice', ['', ' '])).toBe(false)
  })
})

it('look-alike letters of different scripts are treated as equal', () => {
  expect(skeleton('ＡＤＭＩＮ')).toBe(skeleton('аdm1n'))
  expect(skeleton('Anna.B')).toBe(skeleton('anna_b'))
})

it('a name built to slow down the check for reserved names is checked quickly', () => {
  const spent = processorTime()
  for (const name of ['a'.repeat(64), 'adm'.repeat(21), 'the'.repeat(21), 'sa'.repeat(32)])
    isReservedName(name, ['aaaaaaaab'])
  expect(spent()).toBeLessThan(5_000)
})
