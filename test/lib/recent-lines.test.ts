import { expect, it } from 'vitest'
import { createLogger } from '../../src/lib/logger.ts'
import { RecentLines } from '../../src/lib/recent-lines.ts'
import { hideValue } from '../../src/lib/redaction.ts'
import { ManualClock } from '../support/manual-clock.ts'

const MINUTE_MS = 60_000

it('log lines are kept for an hour and listed newest first', async () => {
  const clock = new ManualClock()
  const recent = new RecentLines(clock)
  recent.add('one')
  await clock.advance(30 * MINUTE_MS)
  recent.add('two')
  expect(recent.list()).toEqual(['two', 'one'])
  await clock.advance(30 * MINUTE_MS)
  expect(recent.list()).toEqual(['two'])
})

it('at most 5,000 log lines and at most a million characters are kept', () => {
  const recent = new RecentLines(new ManualClock())
  for (let i = 0; i < 6_000; i += 1) recent.add(`line ${i}`)
  expect(recent.list()).toHaveLength(5_000)
  expect(recent.list().at(-1)).toBe('line 1000')
  for (let i = 0; i < 300; i += 1) recent.add('x'.repeat(4_000))
  expect(recent.list().join('').length).toBeLessThanOrEqual(1_000_000)
  expect(recent.list()[0]).toBe('x'.repeat(4_000))
})

it('a long log line is cut but keeps its time, level and message', () => {
  const recent = new RecentLines(new ManualClock())
  const line = { level: 'error', time: '2030-01-01T00:00:00.000Z', msg: 'it broke', stack: 'x'.repeat(20_000) }
  recent.add(JSON.stringify(line))
  const [kept = ''] = recent.list()
  expect(kept.length).toBeLessThan(8_000)
  expect(JSON.parse(kept)).toMatchObject({ level: 'error', time: line.time, msg: 'it broke' })
  recent.add('y'.repeat(20_000))
  expect(recent.list()[0]).toHaveLength(8_000)
})

it('a kept log line hides a secret even if the secret is declared later', () => {
  const recent = new RecentLines(new ManualClock())
  const written: string[] = []
  const destination = { write: (line: string) => void written.push(line) }
  const logger = createLogger({ level: 'info', name: 'x', destination, recent })
  const later = 'a-value-that-is-hidden-later'
  logger.info({ apiKey: 'satchel_key', note: later }, 'asked with Authorization: Bearer 0123456789abcdefghijklmnop')
  hideValue(later)
  const [line = ''] = recent.list()
  expect(line).toContain('asked with')
  for (const secret of ['satchel_key', '0123456789abcdef', later]) expect(line).not.toContain(secret)
  expect(written).toHaveLength(1)
})
