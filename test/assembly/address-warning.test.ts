import { expect, it } from 'vitest'
import { warnOfNoAddress, warnOfNoConnectPage } from '../../src/assembly/warn-of-no-address.ts'
import { createLogger } from '../../src/lib/logger.ts'

const REACHED = 'https://pay.example.org'

it.each<[typeof warnOfNoAddress, string | undefined, RegExp | undefined]>([
  [warnOfNoAddress, undefined, /SERVICE_PUBLIC_URL.*Set it to/],
  [warnOfNoAddress, 'http://127.0.0.1:8787', /SERVICE_PUBLIC_URL.*Set it to/],
  [warnOfNoAddress, REACHED, undefined],
  [warnOfNoConnectPage, undefined, /CALLBACK_PUBLIC_URL.*nobody can connect a wallet.*Set it to/],
  [warnOfNoConnectPage, REACHED, undefined],
])('%o warns unless members can reach the public address: %s', (warn, publicUrl, warning) => {
  const lines: string[] = []
  const logger = createLogger({ level: 'warn', name: 'test', destination: { write: (line) => void lines.push(line) } })
  warn(publicUrl, logger)
  expect(lines.map((line) => String(JSON.parse(line).msg))).toEqual(
    warning === undefined ? [] : [expect.stringMatching(warning)],
  )
})
