import { describe, expect, it } from 'vitest'
import { addressKind, isNearby, networksOf } from '../../../src/lib/http/public-address.ts'

describe('the function addressKind', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('classifies %s as public', (address) => expect(addressKind(address)).toBe('public'))

  it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'])('classifies %s as loopback', (address) =>
    expect(addressKind(address)).toBe('loopback'),
  )

  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.100.100.200', '169.254.169.254', '172.16.0.1'],
    ...['192.168.1.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ...['::', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '100::1'],
    ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::ffff:0:7f00:1', '::7f00:1', '::8.8.8.8'],
    ...[
      '64:ff9b::7f00:1',
      '64:ff9b::808:808',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2002:808:808::1',
      '2001::1',
      '4000::1',
    ],
    ...['', 'localhost', '127.1', '0x7f.0.0.1', '0177.0.0.1', '2130706433', '127.0.0.1.', '1.1.1.1:443', '[::1]'],
  ])('classifies %s as special', (address) => expect(addressKind(address)).toBe('special'))
})

it.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2ff:ffff::1', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
  ['unknown', ['unknown']],
])('a caller at %s is counted under: %s', (address, network) => expect(networksOf(address)).toEqual(network))

describe('the IP address of a connection', () => {
  it.each(['127.0.0.1', '::1', '10.0.0.7', '172.17.0.1', 'fd00::7', '::ffff:192.168.1.9'])(
    'is nearby if it is %s',
    (address) => {
      expect(isNearby(address)).toBe(true)
    },
  )

  it.each(['203.0.114.9', '8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111'])('is not nearby if it is %s', (address) => {
    expect(isNearby(address)).toBe(false)
  })
})
