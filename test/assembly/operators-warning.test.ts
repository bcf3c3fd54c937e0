import { expect, it } from 'vitest'
import { warnOfNoOperators } from '../../src/assembly/warn-of-no-operators.ts'
import { createLogger } from '../../src/lib/logger.ts'

it.each<[{ homeGuildId?: string; operatorsChannelId?: string }, string | undefined]>([
  [{}, 'HOME_GUILD_ID and OPERATORS_CHANNEL_ID are not set'],
  [{ homeGuildId: '1' }, 'OPERATORS_CHANNEL_ID is not set'],
  [{ homeGuildId: '1', operatorsChannelId: '2' }, undefined],
])('a start warns only if settings for operators are missing: %j', ({ homeGuildId, operatorsChannelId }, warning) => {
  const lines: string[] = []
  const logger = createLogger({
    level: 'warn',
    name: 'test',
    destination: { write: (line) => void lines.push(line) },
  })
  warnOfNoOperators({ homeGuildId, operatorsChannelId }, logger)
  expect(lines.map((line) => String(JSON.parse(line).msg))).toEqual(
    warning === undefined ? [] : [expect.stringContaining(warning)],
  )
})
