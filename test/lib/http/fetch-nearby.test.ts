import { expect, it } from 'vitest'
import { fetchNearby } from '../../../src/lib/http/fetch-nearby.ts'
import type { GuardedFetch } from '../../../src/lib/http/guarded-fetch.ts'

it.each([
  ['https://pay.example.org/lnurlp/alice?amount=1', 'http://127.0.0.1:8787/lnurlp/alice?amount=1'],
  // What only begins like it is somebody else's, and stays with the guards of outgoing requests.
  ['https://pay.example.org.evil.example/x', 'https://pay.example.org.evil.example/x'],
  ['https://pay.example.org@evil.example/x', 'https://pay.example.org@evil.example/x'],
  ['https://pay.example.org:444/x', 'https://pay.example.org:444/x'],
  ['http://pay.example.org/x', 'http://pay.example.org/x'],
])('a URL is fetched locally only if it is at our own public address: %s', async (asked, reached) => {
  const seen: string[] = []
  const note = async (url: string) => void seen.push(url)
  const world = Object.assign(note, { for: () => note, close: async () => undefined }) as unknown as GuardedFetch
  const fetch = fetchNearby(world, { publicUrl: 'https://pay.example.org', localUrl: 'http://127.0.0.1:8787' })
  await fetch(asked)
  await fetch.for('alice')(asked)
  expect(seen).toEqual([reached, reached])
})
