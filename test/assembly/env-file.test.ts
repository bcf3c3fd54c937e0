import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { writeEnvFile } from '../../src/assembly/set-up/env-file.ts'
import { readEnvFile } from '../../src/config/config.ts'
import { ManualClock } from '../support/manual-clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'env-'))
const file = join(folder, '.env')
afterAll(() => rmSync(folder, { recursive: true }))

const write = (value: string) => writeEnvFile(file, { NWC_URL: value, LOG_LEVEL: 'warn' }, new ManualClock())

it.each([
  ['a number sign', 'nostr+walletconnect://ab?relay=wss://r.example#1'],
  ['a number sign after a space', 'one #two'],
  ['a number sign at its start', '#abc'],
  ['spaces within', '/srv/my node/tls.cert'],
  ['an apostrophe', "/srv/olivia's/node"],
  ['double quotes', 'a "quoted" word'],
  ['both kinds of quotes', `it's "so"`],
  ['a backslash and an n', 'C:\\new\\node'],
  ['a backslash, an n and an apostrophe', "C:\\new\\olivia's"],
  ['a backtick', 'a`b'],
  ['an equals sign', 'a=b=c=='],
  ['a dollar sign', 'a$HOME'],
])('a value with %s is read back exactly as written', (_, value) => {
  write(value)
  expect(readEnvFile(file)).toEqual({ NWC_URL: value, LOG_LEVEL: 'warn' })
  write(value)
  expect(readEnvFile(file)).toEqual({ NWC_URL: value, LOG_LEVEL: 'warn' })
})

it('a plain value is written without quotes', () => {
  write('wss://relay.example')
  expect(readFileSync(file, 'utf8')).toMatch(/^NWC_URL=wss:\/\/relay.example$/m)
})

it.each(['two\nlines', 'one\rtwo', `'"\``])(
  'the value %j, which no .env file can hold, is refused, and the old file is kept',
  (value) => {
    write('before')
    expect(() => write(value)).toThrow(/NWC_URL_FILE/)
    expect(readEnvFile(file)).toEqual({ NWC_URL: 'before', LOG_LEVEL: 'warn' })
  },
)
