import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { plainForwarding } from '../../../src/lib/http/forwarded-for.ts'

const socket = { remoteAddress: '10.0.0.1' } as Socket

it.each([
  ['198.51.100.2', '198.51.100.2'],
  ['198.51.100.2:40000', '198.51.100.2'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:198.51.100.2', '::ffff:198.51.100.2'],
  ['203.0.113.7:1, 198.51.100.2:2', '203.0.113.7, 198.51.100.2'],
  // What is not an address counts as the proxy that wrote it.
  ['unknown', '10.0.0.1'],
  ['_hidden', '10.0.0.1'],
  ['', '10.0.0.1'],
  ['198.51.100.2:', '10.0.0.1'],
  ['198.51.100.2:99999999', '10.0.0.1'],
  ['300.1.1.1', '10.0.0.1'],
  ['::1:40000:x', '10.0.0.1'],
  ['<script>, 198.51.100.2', '198.51.100.2, 198.51.100.2'],
  ['203.0.113.7, unknown', '203.0.113.7, 10.0.0.1'],
])('the X-Forwarded-For header %j is read as %j', (given, plain) => {
  const headers: Record<string, string> = { 'x-forwarded-for': given }
  plainForwarding({ headers, socket })
  expect(headers).toEqual({ 'x-forwarded-for': plain })
})

it('headers without X-Forwarded-For stay unchanged', () => {
  const headers = {}
  plainForwarding({ headers, socket })
  expect(headers).toEqual({})
})
