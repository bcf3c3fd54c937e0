import type { Translator } from '../i18n/translator.ts'

const LENGTH = 16

/**
 * Draws a bar and a percentage of the goal for a raised sum (both in msats). Beyond the goal, the bar stays full, but
 * the percentage still grows.
 */
export function goalBar(raised: bigint, goal: bigint, { locale }: Translator): string {
  const full = Math.min(Number((raised * BigInt(LENGTH)) / goal), LENGTH)
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(Number((raised * 100n) / goal) / 100)
  return `${'▰'.repeat(full)}${'▱'.repeat(LENGTH - full)}  **${percent}**`
}
