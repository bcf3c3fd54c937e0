import { describe, expect, it } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { goalBar } from '../../src/bot/messages/goal-bar.ts'

describe('the progress bar for a goal of 10,000', () => {
  it.each([
    [0n, `${'▱'.repeat(16)}  **0%**`],
    [5_000n, `${'▰'.repeat(8)}${'▱'.repeat(8)}  **50%**`],
    [9_999n, `${'▰'.repeat(15)}▱  **99%**`],
    [10_000n, `${'▰'.repeat(16)}  **100%**`],
    [12_000n, `${'▰'.repeat(16)}  **120%**`],
    [1_000_000n, `${'▰'.repeat(16)}  **10,000%**`],
  ])('shows a total of %s as: %s', (raised, bar) => {
    expect(goalBar(raised, 10_000n, createTranslators(() => false)('en'))).toBe(bar)
  })
})
