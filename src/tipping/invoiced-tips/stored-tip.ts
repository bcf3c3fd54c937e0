import type { Command } from '../engine/once-only/once-only.ts'
import type { TipGift } from '../tips/tip-gifts.ts'

/** A tip with a fixed cost that waits for its payment. */
export interface StoredTip {
  readonly once: Command
  readonly gift: TipGift
}

export function writeStoredTip(tip: StoredTip): string {
  return JSON.stringify(tip)
}

export function readStoredTip(text: string): StoredTip {
  const { once, gift } = JSON.parse(text) as StoredTip
  // JSON has no times.
  const { accountSince } = gift.command as { readonly accountSince?: string }
  const since = accountSince === undefined ? {} : { accountSince: new Date(accountSince) }
  return { once, gift: { ...gift, command: { ...gift.command, ...since } } }
}
